// Works on a database file in a process of its own, which can be killed: see `child.ts`.
import { once } from 'node:events'
import type { UserNumber } from '@saldo/core'
import Database from 'better-sqlite3'
import type { SqlWriter } from '../../src/store/sql.ts'
import { SqliteDriver } from '../../src/store/sqlite/driver.ts'
import { openStores } from '../../src/store/stores.ts'
import { systemRandom } from '../../src/system.ts'
import type { Orders, Report } from './child.ts'
import { hourOf } from './samples.ts'

const orders = JSON.parse(process.argv[2] ?? '') as Orders
const steps: string[] = []

/** Counts a step, and ends the process there where that is what it is for. */
function step(name: string): void {
  steps.push(name)
  if (steps.length === orders.killAtStep) process.kill(process.pid, 'SIGKILL')
}

/** Counts what the driver does on the way to an opened database, queries aside, which change nothing. */
function watchDriver(): void {
  const { createEmpty } = SqliteDriver
  const { write, keepCopy, close } = SqliteDriver.prototype
  SqliteDriver.createEmpty = (file) => {
    step('before the empty file')
    createEmpty(file)
    step('after the empty file')
  }
  SqliteDriver.prototype.write = async function <T>(this: SqliteDriver, body: (sql: SqlWriter) => Promise<T>) {
    const result = (await write.call(this, (sql) => body(watched(sql)))) as T
    step('after a commit')
    return result
  }
  SqliteDriver.prototype.keepCopy = async function (level) {
    step('before the copy')
    await keepCopy.call(this, level)
    step('after the copy')
  }
  SqliteDriver.prototype.close = async function () {
    step('before closing')
    await close.call(this)
    step('after closing')
  }
}

/** The same transaction, with a step after each statement that may change something. */
function watched(sql: SqlWriter): SqlWriter {
  return new Proxy(sql, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (name === 'all') return value.bind(target)
      return async (...args: unknown[]) => {
        const result: unknown = await value.apply(target, args)
        step('after a statement')
        return result
      }
    },
  })
}

function tell(report: Report): void {
  process.stdout.write(`${JSON.stringify(report)}\n`)
}

async function told(): Promise<void> {
  process.stdin.resume()
  await once(process.stdin, 'end')
}

async function work(): Promise<void> {
  const { file, as = 'service', nowMs = 0, user = 0, count = 0 } = orders
  if (orders.work === 'exec') {
    const database = new Database(file)
    database.exec(orders.statements ?? '')
    tell({ tells: 'ready' })
    await told()
    database.close()
    return
  }
  const stores = await openStores({ file, clock: { now: () => nowMs }, random: systemRandom, as })
  tell({ tells: 'opened', ...stores.migrated, steps })
  if (orders.work !== 'open') await told()
  if (orders.work === 'write') {
    const versions: number[] = []
    for (let index = 0; index < count; index += 1) {
      const [stored] = await stores.records.write(user as UserNumber, (writer) =>
        writer.put([hourOf(index, systemRandom.uuid())]),
      )
      versions.push(stored?.version ?? 0)
    }
    tell({ tells: 'wrote', versions })
  }
  await stores.close()
  tell({ tells: 'closed' })
}

if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
watchDriver()
await work().catch((error) => tell({ tells: 'refused', name: error.name, message: error.message }))
