import type { Insert, SqlDriver, SqlParam, SqlReader, SqlWriter } from '../../src/store/sql.ts'

/** Returns a driver over another one that notes the text of each statement that goes to it. */
export function notingStatements(driver: SqlDriver): { driver: SqlDriver; statements: string[] } {
  const statements: string[] = []
  const noted = (text: string) => statements.push(text)
  const reading = (sql: SqlReader): SqlReader => ({
    dialect: sql.dialect,
    all: <Row>(text: string, params?: readonly SqlParam[]) => {
      noted(text)
      return sql.all<Row>(text, params)
    },
  })
  const writing = (sql: SqlWriter): SqlWriter => ({
    ...reading(sql),
    run: (text, params) => {
      noted(text)
      return sql.run(text, params)
    },
    insertEach: (insert: Insert, rows) => {
      noted(`INSERT INTO ${insert.into}`)
      return sql.insertEach(insert, rows)
    },
    script: (text) => {
      noted(text)
      return sql.script(text)
    },
  })
  return {
    statements,
    driver: {
      dialect: driver.dialect,
      all: (text, params) => {
        noted(text)
        return driver.all(text, params)
      },
      run: (text, params) => driver.run(text, params),
      read: (body, turn) => driver.read((sql) => body(reading(sql)), turn),
      write: (body, turn) => driver.write((sql) => body(writing(sql)), turn),
      close: () => driver.close(),
    },
  }
}
