import assert from 'node:assert/strict'
import { expect, test } from 'vitest'
import { feedRoutes } from '../../src/routes/feeds.ts'
import type { RouteContext } from '../../src/routes/route-context.ts'
import { systemRandom } from '../../src/system.ts'
import { userParts } from '../../src/users/user-parts.ts'
import { openTemporary } from '../store/temporary.ts'

/** Asks for three feeds of a user and one of another, whose answers are taken when the test says so. */
async function start() {
  const stores = await openTemporary()
  const { users, clock } = stores
  const secret = 'signs nothing here'.repeat(2)
  const { feeds } = userParts({ ...stores, random: systemRandom, secret, publicUrl: undefined })
  const at = '2026-02-02T12:00:00.000Z'
  const ada = await users.add({ email: 'ada@example.com', passwordHash: 'none', at })
  const bob = await users.add({ email: 'bob@example.com', passwordHash: 'none', at })
  assert(ada.outcome === 'added' && bob.outcome === 'added')
  const route = feedRoutes({ ...stores, feeds, clock } as unknown as RouteContext).find(
    ({ spec }) => spec.path === '/api/calendar/{file}',
  )
  const content = { absences: true, work: true, group_id: null, language: 'en' } as const
  const made: { id: string; file: string }[] = []
  for (const user of [ada.user, ada.user, ada.user, bob.user]) {
    const { feed, path } = await feeds.create(user, 'Team', content)
    made.push({ id: feed.id, file: path.split('/').at(-1) ?? '' })
  }
  const answered: string[] = []
  const request = (file: string) => ({
    ...{ params: { file }, query: {}, headers: {}, body: undefined, identity: undefined, clientNetwork: '' },
  })
  const ask = async (n: number) => {
    const answer = await route?.handle(request(made[n]?.file ?? ''))
    answered.push(`${n} ${answer?.status}`)
    return answer
  }
  const revoke = (n: number) => feeds.store.revoke(ada.user, made[n]?.id ?? '')
  return { ask, answered, revoke }
}

test('[D15.13] of a feed, two answers wait for their readers, and four of all feeds of a user', async () => {
  const { ask, answered } = await start()
  const ofOne = [await ask(0), await ask(0)]
  const thirdOfOne = ask(0)
  const ofTwo = [await ask(1), await ask(1)]
  const ofThree = ask(2)
  // The same for another user, who asked later: by now, the two that wait would have been answered.
  await ask(3)
  expect(answered).toEqual(['0 200', '0 200', '1 200', '1 200', '3 200'])
  ofOne[0]?.onTaken?.()
  await Promise.race([thirdOfOne, ofThree])
  expect(answered).toHaveLength(6)
  for (const answer of [...ofOne, ...ofTwo]) answer?.onTaken?.()
  await Promise.all([thirdOfOne, ofThree])
  expect(answered.toSorted()).toEqual(['0 200', '0 200', '0 200', '1 200', '1 200', '2 200', '3 200'])
})

test('[D8.37] once a feed is revoked, it shows nothing to those who waited, and their places are free', async () => {
  const { ask, revoke } = await start()
  const ofOne = [await ask(0), await ask(0)]
  const late = [ask(0), ask(0), ask(0)]
  expect(await revoke(0)).toBe(true)
  for (const answer of ofOne) answer?.onTaken?.()
  const ended = await Promise.allSettled(late)
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  for (let n = 0; n < 4; n += 1) expect((await ask(1 + (n % 2)))?.status).toBe(200)
})
