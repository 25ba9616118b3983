import { HOUR_MS, type JsonObject } from '@saldo/core'
import { assertEqual, assertFields, assertTrue, type Check } from '../check.ts'
import { readFixture } from '../fixtures.ts'
import { deletion, kinds, resources, type ServiceSession, upsert } from './session.ts'

/** By how much a clock that runs meanwhile may differ from one that stands. */
const SLACK_MS = 20_000
const TOLERANCE_MS = 60_000
const { path, content } = resources.entries

/**
 * The cases that suit a service with its own clock: without earlier claims, and with no time within a second of the
 * limit of a claim.
 */
const mergeCases = readFixture('merge').cases.filter(({ stored, change, server_time }) => {
  const aheadMs = (time: string) => Date.parse(time) - Date.parse(server_time)
  const isNearBorder = Math.abs(aheadMs(change.updated_at) - TOLERANCE_MS) < SLACK_MS
  return (
    Object.keys(stored?.claims ?? {}).length === 0 && !isNearBorder && aheadMs(stored?.updated_at ?? '1') < TOLERANCE_MS
  )
})

const changeOf = (id: string, at: string, said: JsonObject | null, seq?: number) =>
  said === null ? deletion('entries', id, at, seq) : upsert('entries', id, at, { ...content, ...said }, seq)

/** Push (R3.7 to R3.10, D6). */
export const pushChecks: readonly Check<ServiceSession>[] = [
  {
    rules: ['R3.7', 'R1.2', 'D6.1'],
    title: 'push accepts changes of each writable kind; records of different kinds can have the same id',
    async run(session) {
      const at = await session.time(-HOUR_MS)
      const id = session.newId()
      const changes = kinds.map((kind) => upsert(kind, id, at, resources[kind].content))
      for (const [index, result] of (await session.push(changes)).entries()) {
        const kind = kinds[index] as (typeof kinds)[number]
        assertFields(result, { kind, status: 'applied', updated_at: at }, `a pushed change of ${kind}`)
        assertFields(
          await session.read(kind, String(result.id)),
          { ...resources[kind].content, updated_at: at, version: result.version },
          `what was pushed of ${kind}`,
        )
      }
    },
  },
  {
    rules: ['R3.8'],
    title: 'the record with the later updated_at wins for each kind, in any order of arrival',
    async run(session) {
      const { ms } = await session.now()
      const at = (offsetMs: number) => new Date(ms - HOUR_MS + offsetMs).toISOString()
      for (const kind of kinds) {
        const id = session.newId()
        const [first, other] = [resources[kind].content, resources[kind].other]
        await session.push([upsert(kind, id, at(0), first)])
        const early = await session.pushOne(upsert(kind, id, at(-1), other))
        assertFields(early, { status: 'superseded', updated_at: at(0) }, 'an earlier change')
        assertFields(early.record, { ...first, id, updated_at: at(0) }, 'what an earlier change is answered with')
        assertFields(
          await session.read(kind, id),
          { ...first, updated_at: at(0) },
          'the stored record after an earlier change',
        )
        assertFields(
          await session.pushOne(upsert(kind, id, at(1), other)),
          { status: 'applied', updated_at: at(1) },
          'a later change',
        )
        assertFields(
          await session.read(kind, id),
          { ...other, updated_at: at(1) },
          'the stored record after a later change',
        )
      }
    },
  },
  {
    rules: ['R3.8', 'D6.10', 'D6.12', 'D6.13'],
    title: 'the conflict rule (fixtures/merge.json)',
    async run(session) {
      for (const { name, stored, change, server_time, outcome, after } of mergeCases) {
        const { ms } = await session.now()
        const moved = (time: string) => new Date(Date.parse(time) - Date.parse(server_time) + ms).toISOString()
        const id = session.newId()
        const device = session.newId()
        if (stored) await session.push([changeOf(id, moved(stored.updated_at), stored.content)])
        const said = changeOf(id, moved(change.updated_at), change.content, change.seq)
        const result = await session.pushOne(said, change.device && device)
        assertEqual(result.status, outcome, name)
        if (!after) continue
        const isClaim = Date.parse(change.updated_at) - Date.parse(server_time) > TOLERANCE_MS
        if (!isClaim) assertEqual(result.updated_at, moved(after.updated_at), name)
        const record = await session.read('entries', id)
        if (after.content === null) assertEqual(record, undefined, name)
        else assertFields(record, after.content, name)
      }
    },
  },
  {
    rules: ['R3.9', 'R1.3', 'D6.6'],
    title: 'changes to closed days and weeks are skipped and have no effect',
    async run(session) {
      const { version } = await session.now()
      const at = await session.time()
      const changes = ['closed_days', 'closed_weeks'].flatMap((kind) => [
        upsert(kind, session.newId(), at, { delta_ms: 1, date: '2026-01-05', week: '2026-W02' }),
        deletion(kind, session.newId(), at),
      ])
      for (const { status } of await session.push(changes)) assertEqual(status, 'skipped', 'a change to what is closed')
      assertEqual((await session.now()).version, version, 'the version after it')
    },
  },
  {
    rules: ['R3.10', 'R2.5'],
    title: 'pushed settings are created or replaced by id',
    async run(session) {
      const { content, other } = resources.settings_history
      const id = session.newId()
      const { ms } = await session.now()
      for (const [index, said] of [content, other, content].entries()) {
        const at = new Date(ms - HOUR_MS + index).toISOString()
        assertFields(
          await session.pushOne(upsert('settings_history', id, at, said)),
          { id, status: 'applied' },
          'pushed settings',
        )
        const record = await session.read('settings_history', id)
        assertFields(record, { ...said, id, updated_at: at }, 'pushed settings')
        if (said === content) assertEqual(record.note, '', 'what the settings that were replaced had')
      }
    },
  },
  {
    rules: ['D6.4'],
    title: 'a repeated change is unchanged and has no effect, over push and REST',
    async run(session) {
      const [id, device] = [session.newId(), session.newId()]
      const at = await session.time(-HOUR_MS)
      const change = upsert('entries', id, at, content, 1)
      const { version } = await session.pushOne(change, device)
      const standing = { kind: 'entries', id, status: 'unchanged', version, updated_at: at }
      assertFields(await session.pushOne(change, device), standing, 'the same change again')
      const put = await session.call('PUT', `${path}/${id}?updated_at=${at}&device=${device}&seq=1`, { json: content })
      assertFields(put.body, { id, version, updated_at: at }, 'the same change again, over REST')
      const other = await session.pushOne(upsert('entries', id, at, { ...content, note: 'not the same' }, 2), device)
      assertFields(other, { status: 'superseded', version }, 'another change of the same time')
      const gone = deletion('entries', id, await session.time(-HOUR_MS + 1))
      assertEqual(
        (await session.push([gone, gone])).map(({ status }) => status),
        ['applied', 'unchanged'],
        'a deletion, and again',
      )
    },
  },
  {
    rules: ['D6.4'],
    title: 'a repeated push has no effect, in any order and portions',
    async run(session) {
      const device = session.newId()
      const { ms } = await session.now()
      const at = (offsetMs: number) => new Date(ms + offsetMs).toISOString()
      const changes = kinds.flatMap((kind, index) => {
        const { content, other } = resources[kind]
        const id = session.newId()
        return [
          upsert(kind, id, at(-HOUR_MS), content, 3 * index),
          upsert(kind, id, at(HOUR_MS), other, 3 * index + 1),
          ...(index === 0 ? [deletion(kind, id, at(2 * HOUR_MS), 2)] : []),
        ]
      })
      for (const { status } of await session.push(changes, device)) assertEqual(status, 'applied', 'the first push')
      const { version } = await session.now()
      for (const portion of [changes, changes.toReversed(), changes.slice(2, 4), changes.slice(0, 1)]) {
        for (const { status } of await session.push(portion, device)) {
          assertTrue(status === 'unchanged' || status === 'superseded', `a change that was pushed before is ${status}`)
        }
      }
      assertEqual((await session.now()).version, version, 'the version after repeated pushes')
    },
  },
  {
    rules: ['D6.1'],
    title: 'a push without a list of changes or with an invalid device is rejected as a whole',
    async run(session) {
      const { version } = await session.now()
      const change = upsert('entries', session.newId(), await session.time(-HOUR_MS), content)
      for (const [json, pointer] of [
        [{}, '/changes'],
        [{ changes: null }, '/changes'],
        [{ changes: { 0: change, length: 1 } }, '/changes'],
        [{ changes: [change], device: 'laptop' }, '/device'],
        [{ changes: [change], device: null }, '/device'],
        [[change], '/changes'],
        ['changes', ''],
        [null, ''],
      ] as const) {
        const { status, body } = await session.call('POST', '/api/sync/push', { json })
        assertEqual([status, body.errors?.[0]?.pointer], [400, pointer], `a push of ${JSON.stringify(json)}`)
      }
      assertEqual((await session.now()).version, version, 'the version after pushes that were refused')
    },
  },
  {
    rules: ['D6.3', 'D6.7', 'D6.8', 'D6.9'],
    title: 'each change has a result, in order, and an invalid change does not affect the others',
    async run(session) {
      const { ms } = await session.now()
      const at = (offsetMs: number) => new Date(ms - HOUR_MS + offsetMs).toISOString()
      const [one, two] = [session.newId(), session.newId()]
      const results = await session.push([
        upsert('entries', one, at(0), content),
        null,
        { kind: 'holidays', op: 'upsert', record: { id: two, updated_at: at(0) } },
        upsert('entries', one, at(2), { ...content, note: 'later' }),
        upsert('entries', two, at(0), { ...content, note: '\ud800' }),
        upsert('closed_days', two, at(0), {}),
        upsert('entries', one, at(1), { ...content, note: 'between' }),
        upsert('entries', two, at(0), content),
      ])
      const statuses = ['applied', 'rejected', 'rejected', 'applied', 'rejected', 'skipped', 'superseded', 'applied']
      assertEqual(
        results.map(({ status }) => status),
        statuses,
        'what became of the changes',
      )
      assertEqual([results[0]?.id, results[7]?.id], [one, two], 'which changes the results are of')
      assertEqual(
        results[4]?.problem?.errors?.map(({ pointer }) => pointer),
        ['/record/note'],
        'the pointers into the bad change',
      )
      assertFields(
        await session.read('entries', one),
        { note: 'later' },
        'a record that was changed three times in one push',
      )
    },
  },
  {
    rules: ['D6.5', 'D6.12'],
    title: 'a superseded change is answered with the stored record, or that it is deleted',
    async run(session) {
      const { ms } = await session.now()
      const at = (offsetMs: number) => new Date(ms - HOUR_MS + offsetMs).toISOString()
      const id = session.newId()
      await session.push([upsert('entries', id, at(5), content)])
      const record = await session.read('entries', id)
      const standing = { kind: 'entries', id, status: 'superseded', version: record.version, updated_at: at(5) }
      for (const loser of [upsert('entries', id, at(4), { ...content, note: 'x' }), deletion('entries', id, at(5))]) {
        assertEqual(await session.pushOne(loser), { ...standing, record }, 'the answer to a change that lost')
      }
      const { version } = await session.pushOne(deletion('entries', id, at(6)))
      assertEqual(
        await session.pushOne(upsert('entries', id, at(6), content)),
        { ...standing, version, updated_at: at(6), deleted: true },
        'the answer to a change that lost to a deletion',
      )
    },
  },
  {
    rules: ['D6.13'],
    title: 'an updated_at more than 60 s ahead is a claim: it wins and is stored with the time of the service',
    async run(session) {
      const [id, device] = [session.newId(), session.newId()]
      await session.push([upsert('entries', id, await session.time(-1_000), content)], device)
      const before = await session.now()
      const claim = upsert(
        'entries',
        id,
        new Date(before.ms + 10 * HOUR_MS).toISOString(),
        { ...content, note: 'fast' },
        7,
      )
      const claimed = await session.pushOne(claim, device)
      const after = await session.now()
      assertEqual(claimed.status, 'applied', 'a claim')
      const storedMs = Date.parse(claimed.updated_at ?? '')
      assertTrue(storedMs >= before.ms && storedMs <= after.ms + 1, `a claim is stored as ${claimed.updated_at}`)
      assertFields(
        await session.read('entries', id),
        { note: 'fast', updated_at: claimed.updated_at },
        'a claim, as it is stored',
      )
      assertFields(
        await session.pushOne(claim, device),
        { status: 'unchanged', version: claimed.version },
        'a claim again',
      )
    },
  },
  {
    rules: ['D6.14'],
    title:
      'a repeated claim and older changes of its device do not beat a later change; the next one of the device does',
    async run(session) {
      const [id, device] = [session.newId(), session.newId()]
      const fast = await session.time(10 * HOUR_MS)
      const claim = upsert('entries', id, fast, { ...content, note: 'fast' }, 7)
      await session.push([claim], device)
      const between = await session.call('PUT', `${path}/${id}`, { json: { ...content, note: 'between' } })
      assertEqual(between.status, 200, 'an edit over REST after a claim')
      const again = await session.pushOne(claim, device)
      assertFields(again, { status: 'superseded', version: between.body.version }, 'a claim again, after another edit')
      const older = await session.pushOne(upsert('entries', id, fast, { ...content, note: 'older' }, 6), device)
      assertEqual(older.status, 'superseded', 'an older edit of the device')
      assertFields(await session.read('entries', id), { note: 'between' }, 'the stored record')
      const next = upsert('entries', id, await session.time(5_000), { ...content, note: 'next' }, 8)
      assertEqual((await session.pushOne(next, device)).status, 'applied', 'the next edit of the device')
      const others = upsert('entries', id, fast, { ...content, note: 'others' }, 7)
      assertEqual((await session.pushOne(others, session.newId())).status, 'applied', 'the same seq of another device')
    },
  },
  {
    rules: ['D6.14'],
    title: 'claims are remembered through a deletion, and so is a claimed deletion',
    async run(session) {
      const [id, device] = [session.newId(), session.newId()]
      const [soon, later] = [await session.time(HOUR_MS), await session.time(2 * HOUR_MS)]
      assertEqual((await session.pushOne(upsert('entries', id, soon, content, 3), device)).status, 'applied', 'a claim')
      assertEqual((await session.call('DELETE', `${path}/${id}`)).status, 204, 'a deletion over REST')
      const raised = await session.pushOne(upsert('entries', id, later, content, 3), device)
      assertFields(raised, { status: 'superseded', deleted: true }, 'a claim with the same seq after a deletion')
      const revival = upsert('entries', id, later, content, 4)
      assertEqual((await session.pushOne(revival, device)).status, 'applied', 'the next claim of the device')
      const gone = deletion('entries', id, later, 5)
      assertEqual((await session.pushOne(gone, device)).status, 'applied', 'a claimed deletion')
      assertEqual((await session.pushOne(gone, device)).status, 'unchanged', 'a claimed deletion again')
      const back = await session.call('PUT', `${path}/${id}?updated_at=${await session.time(5_000)}`, { json: content })
      assertEqual(back.status, 200, 'a later edit of another device')
      assertEqual((await session.pushOne(gone, device)).status, 'superseded', 'a claimed deletion after a later edit')
    },
  },
  {
    rules: ['D6.16', 'D6.17'],
    title: 'a direct write competes by its updated_at and is answered with the stored record',
    async run(session) {
      const { ms } = await session.now()
      const device = session.newId()
      let seq = 0
      const stamped = (offsetMs: number) => {
        seq += 1
        return `?updated_at=${new Date(ms - HOUR_MS + offsetMs).toISOString()}&device=${device}&seq=${seq}`
      }
      for (const kind of kinds) {
        const { path, content, other } = resources[kind]
        const one = `${path}/${session.newId()}`
        const put = await session.call('PUT', one + stamped(0), { json: content })
        assertEqual(put.status, 200, `PUT of an unknown id, as a device does it, to ${path}`)
        const losing = await session.call('PUT', one + stamped(-1), { json: other })
        assertEqual([losing.status, losing.body], [200, put.body], 'a losing PUT')
        const losingDelete = await session.call('DELETE', one + stamped(-1))
        assertEqual([losingDelete.status, losingDelete.body], [200, put.body], 'a losing DELETE')
        const deleteQuery = stamped(5)
        const gone = await session.call('DELETE', one + deleteQuery)
        assertEqual(gone.status, 204, 'a winning DELETE')
        const again = await session.call('DELETE', one + deleteQuery)
        assertEqual(again.status, 204, 'the same DELETE again')
        const dead = await session.call('PUT', one + stamped(4), { json: other })
        assertEqual(dead.status, 404, 'a PUT that loses to a deletion')
        for (const { headers } of [gone, again, dead]) {
          assertEqual(headers.get('saldo-updated-at'), new Date(ms - HOUR_MS + 5).toISOString(), 'Saldo-Updated-At')
          assertEqual(headers.get('saldo-version'), gone.headers.get('saldo-version'), 'Saldo-Version of a tombstone')
        }
        const revived = await session.call('PUT', one + stamped(6), { json: other })
        assertFields(revived.body, { ...other, created_at: put.body.created_at }, 'a PUT that revives a deleted record')
      }
    },
  },
  {
    rules: ['D6.16'],
    title: 'a direct POST creates or replaces with the time of the device, and a repeat has no effect',
    async run(session) {
      const { ms } = await session.now()
      const at = (offsetMs: number) => new Date(ms - HOUR_MS + offsetMs).toISOString()
      const device = session.newId()
      for (const kind of kinds) {
        const { path, content, other } = resources[kind]
        const id = session.newId()
        const query = `?updated_at=${at(0)}&device=${device}&seq=1`
        const posted = await session.call('POST', path + query, { json: { ...content, id } })
        assertEqual([posted.status, posted.body.updated_at], [201, at(0)], `POST ${path} of a device`)
        for (const json of [content, other]) {
          const again = await session.call('POST', path + query, { json: { ...json, id } })
          assertEqual([again.status, again.body], [200, posted.body], `POST ${path} of a device, with the same time`)
        }
        const later = await session.call('POST', `${path}?updated_at=${at(1)}`, { json: { ...other, id } })
        assertEqual(later.status, 200, `a later POST ${path} of a device`)
        assertFields(later.body, { ...other, updated_at: at(1) }, `a later POST ${path} of a device`)
      }
    },
  },
  {
    rules: ['D6.16', 'D1.15'],
    title: 'a direct write with a malformed time, device or seq is rejected with a pointer',
    async run(session) {
      const { version } = await session.now()
      const one = `${path}/${session.newId()}`
      const time = 'updated_at=2026-11-21T08:00:00Z'
      for (const [query, pointer] of [
        ['updated_at=', '/updated_at'],
        ['updated_at=2026-02-30T00:00:00Z', '/updated_at'],
        ['updated_at=2026-11-21', '/updated_at'],
        [`${time}&device=x&seq=1`, '/device'],
        [`${time}&seq=-1`, '/seq'],
        [`${time}&seq=9007199254740992`, '/seq'],
        [`${time}&seq=1.5`, '/seq'],
      ] as const) {
        for (const [method, address] of [
          ['PUT', one],
          ['POST', path],
          ['DELETE', one],
        ] as const) {
          const { status, body } = await session.call(method, `${address}?${query}`, { json: content })
          assertEqual([status, body.errors?.[0]?.pointer], [400, pointer], `${method} with ${query}`)
        }
      }
      assertEqual((await session.now()).version, version, 'the version after direct writes that were refused')
    },
  },
]
