import {
  type Change,
  instantOf,
  itemAt,
  type Problem,
  type PushResponse,
  type PushResult,
  parseChange,
  problemOf,
  wireLimits,
} from '@saldo/core'
import { ProblemError } from '../http/problem.ts'
import { type Meter, noMeter } from '../meter.ts'
import type { RecordStore, UserWriter } from '../store/store.ts'
import { mapInSlices } from '../time-slice.ts'
import { applyChanges, type ChangeResult, type WriteContext } from './apply-changes.ts'

/** The body of a push; its changes are still to be checked, one by one. */
export interface Push {
  device: string | undefined
  changes: readonly unknown[]
  /** True if the caller may write entries only (D21.2). */
  entriesOnly: boolean
}

/** Applies a push (R3.7 to R3.10, D6.3). Returns the body of its response: one result per change, in order. */
export async function push(
  store: RecordStore,
  { device, changes, entriesOnly }: Push,
  context: WriteContext,
  meter: Meter = noMeter,
): Promise<PushResponse> {
  const parsed = await mapInSlices(changes, (change) => readChange(change, device, entriesOnly))
  const valid = parsed.flatMap((item) => (item.outcome === 'valid' ? [item.change] : []))
  const { version, applied } = await store.write(context.user, async (writer) => {
    await requireFewBytes(writer, valid)
    const applied = await applyChanges(writer, valid, context)
    const { version } = await writer.position()
    return { version, applied }
  })
  let validCount = 0
  const results = parsed.map((item) => {
    if (item.outcome !== 'valid') return item.result
    validCount += 1
    return toPushResult(item.change, itemAt(applied, validCount - 1))
  })
  for (const { status } of results) meter.pushed(status)
  return { version, server_time: instantOf(context.nowMs), results }
}

/**
 * Throws 413 if the records that changes name have more bytes, as they are stored, than a push may have: small changes
 * can name large records, which are all read, and answered where they are later. The client halves the push.
 */
async function requireFewBytes(writer: UserWriter, changes: readonly Change[]): Promise<void> {
  // So few records cannot have as many.
  if (changes.length * wireLimits.record_bytes <= wireLimits.push_bytes) return
  if ((await writer.bytesOf(changes)) <= wireLimits.push_bytes) return
  throw new ProblemError('payload_too_large', 'The stored records of these changes are too large. Send fewer at once.')
}

/** Reads a change. One that is not valid, that only the service may make, or that a token may not, has its result. */
function readChange(
  input: unknown,
  device: string | undefined,
  entriesOnly: boolean,
): { outcome: 'valid'; change: Change } | { outcome: 'notApplied'; result: PushResult } {
  const parsed = parseChange(input, device)
  const { kind, id } = parsed.outcome === 'valid' ? parsed.change : parsed
  const rejectedFor = (problem: Problem) =>
    ({ outcome: 'notApplied', result: { kind, id, status: 'rejected', problem } }) as const
  switch (parsed.outcome) {
    case 'skipped':
      return { outcome: 'notApplied', result: { kind, id, status: 'skipped' } }
    case 'rejected':
      return rejectedFor(problemOf('invalid_record', 'The change cannot be stored.', parsed.errors))
    case 'valid': {
      if (!entriesOnly || kind === 'entries') return parsed
      const detail = 'A token with the scope `record` writes entries only. Use one with the scope `full`.'
      return rejectedFor(problemOf('forbidden', detail))
    }
  }
}

function toPushResult({ kind, id }: Change, result: ChangeResult): PushResult {
  if (result.status === 'rejected') {
    const { code, detail, errors } = result.rejection
    const inChange = errors?.map(({ pointer, detail }) => ({ pointer: `/record${pointer}`, detail }))
    return { kind, id, status: 'rejected', problem: problemOf(code, detail, inChange) }
  }
  const { status, record } = result
  const common = { kind, id, status, version: record.version, updated_at: record.updatedAt }
  if (status !== 'superseded') return common
  return record.deleted ? { ...common, deleted: true } : { ...common, record: record.fields }
}
