import { epochMs, instantOf } from './instant.ts'
import { type JsonObject, jsonEqual } from './json.ts'
import type { WritableKind } from './record.ts'
import type { EpochMs, Instant, RecordId } from './values.ts'

/** How far ahead of the service's clock an `updated_at` may lie before it is a claim (D6), in milliseconds. */
export const CLOCK_TOLERANCE_MS = 60_000

/** How many devices a record remembers; an older claim could win again only behind so many others. */
const MAX_CLAIMS = 100

/** For each device, the highest `seq` with which it won by a claim. */
export type Claims = Readonly<Record<string, number>>

/** A valid change of a record that clients may write, in canonical form (D6). */
export interface Change {
  kind: WritableKind
  id: RecordId
  /** The record's new content; null deletes the record. */
  content: JsonObject | null
  /** When the device made the change; null for a REST write that leaves the time to the service. */
  updatedAt: Instant | null
  /** Simple programs leave `device` and `seq` out. */
  device?: string | undefined
  seq?: number | undefined
}

/** The part of a stored record that decides conflicts; `content` is null for a tombstone. */
export interface RecordState {
  updatedAt: Instant
  content: JsonObject | null
  claims: Claims
}

/** The outcome of the conflict rule for one change (D6); `applied` comes with the state to store. */
export type Decision = ({ outcome: 'applied' } & RecordState) | { outcome: 'unchanged' } | { outcome: 'superseded' }

/**
 * Decides a change by the conflict rule (R3.8, D6). The strictly later `updated_at` wins; equal ones keep what is
 * stored. A change from a clock more than 60 s ahead is a claim: it competes as it is, but is stored with the service's
 * time, and the record remembers its device and seq, so that no repeat of it, nor anything older of that device, is
 * applied again. A change without a time always wins, with the service's time.
 */
export function decideChange(
  stored: RecordState | undefined,
  change: Omit<Change, 'kind' | 'id'>,
  serverTime: EpochMs,
): Decision {
  const { content, updatedAt, device, seq } = change
  const claims = stored?.claims ?? {}
  if (updatedAt === null) return { outcome: 'applied', updatedAt: laterThan(stored, serverTime), content, claims }
  if (stored) {
    const isRepeatOfClaim = device !== undefined && seq !== undefined && seq <= (claims[device] ?? -1)
    if (isRepeatOfClaim || updatedAt <= stored.updatedAt) {
      const isRepeat = isRepeatOfClaim || updatedAt === stored.updatedAt
      return { outcome: isRepeat && jsonEqual(stored.content, content) ? 'unchanged' : 'superseded' }
    }
  }
  if (epochMs(updatedAt) <= serverTime + CLOCK_TOLERANCE_MS) return { outcome: 'applied', updatedAt, content, claims }
  return {
    outcome: 'applied',
    updatedAt: laterThan(stored, serverTime),
    content,
    claims: device !== undefined && seq !== undefined ? withClaim(claims, device, seq) : claims,
  }
}

function withClaim(claims: Claims, device: string, seq: number): Claims {
  const { [device]: _before, ...others } = claims
  return { ...Object.fromEntries(Object.entries(others).slice(1 - MAX_CLAIMS)), [device]: seq }
}

/** The time that the service stamps on a change of its own: now, but always after what it changes. */
export function laterThan(stored: Pick<RecordState, 'updatedAt'> | undefined, serverTime: EpochMs): Instant {
  return instantOf(stored ? Math.max(serverTime, epochMs(stored.updatedAt) + 1) : serverTime)
}
