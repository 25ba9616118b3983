import * as v from 'valibot'
import { Problem } from './errors.ts'
import type { RecordId } from './ids.ts'
import type { Instant } from './instant.ts'
import { isJsonObject, type JsonObject } from './json.ts'
import {
  AdjustmentContent,
  ClosedDay,
  EntryContent,
  isRecordKind,
  isWritableKind,
  parseContent,
  type RecordKind,
  recordKinds,
  recordSchemas,
  SettingsContent,
  type WritableKind,
} from './record.ts'
import {
  type Checked,
  check,
  DateText,
  InstantText,
  SignedMs,
  Uuid,
  WeekText,
  wholeNumber,
  Zone,
} from './validation.ts'
import { warningCodes } from './warnings.ts'

/** The number of the wire protocol, in every answer's `Saldo-Protocol` header. It grows when the wire grows. */
export const PROTOCOL_VERSION = 2
/** SHA-256 of the schemas that this version stands for; `wire.test.ts` holds it and says what to do when they change. */
export const PROTOCOL_HASH = 'f7235ac2397006606405663a01ca50e2aeaafb6ac7842dc86a98fce5db7e5fd6'

const Version = wholeNumber(0, Number.MAX_SAFE_INTEGER)
const Seq = v.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER))
const Tag = v.pipe(v.nullable(v.string()), v.metadata({ description: 'Names a version of one history; null for 0.' }))

const Tombstone = v.object({ id: Uuid, updated_at: InstantText, version: Version })

const byKind = <S extends Record<RecordKind, v.GenericSchema>>(schemas: S) =>
  v.object(
    Object.fromEntries(recordKinds.map((kind) => [kind, v.optional(v.array(schemas[kind]))])) as {
      [K in RecordKind]: v.OptionalSchema<v.ArraySchema<S[K], undefined>, undefined>
    },
  )

const tombstones = Object.fromEntries(recordKinds.map((kind) => [kind, Tombstone])) as Record<
  RecordKind,
  typeof Tombstone
>

/** What pull answers (D5): what changed since a version, or a page of a snapshot, which alone has `cursor`. */
export const PullAnswer = v.object({
  version: Version,
  tag: Tag,
  since_tag: v.optional(Tag),
  has_more: v.boolean(),
  cursor: v.optional(v.nullable(v.string())),
  server_time: InstantText,
  changes: byKind(recordSchemas),
  deleted: byKind(tombstones),
})
export type PullAnswer = v.InferOutput<typeof PullAnswer>

const KindDigest = v.object({
  count: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/)),
})

/** What is live at a version, by kind (D10). */
export const DigestAnswer = v.object({
  version: Version,
  tag: Tag,
  kinds: v.object(
    Object.fromEntries(recordKinds.map((kind) => [kind, KindDigest])) as Record<RecordKind, typeof KindDigest>,
  ),
})
export type DigestAnswer = v.InferOutput<typeof DigestAnswer>

const upsert = <K extends WritableKind, S extends v.GenericSchema>(kind: K, content: S) =>
  v.object({
    kind: v.literal(kind),
    op: v.literal('upsert'),
    seq: Seq,
    record: v.intersect([v.object({ id: Uuid, updated_at: InstantText }), content]),
  })

/** One change of a push, as it is documented; `parseChange` reads one. */
export const PushChange = v.union([
  upsert('entries', EntryContent),
  upsert('settings_history', SettingsContent),
  upsert('balance_adjustments', AdjustmentContent),
  v.object({
    kind: v.picklist(recordKinds),
    op: v.literal('delete'),
    seq: Seq,
    id: Uuid,
    updated_at: InstantText,
  }),
])

/** The envelope of a push; its changes are read one by one, so that a bad one does not stop its neighbours. */
export const PushEnvelope = v.object({
  device: v.optional(Uuid),
  changes: v.array(v.unknown(), 'must be a list of changes'),
})

export const pushStatuses = ['applied', 'unchanged', 'superseded', 'skipped', 'rejected'] as const

export const PushResult = v.object({
  kind: v.nullable(v.string()),
  id: v.nullable(v.string()),
  status: v.picklist(pushStatuses),
  version: v.optional(Version),
  updated_at: v.optional(InstantText),
  record: v.optional(
    v.union([recordSchemas.entries, recordSchemas.settings_history, recordSchemas.balance_adjustments]),
  ),
  deleted: v.optional(v.boolean()),
  problem: v.optional(Problem),
})

export const PushAnswer = v.object({
  version: Version,
  server_time: InstantText,
  results: v.array(PushResult),
})
export type PushResult = v.InferOutput<typeof PushResult>
export type PushAnswer = v.InferOutput<typeof PushAnswer>

/** What a change names: the record, and the time that its device stamped. */
const Stamp = v.object({ id: Uuid, updated_at: InstantText })

/** A change that was read: `content` is null for a delete. `updatedAt` is canonical. */
export interface ParsedChange {
  kind: WritableKind
  id: RecordId
  updatedAt: Instant
  content: JsonObject | null
  seq: number | undefined
}

/**
 * Reads one change of a push. `skipped` is a change of a kind that only the service writes (R3.9). Pointers of errors
 * are into the change.
 */
export function parseChange(
  input: unknown,
): Checked<ParsedChange> | { ok: 'skipped'; kind: RecordKind; id: string | null } {
  if (!isJsonObject(input)) return wrong('', 'must be an object')
  const { kind, op } = input
  if (!isRecordKind(kind)) return wrong('/kind', `must be one of ${recordKinds.join(', ')}`)
  if (!isWritableKind(kind)) return { ok: 'skipped', kind, id: claimedId(input) }
  if (op !== 'upsert' && op !== 'delete') return wrong('/op', 'must be upsert or delete')

  const pointer = op === 'upsert' ? '/record' : ''
  const stamp = op === 'upsert' ? input.record : input
  if (!isJsonObject(stamp)) return wrong(pointer, 'must be an object')
  const seq = check(Seq, input.seq, '/seq')
  if (!seq.ok) return seq
  const stamped = check(Stamp, stamp, pointer)
  if (!stamped.ok) return stamped
  const said = op === 'upsert' ? parseContent(kind, stamp, pointer) : ({ ok: true, value: null } as const)
  if (!said.ok) return said
  const { id, updated_at: updatedAt } = stamped.value
  return { ok: true, value: { kind, id, updatedAt, content: said.value as JsonObject | null, seq: seq.value } }
}

/** The id that a change names, however wrong the rest of it is; null where it names none. */
export function claimedId(input: unknown): string | null {
  if (!isJsonObject(input)) return null
  const id = input.op !== 'delete' && isJsonObject(input.record) ? input.record.id : input.id
  return typeof id === 'string' && id.length <= 100 && id.isWellFormed() ? id : null
}

function wrong(pointer: string, detail: string): { ok: false; errors: { pointer: string; detail: string }[] } {
  return { ok: false, errors: [{ pointer, detail }] }
}

/** The balance (R1.4, R2.7): `balance_ms` is the sum of the closed weeks and of all live adjustments. */
export const BalanceSummary = v.object({
  closed_weeks_delta_ms: SignedMs,
  adjustments_delta_ms: SignedMs,
  balance_ms: SignedMs,
  future_adjustments_delta_ms: SignedMs,
  open_delta_ms: SignedMs,
  projected_balance_ms: SignedMs,
  last_closed_week: v.nullable(WeekText),
  as_of: InstantText,
  time_zone: v.nullable(Zone),
  recomputing: v.array(v.object({ from: DateText, to: DateText })),
})
export type BalanceSummary = v.InferOutput<typeof BalanceSummary>

/** A day of the account: the closed figures, or those computed of an open day, with what is odd about its entries. */
export const AccountDay = v.object({
  date: DateText,
  state: v.picklist(['closed', 'open', 'outside']),
  ended: v.boolean(),
  time_zone: Zone,
  target_ms: ClosedDay.entries.target_ms,
  worked_ms: ClosedDay.entries.worked_ms,
  break_ms: ClosedDay.entries.break_ms,
  deducted_break_ms: ClosedDay.entries.deducted_break_ms,
  credited_ms: ClosedDay.entries.credited_ms,
  delta_ms: ClosedDay.entries.delta_ms,
  settings_id: v.nullable(Uuid),
  warnings: v.array(v.object({ code: v.picklist(warningCodes), entry_ids: v.array(Uuid) })),
})
export type AccountDay = v.InferOutput<typeof AccountDay>
