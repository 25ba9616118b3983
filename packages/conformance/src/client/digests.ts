import type { JsonObject } from '@saldo/core'
import { type Check, holds, same } from '../check.ts'
import type { Bench } from './bench.ts'
import type { Asked, Told } from './scripted-service.ts'
import { content, isSnapshot, isWrite, notes, online, requireAgreed } from './sent.ts'

const isDigest = ({ path }: Asked) => path === '/api/sync/digest'

/** Answers with other lists of entries. */
function withEntries(told: Told, change: (entries: JsonObject[]) => JsonObject[]): Told {
  const body = told.body as { changes: { entries?: JsonObject[] } }
  return { ...told, body: { ...body, changes: { ...body.changes, entries: change(body.changes.entries ?? []) } } }
}

/** Forgets the log behind the client's version, so that it starts cold. */
function makeStale(bench: Bench): void {
  bench.service.write('entries', bench.id(), content('meanwhile'))
  bench.service.prune()
}

/** Checks that a client detects records that differ from the service's (D10). */
export const digestChecks: readonly Check<Bench>[] = [
  {
    rules: ['D10.11', 'D10.7'],
    title: 'what a cold start brought wrongly is found by the digest, and put right by one more',
    async run(bench) {
      for (const note of ['kept', 'lost', 'altered']) bench.service.write('entries', bench.id(), content(note))
      await bench.sync()
      makeStale(bench)
      let snapshots = 0
      bench.service.alter = (told, asked) => {
        if (!isSnapshot(asked)) return told
        snapshots += 1
        if (snapshots > 1) return told
        return withEntries(told, (entries) =>
          entries
            .filter(({ note }) => note !== 'lost')
            .map((entry) => (entry.note === 'altered' ? { ...entry, note: 'wrong' } : entry)),
        )
      }
      await bench.sync()
      await bench.sync()
      same(notes(await bench.records()), ['altered', 'kept', 'lost', 'meanwhile'], 'what the client shows')
      await requireAgreed(bench)
    },
  },
  {
    rules: ['D10.12'],
    title: 'where a cold start does not help, the client leaves it at that for a day, and works on',
    async run(bench) {
      bench.service.alter = (told, asked) => {
        const entries = { count: 7, digest: 'f'.repeat(16) }
        return isDigest(asked) && told.status === 200
          ? { ...told, body: { ...Object(told.body), kinds: { entries } } }
          : told
      }
      makeStale(bench)
      bench.service.fault = (asked) => (isWrite(asked) ? 'lost' : undefined)
      await bench.create('entries', content('mine'))
      bench.service.fault = online
      for (let round = 0; round < 5; round += 1) await bench.sync()
      const snapshots = bench.service.heard.filter(isSnapshot).length
      // The first sync's, that of the log that was forgotten, and one more.
      holds(snapshots <= 3, `the client asked for ${snapshots} snapshots`)
      same(notes(await bench.records()), ['meanwhile', 'mine'], 'what the client shows')
      await requireAgreed(bench)
    },
  },
]
