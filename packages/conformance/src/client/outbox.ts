import { HOUR_MS } from '@saldo/core'
import { type Check, has, holds, same } from '../check.ts'
import type { Bench } from './bench.ts'
import { refusal, type Told } from './scripted-service.ts'
import { content, isWrite, notes, offline, once, online, PUSH, requireAgreed, sentBy, UUID_V4 } from './sent.ts'

/** Answers that say «not now», and one that is not the service's: all of these queue (D7). */
const passing: [string, Told][] = [
  ...[408, 425, 429, 500, 502, 503, 504].map((status): [string, Told] => [
    `a ${status}`,
    { status, body: { ...Object(refusal('unavailable').body), status } },
  ]),
  [
    'a captive portal',
    { status: 200, body: '<html>Welcome', headers: { 'content-type': 'text/html' }, isForeign: true },
  ],
  ['a redirect', { status: 302, body: '', headers: { location: 'http://portal.invalid/' }, isForeign: true }],
]

/** Checks how a client sends changes (R1.5, R5.1 to R5.3, D7). */
export const outboxChecks: readonly Check<Bench>[] = [
  {
    rules: ['R5.1', 'D7.1'],
    title: 'each mutation goes to the service first, with its time, device and number, and nothing waits afterwards',
    async run(bench) {
      const id = await bench.create('entries', content('created'))
      await bench.update('entries', id, content('updated'))
      await bench.delete('entries', id)
      const sent = sentBy(bench)
      same(
        sent.map((edit) => edit.id),
        [id, id, id],
        'the records of the requests',
      )
      for (const { updatedAt, device } of sent) {
        holds(!Number.isNaN(Date.parse(String(updatedAt))), `an edit has the time ${updatedAt}`)
        same(device, sent[0]?.device, 'the device of the edits')
      }
      const ascends = (name: 'updatedAt' | 'seq') =>
        sent.every(
          (edit, index) =>
            index === 0 || String(edit[name]).padStart(30) > String(sent[index - 1]?.[name]).padStart(30),
        )
      holds(ascends('seq') && ascends('updatedAt'), `numbers and times do not ascend: ${JSON.stringify(sent)}`)
      same((await bench.counts()).pending, 0, 'how many changes wait')
      same(bench.service.records('entries'), [], 'what the service has')
    },
  },
  {
    rules: ['R5.1', 'R5.2', 'R1.5'],
    title: 'without a network a change is kept, shown and queued; a record made so gets a random UUID',
    async run(bench) {
      bench.service.fault = offline
      const ids = [await bench.create('entries', content('one')), await bench.create('entries', content('two'))]
      for (const id of ids) holds(UUID_V4.test(id), `the id «${id}» is no random UUID`)
      same(notes(await bench.records()), ['one', 'two'], 'what the client shows')
      same((await bench.counts()).pending, 2, 'how many changes wait')
      bench.service.fault = online
      await bench.syncAll()
      same(
        bench.service
          .records('entries')
          .map(({ id }) => id)
          .toSorted(),
        ids.toSorted(),
        'what the service has',
      )
      await requireAgreed(bench)
    },
  },
  {
    rules: ['R5.3', 'D7.12', 'D7.13', 'D7.14'],
    title: 'the outbox is pushed: one change for each record, its latest state, in the order of first queueing',
    async run(bench) {
      bench.service.fault = offline
      const first = await bench.create('entries', content('first'))
      const second = await bench.create('entries', content('second'))
      await bench.update('entries', first, content('first, again'))
      const gone = await bench.create('entries', content('gone'))
      await bench.delete('entries', gone)
      bench.service.fault = online
      const before = bench.service.asked('POST', PUSH).length
      await bench.sync()
      const pushes = bench.service.asked('POST', PUSH).slice(before)
      const changes = pushes.flatMap(({ body }) => body.changes)
      const records = changes.flatMap(({ record }) => (record ? [record] : []))
      same(
        records.map(({ id, note }) => [id, note]),
        [
          [first, 'first, again'],
          [second, 'second'],
        ],
        'what is pushed',
      )
      for (const { body } of pushes) holds(UUID_V4.test(body.device), `the device «${body.device}» is no random UUID`)
      await requireAgreed(bench)
    },
  },
  {
    rules: ['D7.1', 'R5.3'],
    title: 'id, time, device and number of an edit are the same in every attempt',
    async run(bench) {
      bench.service.fault = (asked) => (isWrite(asked) ? 'lost' : undefined)
      const id = await bench.create('entries', content('once'))
      await bench.sync()
      await bench.sync()
      bench.service.fault = online
      await bench.syncAll()
      const attempts = sentBy(bench).filter((edit) => edit.id === id)
      holds(attempts.length >= 2, `there were ${attempts.length} attempts`)
      for (const attempt of attempts) same(attempt, attempts[0], 'an attempt')
      await requireAgreed(bench)
    },
  },
  {
    rules: ['D7.2'],
    title: 'an answer that is lost doubles nothing: created, updated and deleted once',
    async run(bench) {
      const lose = () => {
        bench.service.fault = once(isWrite, 'answerLost')
      }
      lose()
      const id = await bench.create('entries', content('created'))
      await bench.sync()
      same(
        bench.service.records('entries').map((record) => record.id),
        [id],
        'what the service has',
      )
      const { version } = bench.service
      lose()
      await bench.update('entries', id, content('updated'))
      await bench.sync()
      same(bench.service.version, version + 1, 'the service’s version after an update whose answer was lost')
      await requireAgreed(bench)
      lose()
      await bench.delete('entries', id)
      await bench.sync()
      await requireAgreed(bench)
      same(bench.service.version, version + 2, 'the service’s version after a deletion whose answer was lost')
    },
  },
  {
    rules: ['D7.7'],
    title: '408, 425, 429, 500, 502, 503, 504 and what is not the service’s answer queue',
    async run(bench) {
      for (const [name, told] of passing) {
        bench.service.fault = (asked) => (isWrite(asked) ? told : undefined)
        await bench.create('entries', content(name))
        same((await bench.counts()).pending, 1, `how many changes wait after ${name}`)
        bench.service.fault = online
        // A service that asked for time gets it, but whoever says «sync» means now, and anew where an attempt is under way.
        await bench.sync()
        same((await bench.counts()).pending, 0, `how many changes wait when ${name} is over`)
      }
      await requireAgreed(bench)
    },
  },
  {
    rules: ['D7.9'],
    title: '401 queues, and wipes nothing',
    async run(bench) {
      await bench.create('entries', content('before'))
      bench.service.fault = () => refusal('unauthenticated')
      await bench.create('entries', content('during'))
      await bench.sync()
      same(notes(await bench.records()), ['before', 'during'], 'what the client shows while nobody is signed in')
      same((await bench.counts()).pending, 1, 'how many changes wait')
      bench.service.fault = online
      await bench.restart()
      await bench.syncAll()
      await requireAgreed(bench)
      same(notes(bench.service.records('entries')), ['before', 'during'], 'what the service has')
    },
  },
  {
    rules: ['D7.10'],
    title: 'what the service refuses directly reaches the caller, and is undone',
    async run(bench) {
      const id = await bench.create('entries', content('kept'))
      bench.service.fault = (asked) => (isWrite(asked) ? refusal('invalid_record') : undefined)
      const command = { do: 'update', kind: 'entries', id, content: content('refused') }
      const reply = await bench.client.tries(command)
      has(reply, { ok: false, code: 'invalid_record' }, 'the answer to the caller')
      bench.service.fault = online
      same(notes(await bench.records()), ['kept'], 'what the client shows')
      same((await bench.counts()).pending, 0, 'how many changes wait')
    },
  },
  {
    rules: ['D7.20'],
    title: 'what the service rejects in a push leaves the outbox for a tray; its neighbours are stored',
    async run(bench) {
      bench.service.fault = offline
      for (const note of ['one', 'bad', 'two']) await bench.create('entries', content(note))
      bench.service.fault = ({ path, body }) => {
        if (!PUSH.test(path)) return undefined
        // The culprit becomes a change that no service can store.
        for (const { record } of body.changes) if (record?.note === 'bad') record.started_at = 'never'
        return undefined
      }
      await bench.sync()
      same(await bench.counts(), { pending: 0, rejected: 1, overridden: 0 }, 'what waits, was rejected, was overridden')
      same(notes(bench.service.records('entries')), ['one', 'two'], 'what the service has')
    },
  },
  {
    rules: ['D7.18'],
    title: 'a batch that is refused whole is halved until the culprit is alone',
    async run(bench) {
      bench.service.fault = offline
      const all = ['a', 'b', 'c', 'bad', 'e', 'f', 'g']
      for (const note of all) await bench.create('entries', content(note))
      const isBad = ({ record }: { record?: { note?: string } }) => record?.note === 'bad'
      bench.service.fault = ({ path, body }) =>
        PUSH.test(path) && body.changes.some(isBad) ? refusal('invalid_request') : undefined
      for (let count = 0; count < all.length && (await bench.counts()).pending > 0; count += 1) await bench.sync()
      same(await bench.counts(), { pending: 0, rejected: 1, overridden: 0 }, 'what waits, was rejected, was overridden')
      same(
        notes(bench.service.records('entries')),
        all.filter((note) => note !== 'bad'),
        'what the service has',
      )
    },
  },
  {
    rules: ['D7.21'],
    title: 'a change that lost is replaced by what won, and told as overridden',
    async run(bench) {
      const id = await bench.create('entries', content('mine'))
      bench.service.fault = offline
      await bench.update('entries', id, content('mine, later'))
      bench.service.write('entries', id, content('theirs'), bench.service.time(50_000))
      bench.service.fault = online
      await bench.syncAll()
      same(notes(await bench.records()), ['theirs'], 'what the client shows')
      same(await bench.counts(), { pending: 0, rejected: 0, overridden: 1 }, 'what waits, was rejected, was overridden')
    },
  },
  {
    rules: ['D7.22'],
    title: 'deleting what is deleted already is no failure',
    async run(bench) {
      const id = await bench.create('entries', content('x'))
      bench.service.write('entries', id, null, bench.service.time(50_000))
      await bench.delete('entries', id)
      await bench.sync()
      same(await bench.records(), [], 'what the client shows')
      same(await bench.counts(), { pending: 0, rejected: 0, overridden: 0 }, 'what waits, was rejected, was overridden')
    },
  },
  {
    rules: ['D7.3'],
    title: 'an edit is later than what it was made on, and by the service’s clock',
    async run(bench) {
      const id = bench.id()
      const ahead = bench.service.time(50_000)
      bench.service.write('entries', id, content('theirs'), ahead)
      await bench.sync()
      await bench.update('entries', id, content('mine'))
      const edited = sentBy(bench).at(-1)
      holds(
        String(edited?.updatedAt) > ahead,
        `an edit of what was changed at ${ahead} has the time ${edited?.updatedAt}`,
      )
      bench.service.skewMs = 5 * HOUR_MS
      await bench.sync()
      await bench.create('entries', content('new'))
      const offMs = Math.abs(Date.parse(String(sentBy(bench).at(-1)?.updatedAt)) - bench.service.nowMs())
      holds(offMs < 60_000, `an edit is ${offMs} ms off the service’s clock, 5 h ahead`)
    },
  },
]
