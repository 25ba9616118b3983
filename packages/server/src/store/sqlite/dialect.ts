import type { Dialect } from '../sql.ts'

export const dialect: Dialect = {
  forUpdate: '',
  forUpdateIfFree: '',
  eachOf: (param) => `(SELECT value AS item FROM json_each(${param})) AS given`,
  joinEach: (table, condition) => `CROSS JOIN ${table} ON ${condition}`,
  // SQLite does so by itself.
  numberBehind: () => '',
}
