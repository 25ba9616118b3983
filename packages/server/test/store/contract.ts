import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ClosedError } from '../../src/errors.ts'
import type { SqlDriver, SqlValue } from '../../src/store/sql.ts'
import type { RecordStore } from '../../src/store/store.ts'
import type { UserStore } from '../../src/store/users/users.ts'
import type { ManualClock } from '../manual-clock.ts'
import { concurrencyContract } from './contract/concurrency.ts'
import { digestsContract } from './contract/digests.ts'
import { economyContract } from './contract/economy.ts'
import { jobsContract } from './contract/jobs.ts'
import type { Contract, LogRow } from './contract/kit.ts'
import { readingContract } from './contract/reading.ts'
import { retentionContract } from './contract/retention.ts'
import { teamContract } from './contract/team.ts'
import { timeContract } from './contract/time.ts'
import { usersContract } from './contract/users.ts'
import { valuesContract } from './contract/values.ts'
import { webhooksContract } from './contract/webhooks.ts'
import { writesContract } from './contract/writes.ts'

/** A fresh, empty database with the stores over it. */
export interface OpenedStore {
  driver: SqlDriver
  records: RecordStore
  users: UserStore
  /** The clock that the stores read. */
  clock: ManualClock
  close(): Promise<void>
}

/**
 * Tests the contract that every database engine fulfils. `open` returns a new database each time, with random tags and
 * a clock that moves only when a test moves it.
 */
export function describeStoreContract(name: string, open: () => Promise<OpenedStore>): void {
  const part = (title: string, tests: (contract: Contract) => void) =>
    describe(title, () => {
      let opened: OpenedStore
      beforeAll(async () => {
        opened = await open()
      })
      afterAll(() => opened.close())
      tests(contractOver(() => opened))
    })
  describe(name, () => {
    part('writes', writesContract)
    part('values', valuesContract)
    part('concurrency', concurrencyContract)
    part('digests', digestsContract)
    part('economy', economyContract)
    part('reading', readingContract)
    part('reading by time', timeContract)
    part('retention', retentionContract)
    part('jobs', jobsContract)
    part('users', usersContract)
    part('teams', teamContract)
    part('webhooks', webhooksContract)

    test('[D1.23] closing finishes what has begun; later reads and writes fail as unavailable', async () => {
      const { driver, close } = await open()
      const begun = [driver.all('SELECT 1 AS one'), driver.write((sql) => sql.all('SELECT 2 AS two'))]
      await close()
      expect(await Promise.all(begun)).toEqual([[{ one: 1 }], [{ two: 2 }]])
      await expect(driver.all('SELECT 1')).rejects.toThrow(ClosedError)
      await expect(driver.read((sql) => sql.all('SELECT 1'), 1)).rejects.toThrow(ClosedError)
      await expect(driver.write((sql) => sql.all('SELECT 1'), 1)).rejects.toThrow(ClosedError)
    })
  })
}

function contractOver(opened: () => OpenedStore): Contract {
  let users = 0
  const addUser = async () => {
    users += 1
    const at = '2026-11-21T12:00:00.000Z'
    const added = await opened().users.add({ email: `contract-${users}@example.com`, passwordHash: 'none', at })
    if (added.outcome !== 'added') throw new Error(added.outcome)
    return added.user
  }
  const query = <Row>(text: string, params: SqlValue[]) => opened().driver.read((sql) => sql.all<Row>(text, params))
  return {
    get driver() {
      return opened().driver
    },
    get records() {
      return opened().records
    },
    get users() {
      return opened().users
    },
    get clock() {
      return opened().clock
    },
    async user() {
      // The first user is an admin, whom the others cannot do without.
      if (users === 0) await addUser()
      return addUser()
    },
    put: (user, ...states) => opened().records.write(user, (writer) => writer.put(states)),
    read: (user, body) => opened().records.read(user, body),
    log: (user) =>
      query<LogRow>(
        'SELECT version, kind, record_id, logged_at, tag FROM sync_log WHERE user_id = $1 ORDER BY version',
        [user],
      ),
    async rowsOf(table, user) {
      const column = table === 'users' ? 'id' : 'user_id'
      const rows = await query<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table} WHERE ${column} = $1`, [user])
      return rows[0]?.n ?? 0
    },
  }
}
