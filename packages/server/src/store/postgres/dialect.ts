import type { Dialect } from '../sql.ts'

export const dialect: Dialect = {
  forUpdate: ' FOR UPDATE',
  forUpdateIfFree: ' FOR UPDATE SKIP LOCKED',
  eachOf: (param) => `unnest(CAST(${param} AS TEXT[])) AS given (item)`,
  // OFFSET 0 keeps the planner from reading all of the user's records instead of looking each one up.
  joinEach: (table, condition) => `CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE ${condition} OFFSET 0) AS ${table}`,
  lastNumber: (table) => `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM ${table}_id_seq`,
  setLastNumber: (table, last) => `SELECT setval('${table}_id_seq', ${last})`,
}
