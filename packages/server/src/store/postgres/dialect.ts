import type { Dialect } from '../sql.ts'

export const dialect: Dialect = {
  forUpdate: ' FOR UPDATE',
  forUpdateIfFree: ' FOR UPDATE SKIP LOCKED',
  eachOf: (param) => `unnest(CAST(${param} AS TEXT[])) AS given (item)`,
  // OFFSET 0 keeps the planner from reading all of the user's records instead of looking each one up.
  joinEach: (table, condition) => `CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE ${condition} OFFSET 0) AS ${table}`,
  numberBehind: (table) => `SELECT setval('${table}_id_seq', COALESCE(MAX(id), 0) + 1, false) FROM ${table}`,
}
