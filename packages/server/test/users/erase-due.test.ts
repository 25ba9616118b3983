import type { UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import { systemRandom } from '../../src/system.ts'
import { UserAccounts } from '../../src/users/user-accounts.ts'
import { ManualClock } from '../manual-clock.ts'
import { hourOf } from '../store/samples.ts'
import { openTemporary } from '../store/temporary.ts'

const AT = '2026-11-23T12:00:00.000Z'
const sealing = { secret: 'no key is sealed here'.repeat(2), publicUrl: undefined }

test('[D19.21] rows of an account that cannot be removed keep back no other, and are tried again', async () => {
  const { users, records, driver } = await openTemporary()
  const clock = new ManualClock(AT)
  const accounts = new UserAccounts({ users, driver, clock, random: systemRandom, ...sealing })
  const due: UserNumber[] = []
  for (const name of ['admin', 'first', 'second', 'third']) {
    const added = await users.add({ email: `${name}@example.com`, passwordHash: 'none', at: AT })
    if (added.outcome !== 'added') throw new Error(added.outcome)
    await records.write(added.user, (writer) => writer.put([hourOf(1)]))
    if (name !== 'admin') due.push(added.user)
  }
  for (const user of due) await accounts.store.change(user, { active: false, eraseAt: AT }, AT)
  const [broken] = await accounts.store.due(AT)
  await driver.write((sql) =>
    sql.script(`CREATE TRIGGER broken BEFORE DELETE ON records WHEN OLD.user_id = ${broken}
      BEGIN SELECT RAISE(ABORT, 'this row cannot be deleted'); END`),
  )
  const failed: UserNumber[] = []
  const onFailure = (user: UserNumber) => failed.push(user)
  const left = async () => (await driver.all('SELECT DISTINCT user_id FROM records')).length
  expect(await accounts.eraseDue(onFailure)).toBe(3)
  expect(await accounts.store.due(AT)).toEqual([])
  // Those of the admin, and of the one whose rows cannot be deleted.
  expect([failed, await left()]).toEqual([[], 2])
  expect(await accounts.eraseDue(onFailure)).toBe(0)
  expect([failed, await left()]).toEqual([[broken], 2])
  await driver.write((sql) => sql.script('DROP TRIGGER broken'))
  await accounts.eraseDue(onFailure)
  expect([failed, await left()]).toEqual([[broken], 1])
})
