import type { JsonObject } from '@saldo/core'
import { assertEqual, assertTrue, type Check } from '../check.ts'
import type { Harness } from './harness.ts'
import { content, isSnapshot, isWrite, notes, online } from './requests.ts'
import type { ReceivedRequest, ScriptedResponse } from './scripted-service.ts'

const isDigest = ({ path }: ReceivedRequest) => path === '/api/sync/digest'

/** Answers with other lists of entries. */
function withEntries(response: ScriptedResponse, change: (entries: JsonObject[]) => JsonObject[]): ScriptedResponse {
  const body = response.body as { changes: { entries?: JsonObject[] } }
  return { ...response, body: { ...body, changes: { ...body.changes, entries: change(body.changes.entries ?? []) } } }
}

/** Forgets the log behind the client's version, so that it starts cold. */
function makeStale(harness: Harness): void {
  harness.service.write('entries', harness.newId(), content('meanwhile'))
  harness.service.prune()
}

/** Checks of the comparison with the digest of the service (D10). */
export const digestChecks: readonly Check<Harness>[] = [
  {
    rules: ['D10.11', 'D10.7'],
    title: 'the digest finds an error of a cold start, and another cold start repairs it',
    async run(harness) {
      for (const note of ['kept', 'lost', 'altered']) harness.service.write('entries', harness.newId(), content(note))
      await harness.sync()
      makeStale(harness)
      let snapshots = 0
      harness.service.alter = (response, request) => {
        if (!isSnapshot(request)) return response
        snapshots += 1
        if (snapshots > 1) return response
        return withEntries(response, (entries) =>
          entries
            .filter(({ note }) => note !== 'lost')
            .map((entry) => (entry.note === 'altered' ? { ...entry, note: 'wrong' } : entry)),
        )
      }
      await harness.sync()
      await harness.sync()
      assertEqual(
        notes(await harness.records()),
        ['altered', 'kept', 'lost', 'meanwhile'],
        'the records that the client shows',
      )
      await harness.assertInSync()
    },
  },
  {
    rules: ['D10.12'],
    title: 'if a cold start does not help, the client waits for a day and goes on syncing',
    async run(harness) {
      harness.service.alter = (response, request) => {
        const entries = { count: 7, digest: 'f'.repeat(16) }
        return isDigest(request) && response.status === 200
          ? { ...response, body: { ...Object(response.body), kinds: { entries } } }
          : response
      }
      makeStale(harness)
      harness.service.fault = (request) => (isWrite(request) ? 'requestLost' : undefined)
      await harness.create('entries', content('mine'))
      harness.service.fault = online
      for (let round = 0; round < 5; round += 1) await harness.sync()
      const snapshots = harness.service.requests.filter(isSnapshot).length
      // The first sync's, that of the log that was forgotten, and one more.
      assertTrue(snapshots <= 3, `the client asked for ${snapshots} snapshots`)
      assertEqual(notes(await harness.records()), ['meanwhile', 'mine'], 'the records that the client shows')
      await harness.assertInSync()
    },
  },
]
