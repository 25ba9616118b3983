import type { Dialect } from '../sql.ts'

export const dialect: Dialect = {
  forUpdate: '',
  forUpdateIfFree: '',
  eachOf: (param) => `(SELECT value AS item FROM json_each(${param})) AS given`,
  joinEach: (table, condition) => `CROSS JOIN ${table} ON ${condition}`,
  lastNumber: (table) => `SELECT COALESCE(MAX(seq), 0) AS last FROM sqlite_sequence WHERE name = '${table}'`,
  setLastNumber: (table, last) =>
    `DELETE FROM sqlite_sequence WHERE name = '${table}';
     INSERT INTO sqlite_sequence (name, seq) VALUES ('${table}', ${last})`,
}
