import type { Dialect } from '../sql.ts'

export const dialect: Dialect = {
  forUpdate: ' FOR UPDATE',
  forUpdateIfFree: ' FOR UPDATE SKIP LOCKED',
  eachOf: (param) => `unnest(CAST(${param} AS TEXT[])) AS given (item)`,
  // One by one. Left to itself, the planner may read all of the user's records instead; OFFSET 0 keeps it from that.
  joinEach: (table, condition) => `CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE ${condition} OFFSET 0) AS ${table}`,
  lastNumber: (table) => `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM ${table}_id_seq`,
  setLastNumber: (table, last) => `SELECT setval('${table}_id_seq', ${last})`,
  // In pieces: both sides handle a row for each record, and values of hundreds of kilobytes, at twice the cost.
  listsOf: (query) =>
    `SELECT kind, string_agg(body, ',') AS list, COUNT(*) AS records, MAX(id) AS last_id
     FROM (${query}) AS page GROUP BY kind, version % 16 ORDER BY kind, last_id`,
}
