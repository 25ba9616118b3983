import {
  claimedId,
  type InputError,
  instantOf,
  isJsonObject,
  type ParsedChange,
  type PushResult,
  parseChange,
  problemOf,
} from '@saldo/core'
import { type Meter, noMeter } from '../meter.ts'
import type { RecordStore, StoredRecord } from '../store/store.ts'
import { applyChanges, type ChangeOutcome, type WantedChange, type WriteContext } from './apply-changes.ts'

/** A push: its changes as they came, each still to be read. */
export interface Push {
  device: string | undefined
  changes: readonly unknown[]
}

/** Applies a push (R3.7 to R3.10, D6). Returns the body of its answer: one result per change, in order. */
export async function push(
  store: RecordStore,
  { device, changes }: Push,
  context: WriteContext,
  meter: Meter = noMeter,
): Promise<string> {
  const read = changes.map((change) => readChange(change, device))
  const wanted = read.flatMap((item) => ('wanted' in item ? [item.wanted] : []))
  const { version, outcomes } = await store.write(context.user, async (writer) => ({
    outcomes: wanted.length === 0 ? [] : await applyChanges(writer, wanted, context),
    version: (await writer.point()).version,
  }))
  let next = 0
  const results = read.map((item) => {
    if ('result' in item) {
      meter.pushed(item.result.status)
      return JSON.stringify(item.result)
    }
    const outcome = outcomes[next] as ChangeOutcome
    next += 1
    meter.pushed(outcome.status)
    return resultOf(item.wanted, outcome)
  })
  const head = JSON.stringify({ version, server_time: instantOf(context.nowMs) }).slice(0, -1)
  return `${head},"results":[${results.join(',')}]}`
}

/** A change to apply, or, where there is nothing to apply, its result. */
type ReadChange = { wanted: WantedChange } | { result: PushResult }

function readChange(input: unknown, device: string | undefined): ReadChange {
  const parsed = parseChange(input)
  if (parsed.ok === 'skipped') return { result: { kind: parsed.kind, id: parsed.id, status: 'skipped' } }
  if (parsed.ok) return { wanted: wantedChange(parsed.value, device) }
  return { result: rejected(claimedKind(input), claimedId(input), parsed.errors) }
}

function rejected(kind: string | null, id: string | null, errors: InputError[]): PushResult {
  return { kind, id, status: 'rejected', problem: problemOf('invalid_record', 'The change cannot be stored.', errors) }
}

function wantedChange({ kind, id, content, updatedAt, seq }: ParsedChange, device: string | undefined): WantedChange {
  return { kind, id, content, stamp: { updatedAt, device, seq } }
}

function claimedKind(input: unknown): string | null {
  const kind = isJsonObject(input) ? input.kind : null
  return typeof kind === 'string' && kind.length <= 100 && kind.isWellFormed() ? kind : null
}

function resultOf({ kind, id }: WantedChange, outcome: ChangeOutcome): string {
  if (outcome.status === 'rejected') {
    const errors = outcome.errors.map(({ pointer, detail }) => ({ pointer: `/record${pointer}`, detail }))
    return JSON.stringify(rejected(kind, id, errors))
  }
  const { status, stands } = outcome
  const head = `{"kind":"${kind}","id":"${id}","status":"${status}","version":${stands.version},"updated_at":"${stands.updatedAt}"`
  return status === 'superseded' ? `${head},${winner(stands)}}` : `${head}}`
}

function winner({ deleted, body }: StoredRecord): string {
  return deleted ? '"deleted":true' : `"record":${body}`
}
