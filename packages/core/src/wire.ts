import * as v from 'valibot'
import { AdjustmentContent } from './adjustment.ts'
import { KindDigest } from './digest.ts'
import { EntryContent } from './entry.ts'
import { type InputError, Problem } from './errors.ts'
import { isJsonObject } from './json.ts'
import { fieldsFor } from './list.ts'
import type { Change } from './merge.ts'
import { MAX_RECORD_BYTES, parseContent, recordSchemas } from './record.ts'
import { isRecordKind, isWritableKind, type RecordKind, recordKinds, type WritableKind } from './record-kinds.ts'
import { SettingsContent } from './settings.ts'
import { CanonicalInstant, type Checked, check, InstantText, invalid, Uuid, wholeNumber } from './validation.ts'

/** The version of the wire protocol, in the `Saldo-Protocol` header of every response. It grows when the wire grows. */
export const PROTOCOL_VERSION = 3
/** SHA-256 of the schemas of this version. `wire.test.ts` compares it and says what to do when they change. */
export const PROTOCOL_HASH = '28f74d5c69a42363ac805854b72ff1226e2d85d4f96a632e99f2e28027ca680a'

/** Limits that clients may rely on (D1.3, D5.3, D6.2). */
export const wireLimits = {
  pull_default: 5_000,
  pull_max: 10_000,
  push_changes: 1_000,
  push_bytes: 4 * 1024 * 1024,
  record_bytes: MAX_RECORD_BYTES,
} as const

const Version = wholeNumber(0, Number.MAX_SAFE_INTEGER)
const Seq = v.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER))
/** A version of a user's history, with the tag that tells one history from another (D4.6). */
export interface SyncPosition {
  version: number
  /** Null only at version 0. */
  tag: string | null
}

const Tag = v.pipe(
  v.nullable(v.string()),
  v.metadata({ description: 'The history tag of a version; null for version 0.' }),
)

/**
 * The fields of a record or tombstone that sync relies on. A client checks them in every record that a service sends.
 * A record that fails the rest of its schema may come from a newer service: the client keeps it and does not show it.
 */
export const RecordStamp = v.looseObject({ id: Uuid, updated_at: CanonicalInstant, version: Version })
export type RecordStamp = v.InferOutput<typeof RecordStamp>

const Tombstone = v.object({ id: Uuid, updated_at: InstantText, version: Version })

/** The same schema for every kind. */
const forEachKind = <S extends v.GenericSchema>(schema: S) => fieldsFor(recordKinds, (): S => schema)

/** An object with an optional list for every kind. */
const listsByKind = <S extends Record<RecordKind, v.GenericSchema>>(schemas: S) =>
  v.object(
    Object.fromEntries(recordKinds.map((kind) => [kind, v.optional(v.array(schemas[kind]))])) as {
      [K in RecordKind]: v.OptionalSchema<v.ArraySchema<S[K], undefined>, undefined>
    },
  )

const pullResponse = {
  version: Version,
  tag: Tag,
  since_tag: v.optional(Tag),
  has_more: v.boolean(),
  cursor: v.optional(v.nullable(v.string())),
  server_time: InstantText,
}

/** A response to a pull (D5.1, D5.7): changes since a version, or a page of a snapshot, which alone has `cursor`. */
export const PullResponse = v.object({
  ...pullResponse,
  changes: listsByKind(recordSchemas),
  deleted: listsByKind(forEachKind(Tombstone)),
})
export type PullResponse = v.InferOutput<typeof PullResponse>

/** The time of the service. It leaves a century in which the corrected times of a client can still be written. */
const ServerTime = v.pipe(InstantText, v.maxValue('9899-12-31T23:59:59.999Z'))

/** The parts of a response to a pull that a client relies on. It checks each record by itself, by `recordSchemas`. */
export const ReceivedPull = v.object({
  ...pullResponse,
  server_time: ServerTime,
  changes: listsByKind(forEachKind(RecordStamp)),
  deleted: listsByKind(forEachKind(RecordStamp)),
})
export type ReceivedPull = v.InferOutput<typeof ReceivedPull>

/** A digest of every kind at a version (D10.1). */
export const DigestResponse = v.object({ version: Version, tag: Tag, kinds: v.object(forEachKind(KindDigest)) })
export type DigestResponse = v.InferOutput<typeof DigestResponse>

/** The parts of a response with digests that a client relies on: it may come from an older or a newer service. */
export const ReceivedDigest = v.object({
  version: Version,
  tag: Tag,
  kinds: v.object(forEachKind(v.optional(KindDigest))),
})
export type ReceivedDigest = v.InferOutput<typeof ReceivedDigest>

const upsert = <K extends WritableKind, S extends v.GenericSchema>(kind: K, content: S) =>
  v.object({
    kind: v.literal(kind),
    op: v.literal('upsert'),
    seq: Seq,
    record: v.intersect([v.object({ id: Uuid, updated_at: InstantText }), content]),
  })

/** A change of a push as OpenAPI documents it; `parseChange` reads it. */
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

/** The envelope of a push. Its changes are read one by one, so that an invalid one does not affect the others. */
export const PushRequest = v.object({
  device: v.optional(Uuid),
  changes: v.array(v.unknown(), 'must be a list of changes'),
})

/** The outcomes of a change in a push. */
export const pushStatuses = ['applied', 'unchanged', 'superseded', 'skipped', 'rejected'] as const

/** The outcome of one change in a push. `record` is the stored record where another change won. */
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

/** A response to a push: a result for each change, in the order of the changes. */
export const PushResponse = v.object({ version: Version, server_time: InstantText, results: v.array(PushResult) })
export type PushResult = v.InferOutput<typeof PushResult>
export type PushResponse = v.InferOutput<typeof PushResponse>

/** The parts of a push result that a client relies on. */
export const ReceivedPushResult = v.variant('status', [
  v.looseObject({
    ...RecordStamp.entries,
    status: v.picklist(['applied', 'unchanged', 'superseded']),
    record: v.optional(RecordStamp),
  }),
  v.looseObject({ status: v.picklist(['skipped', 'rejected']) }),
])
export type ReceivedPushResult = v.InferOutput<typeof ReceivedPushResult>

/** The parts of a response to a push that a client relies on. */
export const ReceivedPush = v.object({ server_time: ServerTime, results: v.array(ReceivedPushResult) })
export type ReceivedPush = v.InferOutput<typeof ReceivedPush>

const ChangeStamp = v.object({ id: Uuid, updated_at: InstantText })

/**
 * The outcome of reading a change of a push (D6.7): a change of a kind that only the service writes is `skipped`
 * (R3.9). `kind` and `id` of a rejected change are null if it has none that a response can echo. The pointers of
 * errors are into the change.
 */
export type ParsedChange =
  | { outcome: 'valid'; change: Change }
  | { outcome: 'skipped'; kind: RecordKind; id: string | null }
  | { outcome: 'rejected'; kind: string | null; id: string | null; errors: InputError[] }

/** Reads a change of a push by `device`. */
export function parseChange(input: unknown, device?: string): ParsedChange {
  const kind = isJsonObject(input) ? toEcho(input.kind) : null
  const id = idInChange(input)
  if (isRecordKind(kind) && !isWritableKind(kind)) return { outcome: 'skipped', kind, id }
  const checked = checkChange(input, device)
  return checked.ok
    ? { outcome: 'valid', change: checked.value }
    : { outcome: 'rejected', kind, id, errors: checked.errors }
}

function checkChange(input: unknown, device: string | undefined): Checked<Change> {
  if (!isJsonObject(input)) return invalid('', 'must be an object')
  const { kind, op } = input
  if (!isWritableKind(kind)) return invalid('/kind', `must be one of ${recordKinds.join(', ')}`)
  if (op !== 'upsert' && op !== 'delete') return invalid('/op', 'must be upsert or delete')

  const pointer = op === 'upsert' ? '/record' : ''
  const record = op === 'upsert' ? input.record : input
  if (!isJsonObject(record)) return invalid(pointer, 'must be an object')
  const seq = check(Seq, input.seq, '/seq')
  if (!seq.ok) return seq
  const stamp = check(ChangeStamp, record, pointer)
  if (!stamp.ok) return stamp
  const content = op === 'upsert' ? parseContent(kind, record, pointer) : ({ ok: true, value: null } as const)
  if (!content.ok) return content
  const { id, updated_at: updatedAt } = stamp.value
  return {
    ok: true,
    value: { kind, id, content: content.value, updatedAt, device, seq: seq.value },
  }
}

/** Returns the id in a change that may be invalid, null if it has none that a response can echo. */
export function idInChange(input: unknown): string | null {
  if (!isJsonObject(input)) return null
  return toEcho(input.op !== 'delete' && isJsonObject(input.record) ? input.record.id : input.id)
}

/** Returns an input as a response echoes it, null if it is long or no text. */
function toEcho(value: unknown): string | null {
  return typeof value === 'string' && value.length <= 100 && value.isWellFormed() ? value : null
}
