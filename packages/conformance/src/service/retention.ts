import { DAY_MS, HOUR_MS, MINUTE_MS } from '@saldo/core'
import { assertEqual, assertTrue, type Check } from '../check.ts'
import { brought } from './pull.ts'
import { deletion, resources, type ServiceSession, upsert } from './session.ts'

const { content } = resources.entries

const isStale = async (session: ServiceSession, since: number) => {
  const { status, body } = await session.call('GET', `/api/sync/pull?since=${since}`)
  if (status === 410) assertEqual(body?.code, 'sync_stale', 'the code of 410')
  assertTrue(status === 410 || status === 200, `pull with since=${since} answered ${status}`)
  return status === 410
}

/** The marker's version: the lowest from which a pull is answered. */
async function markerOf(session: ServiceSession): Promise<number> {
  if (!(await isStale(session, 0))) {
    await session.create('entries', content)
    await session.advanceClock(31 * DAY_MS)
  }
  assertEqual(await isStale(session, 0), true, 'whether pull is stale from the beginning, after 31 days')
  let [stale, fresh] = [0, (await session.now()).version]
  while (fresh - stale > 1) {
    const middle = Math.floor((stale + fresh) / 2)
    if (await isStale(session, middle)) stale = middle
    else fresh = middle
  }
  return fresh
}

/** The retention of the log (R3.4 to R3.6, R4.1, R4.2). */
export const retentionChecks: readonly Check<ServiceSession>[] = [
  {
    rules: ['R4.1', 'R3.4', 'R4.2'],
    title: 'a pull prunes log rows older than 30 days and no others',
    async run(session) {
      const [old, young] = [session.newId(), session.newId()]
      const { version: before, ms } = await session.now()
      const first = await session.pushOne(upsert('entries', old, new Date(ms - 1_000).toISOString(), content))
      const boundary = first.version ?? 0
      await session.advanceClock(30 * DAY_MS - MINUTE_MS)
      assertTrue(!(await isStale(session, before)), 'a change of less than 30 days ago was pruned')
      assertEqual(
        brought(await session.pull(`?since=${before}`)).map(({ id }) => id),
        [old],
        'a change of almost 30 days ago',
      )
      const second = await session.pushOne(upsert('entries', young, await session.time(-1_000), content))
      await session.advanceClock(2 * MINUTE_MS)
      assertEqual(await isStale(session, boundary - 1), true, 'whether pull is stale behind what was pruned')
      assertEqual(await isStale(session, boundary), false, 'whether pull is stale at the marker')
      const answer = await session.pull(`?since=${boundary}`)
      assertEqual(
        [brought(answer).map(({ id }) => id), answer.version],
        [[young], second.version],
        'a pull from the marker',
      )
    },
  },
  {
    rules: ['R3.5', 'R3.6', 'R4.2'],
    title: 'pull answers 410 sync_stale before the marker, and normally at and after it',
    async run(session) {
      const marker = await markerOf(session)
      for (const since of new Set([0, Math.floor(marker / 2), marker - 1])) {
        assertEqual(
          await isStale(session, since),
          true,
          `whether pull with since=${since} is stale; the marker is at ${marker}`,
        )
      }
      const { version } = await session.now()
      for (const since of [marker, marker + 1, version, version + 1]) {
        assertEqual(
          await isStale(session, since),
          false,
          `whether pull with since=${since} is stale; the marker is at ${marker}`,
        )
      }
      const rows = brought(await session.pull(`?since=${marker}`))
      assertTrue(
        rows.every((row) => row.version > marker),
        'a pull from the marker brings what is not behind it',
      )
    },
  },
  {
    rules: ['D5.10', 'R3.5'],
    title: 'a snapshot is answered after pruning, and pulls continue from its version',
    async run(session) {
      await markerOf(session)
      const { id } = await session.create('entries', content)
      const { version } = await session.pull('?limit=10000')
      assertEqual(await isStale(session, version), false, 'whether a pull from a snapshot’s version is stale')
      const { body } = await session.call('GET', `/api/sync/pull?since=0`)
      assertEqual(body?.title, 'SyncStale', 'the name of the condition')
      assertTrue((await session.read('entries', id)) !== undefined, 'a record is gone')
    },
  },
  {
    rules: ['D4.17', 'D4.15', 'D2.4', 'D2.5'],
    title: 'pruning keeps tombstones and the counter',
    async run(session) {
      const id = session.newId()
      const { ms } = await session.now()
      const at = (offsetMs: number) => new Date(ms - MINUTE_MS + offsetMs).toISOString()
      await session.push([upsert('entries', id, at(0), content), deletion('entries', id, at(5))])
      const { version } = await session.now()
      await session.advanceClock(31 * DAY_MS)
      assertEqual((await session.now()).version, version, 'the counter after everything was pruned')
      const late = await session.pushOne(upsert('entries', id, at(4), content))
      assertEqual([late.status, late.deleted], ['superseded', true], 'an edit from before a deletion of 31 days ago')
      const { version: next } = await session.create('entries', content)
      assertTrue(next > version, `after ${version} comes ${next}`)
    },
  },
  {
    rules: ['D6.14'],
    title: 'a claim repeated after its time has come does not beat a later change',
    async run(session) {
      const [id, device] = [session.newId(), session.newId()]
      const claim = upsert('entries', id, await session.time(2 * HOUR_MS), { ...content, note: 'fast' }, 1)
      assertEqual((await session.pushOne(claim, device)).status, 'applied', 'a claim')
      const between = upsert('entries', id, await session.time(30_000), { ...content, note: 'between' })
      assertEqual((await session.pushOne(between)).status, 'applied', 'an edit of another device')
      await session.advanceClock(3 * HOUR_MS)
      assertEqual((await session.pushOne(claim, device)).status, 'superseded', 'a claim again, whose time has come')
    },
  },
]
