import {
  DigestSum,
  type Digests,
  type JsonObject,
  MINUTE_MS,
  type PullResponse,
  type RecordKind,
  recordKinds,
} from '@saldo/core'
import { assertEqual, assertFields, assertTrue, type Check, RuleViolation } from '../check.ts'
import { deletion, resources, type ServiceSession, upsert } from './session.ts'

const { path, content } = resources.entries
const NOTIFICATION_TIMEOUT_MS = 10_000

interface Brought {
  id: string
  version: number
}

/** All that an answer brings, live and dead, in version order. */
export function brought({ changes, deleted }: PullResponse): Brought[] {
  const rows = [changes, deleted].flatMap((lists) => recordKinds.flatMap((kind) => (lists[kind] ?? []) as Brought[]))
  return rows.toSorted((a, b) => a.version - b.version)
}

/** The digests of what a snapshot brings, as it came. */
async function digestsOf(session: ServiceSession): Promise<Digests> {
  const sum = new DigestSum()
  for (let cursor = ''; ; ) {
    const page = await session.get(`/api/sync/pull${cursor && `?cursor=${encodeURIComponent(cursor)}`}`)
    for (const [kind, records] of Object.entries<JsonObject[]>(page.changes)) {
      for (const record of records) sum.add(kind as RecordKind, record)
    }
    if (!page.cursor) return sum.digests()
    cursor = page.cursor
  }
}

/** Throws `RuleViolation` unless the service's digests are those of its live records (D10). */
export async function assertRightDigests(session: ServiceSession): Promise<void> {
  const { version, tag } = await session.now()
  assertEqual(await session.get('/api/sync/digest'), { version, tag, kinds: await digestsOf(session) }, 'the digest')
}

/** Checks of pull, versions and change notifications (R3.3, R3.6, D4, D5). */
export const pullChecks: readonly Check<ServiceSession>[] = [
  {
    rules: ['R3.3', 'D5.1', 'D5.2', 'D4.4'],
    title: 'pull delivers the records changed after since, each once, in its latest state',
    async run(session) {
      const start = await session.now()
      const [kept, gone, untouched] = [session.newId(), session.newId(), session.newId()]
      const at = (offsetMs: number) => new Date(start.ms - MINUTE_MS + offsetMs).toISOString()
      await session.push([upsert('entries', untouched, at(0), content)])
      const { version: since } = await session.now()
      await session.push([
        upsert('entries', kept, at(0), content),
        upsert('entries', gone, at(0), content),
        upsert('entries', kept, at(1), { ...content, note: 'latest' }),
        deletion('entries', gone, at(1)),
      ])
      const answer = await session.pull(`?since=${since}`)
      assertEqual(
        brought(answer).map(({ id }) => id),
        [kept, gone],
        'what pull brings',
      )
      assertFields(answer.changes.entries?.[0], { id: kept, note: 'latest', updated_at: at(1) }, 'the record, pulled')
      assertFields(answer.deleted.entries?.[0], { id: gone, updated_at: at(1) }, 'the tombstone, pulled')
      assertEqual(answer.has_more, false, 'has_more')
      const none = await session.pull(`?since=${answer.version}`)
      assertEqual(
        [brought(none), none.version, none.has_more],
        [[], answer.version, false],
        'a pull from the last version',
      )
    },
  },
  {
    rules: ['R3.6', 'D5.13'],
    title: 'a since ahead of the counter gets a normal answer with the current version',
    async run(session) {
      const { version } = await session.now()
      for (const since of [version, version + 1, version + 1_000_000, Number.MAX_SAFE_INTEGER]) {
        const answer = await session.pull(`?since=${since}`)
        assertEqual(
          [answer.version, brought(answer), answer.has_more],
          [version, [], false],
          `pull with since=${since}`,
        )
      }
    },
  },
  {
    rules: ['D5.12'],
    title: 'a since that is not a whole number from 0 to 2^53 − 1 is invalid_since',
    async run(session) {
      const noNumbers = ['', 'x', 'null', 'NaN', '1,2', '[]', '%00', '%ff', '__proto__', '１']
      const noWholeNumbers = ['-1', '-0', '1.5', '1.0', '1e3', '0x10', '+1', '%201', '1%20']
      for (const since of [...noNumbers, ...noWholeNumbers, '9007199254740992', '9'.repeat(400)]) {
        const { status, body } = await session.call('GET', `/api/sync/pull?since=${since}`)
        assertEqual([status, body?.code], [400, 'invalid_since'], `since=${since}`)
      }
    },
  },
  {
    rules: ['D10.1', 'D10.3', 'D10.4'],
    title: 'the digest is that of the snapshot, without replaced and deleted records',
    async run(session) {
      const [kept, gone] = [session.newId(), session.newId()]
      const { ms } = await session.now()
      const at = (offsetMs: number) => new Date(ms - MINUTE_MS + offsetMs).toISOString()
      const strange = { ...content, 'x-strange': { b: [1.5, null, 'ü"\\'], a: {} } }
      for (const changes of [
        [upsert('entries', kept, at(0), content), upsert('entries', gone, at(0), content)],
        [upsert('entries', kept, at(1), strange), deletion('entries', gone, at(1))],
      ]) {
        await session.push(changes)
        await assertRightDigests(session)
      }
    },
  },
  {
    rules: ['D4.3', 'D1.17'],
    title: 'each applied change takes the next version, which its record carries',
    async run(session) {
      const { version, ms } = await session.now()
      const at = new Date(ms - MINUTE_MS).toISOString()
      const results = await session.push(
        Array.from({ length: 5 }, () => upsert('entries', session.newId(), at, content)),
      )
      let last = version
      for (const { id, version = -1 } of results) {
        assertTrue(version > last, `a change took version ${version} after ${last}`)
        last = version
        assertEqual((await session.read('entries', String(id))).version, version, 'the version that a record carries')
      }
      const loser = await session.pushOne(upsert('entries', String(results[0]?.id), at, { ...content, note: 'x' }))
      assertEqual(loser.status, 'superseded', 'a change of the same time')
      assertEqual((await session.now()).version, last, 'the counter')
    },
  },
  {
    rules: ['D4.2'],
    title: 'a reader that polls while others write gets every record',
    async run(session) {
      const start = await session.now()
      const at = new Date(start.ms - MINUTE_MS).toISOString()
      const seen = new Set<string>()
      let since = start.version
      let writing = true
      const poll = async () => {
        const answer = await session.pull(`?since=${since}`)
        for (const { id } of brought(answer)) seen.add(id)
        since = answer.version
      }
      const written: string[] = []
      const writer = async () => {
        for (let count = 0; count < 6; count += 1) {
          const ids = [session.newId(), session.newId()]
          await session.push(ids.map((id) => upsert('entries', id, at, content)))
          written.push(...ids)
        }
      }
      const writers = Promise.all(Array.from({ length: 6 }, writer)).finally(() => {
        writing = false
      })
      const reader = (async () => {
        while (writing) await poll()
      })()
      await Promise.all([writers, reader])
      await poll()
      const missed = written.filter((id) => !seen.has(id))
      assertTrue(missed.length === 0, `of ${written.length} records written meanwhile, pull missed ${missed.length}`)
    },
  },
  {
    rules: ['D5.3', 'D5.4'],
    title: 'pages have at most limit records, in version order, and are complete together',
    async run(session) {
      const { version, ms } = await session.now()
      const at = new Date(ms - MINUTE_MS).toISOString()
      const ids = Array.from({ length: 7 }, () => session.newId())
      await session.push(
        ids.map((id, index) => (index === 3 ? deletion('entries', id, at) : upsert('entries', id, at, content))),
      )
      const found: Brought[] = []
      let since = version
      for (let hasMore = true; hasMore; ) {
        const answer = await session.pull(`?since=${since}&limit=2`)
        const rows = brought(answer)
        assertTrue(rows.length <= 2, `a page of 2 brought ${rows.length}`)
        assertTrue(rows.length > 0 || !answer.has_more, 'an empty page says that there is more')
        const last = rows.at(-1)
        if (answer.has_more) assertEqual(answer.version, last?.version, 'the version of a page that is not the last')
        found.push(...rows)
        assertTrue(found.length <= ids.length, 'the pages do not end')
        since = answer.version
        hasMore = answer.has_more
      }
      assertEqual(
        found.map(({ id }) => id),
        ids,
        'what all pages brought',
      )
      for (const limit of ['0', '10001', 'x', '-1', '1.5', '']) {
        for (const query of [`since=0&limit=${limit}`, `limit=${limit}`]) {
          const { status, body } = await session.call('GET', `/api/sync/pull?${query}`)
          assertEqual([status, body?.errors?.[0]?.pointer], [400, '/limit'], `pull with ${query}`)
        }
      }
    },
  },
  {
    rules: ['D5.25'],
    title: 'has_more is false on a last page that is full',
    async run(session) {
      const at = await session.time(-60_000)
      const { version } = await session.now()
      const ids = Array.from({ length: 6 }, () => session.newId())
      await session.push(ids.map((id) => upsert('entries', id, at, content)))
      for (const limit of [1, 2, 3, 6]) {
        let since = version
        for (let left = ids.length - limit; left >= 0; left -= limit) {
          const answer = await session.pull(`?since=${since}&limit=${limit}`)
          const expected = [limit, left > 0]
          assertEqual([brought(answer).length, answer.has_more], expected, `records and has_more with limit ${limit}`)
          since = answer.version
        }
      }
      const live = brought(await session.pull('?limit=10000'))
      if (live.length === 0 || live.length > 9_999) return
      const full = await session.pull(`?limit=${live.length}`)
      assertEqual([brought(full).length, full.has_more], [live.length, false], 'a snapshot that fills its page')
    },
  },
  {
    rules: ['D5.7', 'D5.8', 'D5.9'],
    title: 'pull without since is a snapshot of one version; the next pull delivers later changes',
    async run(session) {
      const at = await session.time(-60_000)
      const ids = Array.from({ length: 5 }, () => session.newId())
      const gone = session.newId()
      await session.push(ids.map((id) => upsert('entries', id, at, content)))
      await session.push([deletion('entries', gone, at)])
      const { version, tag } = await session.now()
      const found: string[] = []
      const meanwhile = session.newId()
      let query = '?limit=2'
      for (let page = 0; query !== ''; page += 1) {
        const answer = await session.pull(query)
        assertEqual([answer.version, answer.tag], [version, tag], `version and tag of page ${page} of a snapshot`)
        assertEqual(answer.deleted, {}, 'what a snapshot says is deleted')
        const rows = brought(answer)
        assertTrue(rows.length <= 2, `a page of 2 of a snapshot brought ${rows.length}`)
        found.push(...rows.map(({ id }) => id))
        if (page === 0) await session.push([upsert('entries', meanwhile, at, content)])
        assertTrue(page < 10_000, 'the snapshot does not end')
        assertEqual(
          answer.has_more,
          typeof answer.cursor === 'string',
          'whether a snapshot’s page has both has_more and cursor',
        )
        query = answer.has_more ? `?limit=2&cursor=${encodeURIComponent(String(answer.cursor))}` : ''
      }
      assertEqual(
        ids.filter((id) => !found.includes(id)),
        [],
        'what the snapshot lacks',
      )
      assertEqual(
        found.filter((id, index) => found.indexOf(id) !== index),
        [],
        'what the snapshot has twice',
      )
      assertTrue(!found.includes(gone), 'the snapshot has a deleted record')
      const behind = brought(await session.pull(`?since=${version}`)).map(({ id }) => id)
      assertTrue(behind.includes(meanwhile), 'what was written during the snapshot does not come behind it')
    },
  },
  {
    rules: ['D5.11'],
    title: 'an unknown cursor is invalid_cursor',
    async run(session) {
      for (const cursor of ['x', 'WzFd', '%00']) {
        const { status, body } = await session.call('GET', `/api/sync/pull?cursor=${cursor}`)
        assertEqual([status, body?.code], [400, 'invalid_cursor'], `cursor=${cursor}`)
      }
    },
  },
  {
    rules: ['D5.5', 'D4.5'],
    title: 'since_tag is the history tag of since, null if the log has no such row',
    async run(session) {
      const tags: [number, string | null][] = []
      for (let count = 0; count < 3; count += 1) {
        await session.create('entries', content)
        const { version, tag } = await session.now()
        assertTrue(typeof tag === 'string' && tag !== '', `the tag of version ${version} is ${tag}`)
        tags.push([version, tag])
      }
      assertTrue(new Set(tags.map(([, tag]) => tag)).size === tags.length, 'two versions have the same tag')
      for (const [version, tag] of tags) {
        assertEqual((await session.pull(`?since=${version}`)).since_tag, tag, `since_tag of ${version}`)
      }
      const { version } = await session.now()
      assertEqual(
        (await session.pull(`?since=${version + 5}`)).since_tag,
        null,
        'since_tag of a version that is not there yet',
      )
    },
  },
  {
    rules: ['D5.15', 'D5.16', 'D5.17'],
    title: 'change notifications name the version, at once and after a change',
    async run(session) {
      const { version } = await session.now()
      const { body } = await fetch(`${session.url}/api/sync/events`, {
        headers: session.authorization(),
        signal: AbortSignal.timeout(NOTIFICATION_TIMEOUT_MS),
      })
      if (!body) throw new RuleViolation('the events have no body')
      const reader = body.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      const notified = async (least: number) => {
        const hasNotified = () =>
          // The text behind the last blank line is incomplete.
          text
            .split('\n\n')
            .slice(0, -1)
            .map((event) => event.split('\n'))
            .filter((lines) => lines.includes('event: version'))
            .flatMap((lines) => lines.filter((line) => line.startsWith('data: ')))
            .some((line) => JSON.parse(line.slice('data: '.length)).version >= least)
        while (!hasNotified()) {
          const { value, done } = await reader.read()
          assertTrue(!done, `the events ended without a notification of version ${least}: ${text}`)
          text += value
        }
      }
      try {
        await notified(version)
        const { version: next } = await session.create('entries', content)
        await notified(next)
      } finally {
        await reader.cancel()
      }
    },
  },
  {
    rules: ['D1.26'],
    title: 'responses above 1 KiB are compressed if the client accepts it',
    async run(session) {
      const { version } = await session.now()
      for (let count = 0; count < 5; count += 1) await session.create('entries', { ...content, note: 'x'.repeat(500) })
      const headers = { 'accept-encoding': 'gzip' }
      const answer = await session.call('GET', `/api/sync/pull?since=${version}`, { headers })
      assertEqual(answer.headers.get('content-encoding'), 'gzip', 'Content-Encoding of a pull above 1 KiB')
      const plain = await session.call('GET', `/api/sync/pull?since=${version}`, {
        headers: { 'accept-encoding': 'identity' },
      })
      assertEqual(plain.headers.get('content-encoding'), null, 'Content-Encoding for who accepts none')
      assertEqual(plain.body.changes, answer.body.changes, 'the same pull, compressed and not')
    },
  },
  {
    rules: ['R1.5', 'D5.14'],
    title: 'pull and push contain the time of the service',
    async run(session) {
      const before = await session.now()
      const { body } = await session.call('POST', '/api/sync/push', { json: { changes: [] } })
      assertTrue(Date.parse(body?.server_time) >= before.ms, `server_time of push is ${body?.server_time}`)
      assertEqual(body?.results, [], 'the results of an empty push')
      assertEqual(body?.version, before.version, 'the version of an empty push')
      assertEqual((await session.call('POST', path, { json: {} })).status, 422, 'an empty record')
    },
  },
]
