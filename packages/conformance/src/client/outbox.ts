import { HOUR_MS } from '@saldo/core'
import { assertEqual, assertFields, assertTrue, type Check } from '../check.ts'
import type { Harness } from './harness.ts'
import { changesSentBy, content, isPush, isWrite, notes, offline, once, online, UUID_V4 } from './requests.ts'
import { problemResponse, type ScriptedResponse } from './scripted-service.ts'

/** Responses after which a client queues a change: temporary failures, and responses of another server. */
const temporaryFailures: [string, ScriptedResponse][] = [
  ...[408, 425, 429, 500, 502, 503, 504].map((status): [string, ScriptedResponse] => [
    `a ${status}`,
    { status, body: { ...Object(problemResponse('unavailable').body), status } },
  ]),
  [
    'a captive portal',
    { status: 200, body: '<html>Welcome', headers: { 'content-type': 'text/html' }, isForeign: true },
  ],
  ['a redirect', { status: 302, body: '', headers: { location: 'http://portal.invalid/' }, isForeign: true }],
]

/** Checks of the outbox (R1.5, R5.1 to R5.3, D7). */
export const outboxChecks: readonly Check<Harness>[] = [
  {
    rules: ['R5.1', 'D7.1'],
    title: 'each mutation goes to the service first, with time, device and seq, and the outbox stays empty',
    async run(harness) {
      const id = await harness.create('entries', content('created'))
      await harness.update('entries', id, content('updated'))
      await harness.delete('entries', id)
      const sent = changesSentBy(harness)
      assertEqual(
        sent.map((edit) => edit.id),
        [id, id, id],
        'the records of the requests',
      )
      for (const { updatedAt, device } of sent) {
        assertTrue(!Number.isNaN(Date.parse(String(updatedAt))), `a change has the time ${updatedAt}`)
        assertEqual(device, sent[0]?.device, 'the device of the edits')
      }
      const ascends = (name: 'updatedAt' | 'seq') =>
        sent.every(
          (edit, index) =>
            index === 0 || String(edit[name]).padStart(30) > String(sent[index - 1]?.[name]).padStart(30),
        )
      assertTrue(ascends('seq') && ascends('updatedAt'), `seq and time do not ascend: ${JSON.stringify(sent)}`)
      assertEqual((await harness.counts()).pending, 0, 'the number of unsent changes')
      assertEqual(harness.service.records('entries'), [], 'the records of the service')
    },
  },
  {
    rules: ['R5.1', 'R5.2', 'R1.5'],
    title: 'without a network a change is stored, shown and queued; a new record gets a random UUID',
    async run(harness) {
      harness.service.fault = offline
      const ids = [await harness.create('entries', content('one')), await harness.create('entries', content('two'))]
      for (const id of ids) assertTrue(UUID_V4.test(id), `the id «${id}» is no random UUID`)
      assertEqual(notes(await harness.records()), ['one', 'two'], 'the records that the client shows')
      assertEqual((await harness.counts()).pending, 2, 'the number of unsent changes')
      harness.service.fault = online
      await harness.syncAll()
      assertEqual(
        harness.service
          .records('entries')
          .map(({ id }) => id)
          .toSorted(),
        ids.toSorted(),
        'the records of the service',
      )
      await harness.assertInSync()
    },
  },
  {
    rules: ['R5.3', 'D7.12', 'D7.13', 'D7.14'],
    title: 'a push carries the latest change of each record in the order of first queueing',
    async run(harness) {
      harness.service.fault = offline
      const first = await harness.create('entries', content('first'))
      const second = await harness.create('entries', content('second'))
      await harness.update('entries', first, content('first, again'))
      const gone = await harness.create('entries', content('gone'))
      await harness.delete('entries', gone)
      harness.service.fault = online
      const before = harness.service.requests.filter(isPush).length
      await harness.sync()
      const pushes = harness.service.requests.filter(isPush).slice(before)
      const changes = pushes.flatMap(({ body }) => body.changes)
      const records = changes.flatMap(({ record }) => (record ? [record] : []))
      assertEqual(
        records.map(({ id, note }) => [id, note]),
        [
          [first, 'first, again'],
          [second, 'second'],
        ],
        'the pushed changes',
      )
      for (const { body } of pushes)
        assertTrue(UUID_V4.test(body.device), `the device «${body.device}» is no random UUID`)
      await harness.assertInSync()
    },
  },
  {
    rules: ['D7.1', 'R5.3'],
    title: 'id, time, device and seq of a change are the same in every attempt',
    async run(harness) {
      harness.service.fault = (request) => (isWrite(request) ? 'requestLost' : undefined)
      const id = await harness.create('entries', content('once'))
      await harness.sync()
      await harness.sync()
      harness.service.fault = online
      await harness.syncAll()
      const attempts = changesSentBy(harness).filter((edit) => edit.id === id)
      assertTrue(attempts.length >= 2, `there were ${attempts.length} attempts`)
      for (const attempt of attempts) assertEqual(attempt, attempts[0], 'an attempt')
      await harness.assertInSync()
    },
  },
  {
    rules: ['D7.2'],
    title: 'a lost response does not repeat a create, update or delete',
    async run(harness) {
      const lose = () => {
        harness.service.fault = once(isWrite, 'responseLost')
      }
      lose()
      const id = await harness.create('entries', content('created'))
      await harness.sync()
      assertEqual(
        harness.service.records('entries').map((record) => record.id),
        [id],
        'the records of the service',
      )
      const { version } = harness.service
      lose()
      await harness.update('entries', id, content('updated'))
      await harness.sync()
      assertEqual(harness.service.version, version + 1, 'the service’s version after an update whose answer was lost')
      await harness.assertInSync()
      lose()
      await harness.delete('entries', id)
      await harness.sync()
      await harness.assertInSync()
      assertEqual(harness.service.version, version + 2, 'the service’s version after a deletion whose answer was lost')
    },
  },
  {
    rules: ['D7.7'],
    title: '408, 425, 429, 500, 502, 503, 504 and responses of another server queue a change',
    async run(harness) {
      for (const [name, response] of temporaryFailures) {
        harness.service.fault = (request) => (isWrite(request) ? response : undefined)
        await harness.create('entries', content(name))
        assertEqual((await harness.counts()).pending, 1, `the number of unsent changes after ${name}`)
        harness.service.fault = online
        // An explicit sync skips the backoff.
        await harness.sync()
        assertEqual((await harness.counts()).pending, 0, `the number of unsent changes once ${name} is over`)
      }
      await harness.assertInSync()
    },
  },
  {
    rules: ['D7.9'],
    title: 'a 401 queues a change and deletes nothing',
    async run(harness) {
      await harness.create('entries', content('before'))
      harness.service.fault = () => problemResponse('unauthenticated')
      await harness.create('entries', content('during'))
      await harness.sync()
      assertEqual(
        notes(await harness.records()),
        ['before', 'during'],
        'the records that the client shows while nobody is signed in',
      )
      assertEqual((await harness.counts()).pending, 1, 'the number of unsent changes')
      harness.service.fault = online
      await harness.restart()
      await harness.syncAll()
      await harness.assertInSync()
      assertEqual(notes(harness.service.records('entries')), ['before', 'during'], 'the records of the service')
    },
  },
  {
    rules: ['D7.10'],
    title: 'a rejected direct write is reported to the caller and undone',
    async run(harness) {
      const id = await harness.create('entries', content('kept'))
      harness.service.fault = (request) => (isWrite(request) ? problemResponse('invalid_record') : undefined)
      const command = { do: 'update', kind: 'entries', id, content: content('refused') }
      const reply = await harness.client.trySend(command)
      assertFields(reply, { ok: false, code: 'invalid_record' }, 'the answer to the caller')
      harness.service.fault = online
      assertEqual(notes(await harness.records()), ['kept'], 'the records that the client shows')
      assertEqual((await harness.counts()).pending, 0, 'the number of unsent changes')
    },
  },
  {
    rules: ['D7.20'],
    title: 'a change rejected in a push moves to the rejected changes; the others are stored',
    async run(harness) {
      harness.service.fault = offline
      for (const note of ['one', 'bad', 'two']) await harness.create('entries', content(note))
      harness.service.fault = (request) => {
        if (!isPush(request)) return undefined
        for (const { record } of request.body.changes) if (record?.note === 'bad') record.started_at = 'never'
        return undefined
      }
      await harness.sync()
      assertEqual(
        await harness.counts(),
        { pending: 0, rejected: 1, overridden: 0 },
        'unsent changes, rejected changes and conflicts',
      )
      assertEqual(notes(harness.service.records('entries')), ['one', 'two'], 'the records of the service')
    },
  },
  {
    rules: ['D7.18'],
    title: 'a batch rejected as a whole is halved until the invalid change is found',
    async run(harness) {
      harness.service.fault = offline
      const all = ['a', 'b', 'c', 'bad', 'e', 'f', 'g']
      for (const note of all) await harness.create('entries', content(note))
      const isBad = ({ record }: { record?: { note?: string } }) => record?.note === 'bad'
      harness.service.fault = (request) =>
        isPush(request) && request.body.changes.some(isBad) ? problemResponse('invalid_request') : undefined
      for (let count = 0; count < all.length && (await harness.counts()).pending > 0; count += 1) await harness.sync()
      assertEqual(
        await harness.counts(),
        { pending: 0, rejected: 1, overridden: 0 },
        'unsent changes, rejected changes and conflicts',
      )
      assertEqual(
        notes(harness.service.records('entries')),
        all.filter((note) => note !== 'bad'),
        'the records of the service',
      )
    },
  },
  {
    rules: ['D7.21'],
    title: 'a change that lost is replaced by the winner and kept as a conflict',
    async run(harness) {
      const id = await harness.create('entries', content('mine'))
      harness.service.fault = offline
      await harness.update('entries', id, content('mine, later'))
      harness.service.write('entries', id, content('theirs'), harness.service.time(50_000))
      harness.service.fault = online
      await harness.syncAll()
      assertEqual(notes(await harness.records()), ['theirs'], 'the records that the client shows')
      assertEqual(
        await harness.counts(),
        { pending: 0, rejected: 0, overridden: 1 },
        'unsent changes, rejected changes and conflicts',
      )
    },
  },
  {
    rules: ['D7.22'],
    title: 'deleting a deleted record succeeds',
    async run(harness) {
      const id = await harness.create('entries', content('x'))
      harness.service.write('entries', id, null, harness.service.time(50_000))
      await harness.delete('entries', id)
      await harness.sync()
      assertEqual(await harness.records(), [], 'the records that the client shows')
      assertEqual(
        await harness.counts(),
        { pending: 0, rejected: 0, overridden: 0 },
        'unsent changes, rejected changes and conflicts',
      )
    },
  },
  {
    rules: ['D7.3'],
    title: 'a change is later than the record that it changes, by the clock of the service',
    async run(harness) {
      const id = harness.newId()
      const ahead = harness.service.time(50_000)
      harness.service.write('entries', id, content('theirs'), ahead)
      await harness.sync()
      await harness.update('entries', id, content('mine'))
      const edited = changesSentBy(harness).at(-1)
      assertTrue(
        String(edited?.updatedAt) > ahead,
        `an edit of what was changed at ${ahead} has the time ${edited?.updatedAt}`,
      )
      harness.service.skewMs = 5 * HOUR_MS
      await harness.sync()
      await harness.create('entries', content('new'))
      const offMs = Math.abs(Date.parse(String(changesSentBy(harness).at(-1)?.updatedAt)) - harness.service.nowMs())
      assertTrue(offMs < 60_000, `an edit is ${offMs} ms off the service’s clock, 5 h ahead`)
    },
  },
]
