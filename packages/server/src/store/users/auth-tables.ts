import { strict as assert } from 'node:assert'
import type { BetterAuthOptions, Where } from 'better-auth'
import { type AdapterFactory, createAdapterFactory } from 'better-auth/adapters'
import type { SqlDriver, SqlValue } from '../sql.ts'

/** A condition of better-auth; its field names are columns already. */
type Condition = Required<Where>

/** The SQL of better-auth's operators, without those that accounts and sessions do not need. */
const operators: Partial<Record<string, string>> = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' }

/**
 * Lets better-auth use our database driver, so that its tables are in our migrations. Names of tables and columns come
 * from its schema, never from input.
 */
export function authTables(driver: SqlDriver): AdapterFactory<BetterAuthOptions> {
  return createAdapterFactory({
    config: {
      adapterId: 'saldo',
      supportsNumericIds: true,
      supportsDates: false,
      supportsBooleans: false,
      supportsJSON: false,
      transaction: false,
    },
    adapter: () => ({
      create: async <T extends Record<string, unknown>>({ model, data }: { model: string; data: T }) => {
        const columns = Object.keys(data).map(identifier)
        const places = columns.map((_, index) => `$${index + 1}`)
        const text = `INSERT INTO ${identifier(model)} (${columns.join(', ')}) VALUES (${places.join(', ')}) RETURNING *`
        return driver.write(async (sql) => only<T>(await sql.all<T>(text, Object.values(data).map(sqlValue))))
      },
      update: async <T>({ model, where, update }: { model: string; where: Condition[]; update: T }) => {
        const { text, params } = updateStatement(model, where, update as Record<string, unknown>)
        return driver.write(async (sql) => (await sql.all<T>(`${text} RETURNING *`, params))[0] ?? null)
      },
      updateMany: async ({ model, where, update }) => {
        const { text, params } = updateStatement(model, where, update)
        return driver.run(text, params)
      },
      findOne: async <T>({ model, where }: { model: string; where: Condition[] }) =>
        (await select<T>(driver, model, where, 1))[0] ?? null,
      findMany: async <T>({
        model,
        where = [],
        limit,
      }: {
        model: string
        where?: Condition[] | undefined
        limit: number
      }) => select<T>(driver, model, where, limit),
      delete: async ({ model, where }) => {
        const { text, params } = deleteStatement(model, where)
        await driver.run(text, params)
      },
      deleteMany: async ({ model, where }) => {
        const { text, params } = deleteStatement(model, where)
        return driver.run(text, params)
      },
      count: async ({ model, where = [] }) => {
        const { text, params } = whereClause(where, 1)
        const count = `SELECT COUNT(*) AS n FROM ${identifier(model)}${text}`
        return only(await driver.all<{ n: number }>(count, params)).n
      },
    }),
  })
}

function select<T>(driver: SqlDriver, model: string, where: readonly Condition[], limit: number): Promise<T[]> {
  const { text, params } = whereClause(where, 1)
  return driver.all<T>(`SELECT * FROM ${identifier(model)}${text} LIMIT ${Math.trunc(limit)}`, params)
}

function updateStatement(model: string, where: readonly Condition[], update: Record<string, unknown>) {
  const columns = Object.keys(update)
  const assignments = columns.map((column, index) => `${identifier(column)} = $${index + 1}`)
  const condition = whereClause(where, columns.length + 1)
  return {
    text: `UPDATE ${identifier(model)} SET ${assignments.join(', ')}${condition.text}`,
    params: [...Object.values(update).map(sqlValue), ...condition.params],
  }
}

function deleteStatement(model: string, where: readonly Condition[]) {
  const { text, params } = whereClause(where, 1)
  return { text: `DELETE FROM ${identifier(model)}${text}`, params }
}

function whereClause(where: readonly Condition[], firstParam: number): { text: string; params: SqlValue[] } {
  const params: SqlValue[] = []
  const place = (value: unknown) => {
    params.push(sqlValue(value))
    return `$${firstParam + params.length - 1}`
  }
  const terms = where.map(({ field, operator, value, connector }) => {
    assert.equal(connector, 'AND')
    const column = identifier(field)
    if (value === null) return `${column} IS ${operator === 'ne' ? 'NOT ' : ''}NULL`
    if (operator === 'in') {
      const list = value as unknown[]
      return list.length === 0 ? 'FALSE' : `${column} IN (${list.map(place).join(', ')})`
    }
    const symbol = operators[operator ?? 'eq']
    assert(symbol, `better-auth asks for the operator ${operator}`)
    return `${column} ${symbol} ${place(value)}`
  })
  return { text: terms.length === 0 ? '' : ` WHERE ${terms.join(' AND ')}`, params }
}

function identifier(name: string): string {
  assert.match(name, /^[a-z_]+$/)
  return name
}

function sqlValue(value: unknown): SqlValue {
  if (value === undefined || value === null) return null
  assert(typeof value === 'string' || typeof value === 'number', `better-auth stores a ${typeof value}`)
  return value
}

function only<T>(rows: readonly T[]): T {
  assert.equal(rows.length, 1)
  return rows[0] as T
}
