import {
  type Change,
  instantOf,
  type ParsedChange,
  type PushResponse,
  type PushResult,
  parseChange,
  problemOf,
} from '@saldo/core'
import { type Meter, noMeter } from '../meter.ts'
import type { RecordStore } from '../store/store.ts'
import { fieldsOf } from '../store/stored-records.ts'
import { applyChanges, type ChangeResult, type WriteContext } from './apply-changes.ts'

/** The body of a push; its changes are still to be checked, one by one. */
export interface Push {
  device: string | undefined
  changes: readonly unknown[]
  /** True if the caller may write entries only (D21.2). */
  entriesOnly: boolean
}

/** Applies a push (R3.7 to R3.10, D6.3). Returns the body of its answer: one result per change, in order. */
export async function push(
  store: RecordStore,
  { device, changes, entriesOnly }: Push,
  context: WriteContext,
  meter: Meter = noMeter,
): Promise<PushResponse> {
  const parsed = changes.map((change) => parseChange(change, device))
  const isForbidden = (change: Change) => entriesOnly && change.kind !== 'entries'
  const valid = parsed.flatMap((item) => (item.outcome === 'valid' && !isForbidden(item.change) ? [item.change] : []))
  const { version, applied } = await store.write(context.user, async (writer) => {
    const applied = await applyChanges(writer, valid, context)
    const { version } = await writer.position()
    return { version, applied }
  })
  const validResults = applied.values()
  const results = parsed.map((item): PushResult => {
    if (item.outcome !== 'valid') return toRefusal(item)
    const { change } = item
    return isForbidden(change) ? toForbidden(change) : toPushResult(change, validResults.next().value as ChangeResult)
  })
  for (const { status } of results) meter.pushed(status)
  return { version, server_time: instantOf(context.nowMs), results }
}

function toRefusal(item: Exclude<ParsedChange, { outcome: 'valid' }>): PushResult {
  const { kind, id } = item
  if (item.outcome === 'skipped') return { kind, id, status: 'skipped' }
  return {
    kind,
    id,
    status: 'rejected',
    problem: problemOf('invalid_record', 'The change cannot be stored.', item.errors),
  }
}

function toForbidden({ kind, id }: Change): PushResult {
  const detail = 'A token with the scope `record` writes entries only. Use one with the scope `full`.'
  return { kind, id, status: 'rejected', problem: problemOf('forbidden', detail) }
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
  return record.deleted ? { ...common, deleted: true } : { ...common, record: fieldsOf(record) as PushResult['record'] }
}
