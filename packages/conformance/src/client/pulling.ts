import { type Check, has, holds, same } from '../check.ts'
import type { Bench } from './bench.ts'
import { content, isPull, isWrite, notes, offline, once, online, requireAgreed, sentBy } from './sent.ts'

/** Checks how a client pulls (R5.4 to R5.6, D7). */
export const pullingChecks: readonly Check<Bench>[] = [
  {
    rules: ['R5.4', 'D5.4'],
    title: 'pull asks from the last version, page by page, and takes in what others changed and deleted',
    async run(bench) {
      const [kept, gone] = [bench.id(), bench.id()]
      bench.service.write('entries', kept, content('one'))
      bench.service.write('entries', gone, content('two'))
      await bench.sync()
      same(notes(await bench.records()), ['one', 'two'], 'what the client shows')
      const last = bench.service.version
      bench.service.pageSize = 2
      bench.service.write('entries', gone, null, bench.service.time(1))
      for (const note of ['a', 'b', 'c', 'd']) bench.service.write('entries', bench.id(), content(note))
      const before = bench.service.heard.length
      await bench.sync()
      const asked = bench.service.heard.slice(before).filter(isPull)
      same(
        asked.map(({ query }) => query.get('since')).slice(0, 3),
        [last, last + 2, last + 4].map(String),
        'since of the pulls',
      )
      same(notes(await bench.records()), ['a', 'b', 'c', 'd', 'one'], 'what the client shows')
      await requireAgreed(bench)
    },
  },
  {
    rules: ['D7.25', 'R5.4'],
    title: 'a client that is killed between two pages has the first one and goes on behind it',
    async run(bench) {
      for (const note of ['a', 'b']) bench.service.write('entries', bench.id(), content(note))
      await bench.sync()
      const last = bench.service.version
      bench.service.pageSize = 2
      for (const note of ['c', 'd', 'e', 'f']) bench.service.write('entries', bench.id(), content(note))
      bench.service.fault = (asked) => (asked.query.get('since') === String(last + 2) ? 'lost' : undefined)
      await bench.sync()
      await bench.restart()
      same(notes(await bench.records()), ['a', 'b', 'c', 'd'], 'what the client shows after a kill')
      const before = bench.service.heard.length
      bench.service.fault = online
      await bench.sync()
      const [next] = bench.service.heard.slice(before).filter(isPull)
      same(next?.query.get('since'), String(last + 2), 'since of the first pull after a kill')
      await requireAgreed(bench)
    },
  },
  {
    rules: ['R5.5', 'R5.6', 'D7.31'],
    title:
      'after 410 the client starts cold, without since, pulls again, and has what the service has; what waits stays',
    async run(bench) {
      const [gone, kept] = [bench.id(), bench.id()]
      bench.service.write('entries', gone, content('gone'))
      bench.service.write('entries', kept, content('kept'))
      await bench.sync()
      bench.service.write('entries', gone, null, bench.service.time(1))
      for (const note of ['a', 'b', 'c']) bench.service.write('entries', bench.id(), content(note))
      bench.service.prune()
      bench.service.pageSize = 2
      bench.service.fault = (asked) => (isWrite(asked) ? 'lost' : undefined)
      await bench.create('entries', content('mine'))
      const before = bench.service.heard.length
      bench.service.fault = once(isWrite, 'lost')
      await bench.sync()
      await bench.sync()
      const pulls = bench.service.heard.slice(before).filter(isPull)
      holds(
        pulls.some(({ query }) => !query.has('since')),
        'the client never asked for a snapshot',
      )
      holds(pulls.at(-1)?.query.has('since') === true, 'the client did not pull behind the snapshot')
      same(notes(await bench.records()), ['a', 'b', 'c', 'kept', 'mine'], 'what the client shows')
      await requireAgreed(bench)
    },
  },
  {
    rules: ['R5.6', 'D7.30'],
    title: 'a cold start that breaks off leaves everything as it was',
    async run(bench) {
      for (const note of ['a', 'b', 'c']) bench.service.write('entries', bench.id(), content(note))
      await bench.sync()
      bench.service.write('entries', bench.id(), content('d'))
      bench.service.prune()
      bench.service.pageSize = 2
      bench.service.fault = (asked) => (isPull(asked) && asked.query.has('cursor') ? 'lost' : undefined)
      await bench.sync()
      same(notes(await bench.records()), ['a', 'b', 'c'], 'what the client shows')
      bench.service.fault = online
      await bench.restart()
      await bench.syncAll()
      same(notes(await bench.records()), ['a', 'b', 'c', 'd'], 'what the client shows in the end')
    },
  },
  {
    rules: ['D7.35', 'D7.29', 'D5.6'],
    title: 'a history that was replaced is told by its tag, and what it lost comes back from the client',
    async run(bench) {
      await bench.create('entries', content('old'))
      await bench.sync()
      bench.service.backUp()
      const lost = await bench.create('entries', content('lost'))
      await bench.sync()
      bench.service.restore()
      // Somebody writes on, so that the version is the same again, with another tag.
      bench.service.write('entries', bench.id(), content('written on'))
      await bench.sync()
      await bench.sync()
      same(notes(bench.service.records('entries')), ['lost', 'old', 'written on'], 'what the service has')
      holds(
        bench.service.records('entries').some(({ id }) => id === lost),
        'what was lost came back as another record',
      )
      await requireAgreed(bench)
    },
  },
  {
    rules: ['D7.5', 'R1.5'],
    title: 'a client that is killed has what waited, and sends it as it was',
    async run(bench) {
      bench.service.fault = offline
      const id = await bench.create('entries', content('kept'))
      await bench.restart()
      same((await bench.counts()).pending, 1, 'how many changes wait after a kill')
      same(notes(await bench.records()), ['kept'], 'what the client shows after a kill')
      bench.service.fault = online
      await bench.syncAll()
      const attempts = sentBy(bench).filter((edit) => edit.id === id)
      for (const attempt of attempts) same(attempt, attempts[0], 'an attempt')
      await requireAgreed(bench)
    },
  },
  {
    rules: ['D1.2', 'D7.28'],
    title: 'fields that the client does not know survive it, and so do records that it cannot read',
    async run(bench) {
      const [known, strange] = [bench.id(), bench.id()]
      bench.service.write('entries', known, { ...content('one'), 'x-mood': { deep: [1, null] } })
      bench.service.write('entries', strange, { kind: 'teleported', note: 'strange' })
      bench.service.write('entries', bench.id(), content('two'))
      await bench.sync()
      const shown = (await bench.records()).find(({ id }) => id === known)
      has(shown, { 'x-mood': { deep: [1, null] } }, 'a record with a field that is not known')
      await bench.update('entries', known, { ...shown, note: 'changed' })
      await bench.sync()
      const there = bench.service.records('entries')
      has(
        there.find(({ id }) => id === known),
        { note: 'changed', 'x-mood': { deep: [1, null] } },
        'the record after an edit',
      )
      has(
        there.find(({ id }) => id === strange),
        { kind: 'teleported' },
        'the record that the client cannot read',
      )
      holds(notes(await bench.records()).includes('two'), 'a record behind one that the client cannot read is missing')
    },
  },
]
