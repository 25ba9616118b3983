import { strict as assert } from 'node:assert'
import type { BetterAuthOptions, Where } from 'better-auth'
import { type AdapterFactory, createAdapterFactory } from 'better-auth/adapters'
import type { SqlDriver, SqlValue } from '../sql.ts'

/** Conditions of better-auth, whose field names are columns already. */
type Conditions = readonly Required<Where>[]

/**
 * Lets better-auth keep sessions, and read users, by our database driver, so that its tables are in our migrations.
 * Names of tables and columns come from its schema, never from input.
 */
export function authTables(driver: SqlDriver): AdapterFactory<BetterAuthOptions> {
  const select = <T>(model: string, where: Conditions, limit: number) => {
    const { text, params } = whereClause(where)
    return driver.all<T>(`SELECT * FROM ${identifier(model)}${text} LIMIT ${Math.trunc(limit)}`, params)
  }
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
        const [created] = await driver.write((sql) => sql.all<T>(text, Object.values(data).map(sqlValue)))
        assert(created)
        return created
      },
      update: async <T>({ model, where, update }: { model: string; where: Conditions; update: T }) => {
        const values = Object.values(update as object).map(sqlValue)
        const assignments = Object.keys(update as object).map(
          (column, index) => `${identifier(column)} = $${index + 1}`,
        )
        const { text, params } = whereClause(where, values)
        const statement = `UPDATE ${identifier(model)} SET ${assignments.join(', ')}${text} RETURNING *`
        return driver.write(async (sql) => (await sql.all<T>(statement, params))[0] ?? null)
      },
      findOne: async <T>({ model, where }: { model: string; where: Conditions }) =>
        (await select<T>(model, where, 1))[0] ?? null,
      findMany: <T>({ model, where = [], limit }: { model: string; where?: Conditions | undefined; limit: number }) =>
        select<T>(model, where, limit),
      delete: async ({ model, where }) => {
        const { text, params } = whereClause(where)
        await driver.run(`DELETE FROM ${identifier(model)}${text}`, params)
      },
      updateMany: () => assert.fail('sessions change one by one'),
      deleteMany: () => assert.fail('sessions end one by one'),
      count: () => assert.fail('nobody counts sessions'),
    }),
  })
}

/** Returns the condition, and `params` with its values after them. */
function whereClause(where: Conditions, params: readonly SqlValue[] = []): { text: string; params: SqlValue[] } {
  const terms = where.map(({ field, operator, connector }, index) => {
    assert.deepEqual([operator, connector], ['eq', 'AND'])
    return `${identifier(field)} = $${params.length + index + 1}`
  })
  const text = terms.length === 0 ? '' : ` WHERE ${terms.join(' AND ')}`
  return { text, params: [...params, ...where.map(({ value }) => sqlValue(value))] }
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
