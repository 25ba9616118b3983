import { expect, onTestFinished, test } from 'vitest'
import type { SqlDriver } from '../../src/store/sql.ts'
import { openStores } from '../../src/store/stores.ts'
import { type AdmissionFacts, IdentityStore } from '../../src/store/users/identities.ts'
import { systemRandom } from '../../src/system.ts'
import { decideAdmission } from '../../src/users/admission.ts'
import { ManualClock } from '../manual-clock.ts'
import { newPostgres } from './database.ts'

const AT = '2026-11-21T12:00:00.000Z'
const person = { issuer: 'https://at-once.example', subject: 'ada', verifiedEmail: 'ada@example.com', name: 'Ada' }
const policy = { domains: ['example.com'], linking: true }
const decide = (facts: AdmissionFacts) => decideAdmission(facts, { ...person, isAdmin: true }, policy)

test('[D20.4] a first sign-in that another one of the person overtakes lets the person in', async () => {
  const clock = new ManualClock(AT)
  const stores = await openStores({ url: await newPostgres(), clock, random: systemRandom, as: 'service' })
  onTestFinished(() => stores.close())
  const admitBy = (driver: SqlDriver) => new IdentityStore(driver, stores.users).admit(person, decide, AT)

  const overtaking: Promise<unknown>[] = []
  const driver = afterEachRead(stores.driver, async () => {
    if (overtaking.length === 0) overtaking.push(admitBy(stores.driver))
    await overtaking[0]
  })
  const admitted = await admitBy(driver)
  expect(await overtaking[0]).toMatchObject({ outcome: 'admitted', by: 'create' })
  expect(admitted).toMatchObject({ outcome: 'admitted', by: 'enter' })
})

/** Returns a driver that lets something happen after each read of a write. */
function afterEachRead(driver: SqlDriver, happen: () => Promise<void>): SqlDriver {
  const write: SqlDriver['write'] = (body) =>
    driver.write((sql) => {
      const all: typeof sql.all = async (...statement) => {
        const rows = await sql.all(...statement)
        await happen()
        return rows as never
      }
      const run: typeof sql.run = (...statement) => sql.run(...statement)
      return body(Object.assign(Object.create(sql), { all, run }))
    })
  return Object.assign(Object.create(driver), { write })
}
