import { assertEqual, assertFields, assertTrue, type Check } from '../check.ts'
import type { Harness } from './harness.ts'
import { changesSentBy, content, isPull, isWrite, notes, offline, once, online } from './requests.ts'

/** Checks of pulls and cold starts (R5.4 to R5.6, D7). */
export const pullChecks: readonly Check<Harness>[] = [
  {
    rules: ['R5.4', 'D5.4'],
    title: 'pulls continue from the last version, page by page, and apply changes and deletions of other devices',
    async run(harness) {
      const [kept, gone] = [harness.newId(), harness.newId()]
      harness.service.write('entries', kept, content('one'))
      harness.service.write('entries', gone, content('two'))
      await harness.sync()
      assertEqual(notes(await harness.records()), ['one', 'two'], 'the records that the client shows')
      const last = harness.service.version
      harness.service.pageSize = 2
      harness.service.write('entries', gone, null, harness.service.time(1))
      for (const note of ['a', 'b', 'c', 'd']) harness.service.write('entries', harness.newId(), content(note))
      const before = harness.service.requests.length
      await harness.sync()
      const asked = harness.service.requests.slice(before).filter(isPull)
      assertEqual(
        asked.map(({ query }) => query.get('since')).slice(0, 3),
        [last, last + 2, last + 4].map(String),
        'since of the pulls',
      )
      assertEqual(notes(await harness.records()), ['a', 'b', 'c', 'd', 'one'], 'the records that the client shows')
      await harness.assertInSync()
    },
  },
  {
    rules: ['D7.25', 'R5.4'],
    title: 'a client killed between two pages has the first page and continues after it',
    async run(harness) {
      for (const note of ['a', 'b']) harness.service.write('entries', harness.newId(), content(note))
      await harness.sync()
      const last = harness.service.version
      harness.service.pageSize = 2
      for (const note of ['c', 'd', 'e', 'f']) harness.service.write('entries', harness.newId(), content(note))
      harness.service.fault = ({ query }) => (query.get('since') === String(last + 2) ? 'requestLost' : undefined)
      await harness.sync()
      await harness.restart()
      assertEqual(
        notes(await harness.records()),
        ['a', 'b', 'c', 'd'],
        'the records that the client shows after a kill',
      )
      const before = harness.service.requests.length
      harness.service.fault = online
      await harness.sync()
      const [next] = harness.service.requests.slice(before).filter(isPull)
      assertEqual(next?.query.get('since'), String(last + 2), 'since of the first pull after a kill')
      await harness.assertInSync()
    },
  },
  {
    rules: ['R5.5', 'R5.6', 'D7.31'],
    title: 'after a 410 the client does a cold start and pulls again; unsent changes stay',
    async run(harness) {
      const [gone, kept] = [harness.newId(), harness.newId()]
      harness.service.write('entries', gone, content('gone'))
      harness.service.write('entries', kept, content('kept'))
      await harness.sync()
      harness.service.write('entries', gone, null, harness.service.time(1))
      for (const note of ['a', 'b', 'c']) harness.service.write('entries', harness.newId(), content(note))
      harness.service.prune()
      harness.service.pageSize = 2
      harness.service.fault = (request) => (isWrite(request) ? 'requestLost' : undefined)
      await harness.create('entries', content('mine'))
      const before = harness.service.requests.length
      harness.service.fault = once(isWrite, 'requestLost')
      await harness.sync()
      await harness.sync()
      const pulls = harness.service.requests.slice(before).filter(isPull)
      assertTrue(
        pulls.some(({ query }) => !query.has('since')),
        'the client never asked for a snapshot',
      )
      assertTrue(pulls.at(-1)?.query.has('since') === true, 'the client did not pull behind the snapshot')
      assertEqual(notes(await harness.records()), ['a', 'b', 'c', 'kept', 'mine'], 'the records that the client shows')
      await harness.assertInSync()
    },
  },
  {
    rules: ['R5.6', 'D7.30'],
    title: 'an interrupted cold start leaves the records as they are',
    async run(harness) {
      for (const note of ['a', 'b', 'c']) harness.service.write('entries', harness.newId(), content(note))
      await harness.sync()
      harness.service.write('entries', harness.newId(), content('d'))
      harness.service.prune()
      harness.service.pageSize = 2
      harness.service.fault = (request) => (isPull(request) && request.query.has('cursor') ? 'requestLost' : undefined)
      await harness.sync()
      assertEqual(notes(await harness.records()), ['a', 'b', 'c'], 'the records that the client shows')
      harness.service.fault = online
      await harness.restart()
      await harness.syncAll()
      assertEqual(notes(await harness.records()), ['a', 'b', 'c', 'd'], 'the records that the client shows in the end')
    },
  },
  {
    rules: ['D7.35', 'D7.29', 'D5.6'],
    title: 'a history reset is recognised by the history tag, and the client restores the lost records',
    async run(harness) {
      await harness.create('entries', content('old'))
      await harness.sync()
      harness.service.backUp()
      const lost = await harness.create('entries', content('lost'))
      await harness.sync()
      harness.service.restore()
      // Somebody writes on, so that the version is the same again, with another tag.
      harness.service.write('entries', harness.newId(), content('written on'))
      await harness.sync()
      await harness.sync()
      assertEqual(
        notes(harness.service.records('entries')),
        ['lost', 'old', 'written on'],
        'the records of the service',
      )
      assertTrue(
        harness.service.records('entries').some(({ id }) => id === lost),
        'what was lost came back as another record',
      )
      await harness.assertInSync()
    },
  },
  {
    rules: ['D7.5', 'R1.5'],
    title: 'a killed client keeps its outbox and sends the same changes',
    async run(harness) {
      harness.service.fault = offline
      const id = await harness.create('entries', content('kept'))
      await harness.restart()
      assertEqual((await harness.counts()).pending, 1, 'the number of unsent changes after a kill')
      assertEqual(notes(await harness.records()), ['kept'], 'the records that the client shows after a kill')
      harness.service.fault = online
      await harness.syncAll()
      const attempts = changesSentBy(harness).filter((edit) => edit.id === id)
      for (const attempt of attempts) assertEqual(attempt, attempts[0], 'an attempt')
      await harness.assertInSync()
    },
  },
  {
    rules: ['D1.2', 'D7.28'],
    title: 'unknown fields survive in the client, and so do records that it cannot read',
    async run(harness) {
      const [known, strange] = [harness.newId(), harness.newId()]
      harness.service.write('entries', known, { ...content('one'), 'x-mood': { deep: [1, null] } })
      harness.service.write('entries', strange, { kind: 'teleported', note: 'strange' })
      harness.service.write('entries', harness.newId(), content('two'))
      await harness.sync()
      const shown = (await harness.records()).find(({ id }) => id === known)
      assertFields(shown, { 'x-mood': { deep: [1, null] } }, 'a record with a field that is not known')
      await harness.update('entries', known, { ...shown, note: 'changed' })
      await harness.sync()
      const there = harness.service.records('entries')
      assertFields(
        there.find(({ id }) => id === known),
        { note: 'changed', 'x-mood': { deep: [1, null] } },
        'the record after an edit',
      )
      assertFields(
        there.find(({ id }) => id === strange),
        { kind: 'teleported' },
        'the record that the client cannot read',
      )
      assertTrue(
        notes(await harness.records()).includes('two'),
        'a record behind one that the client cannot read is missing',
      )
    },
  },
]
