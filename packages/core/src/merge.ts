import { epochMs, instantOf } from './instant.ts'
import { jsonEqual } from './json.ts'
import type { WritableKind } from './record-kinds.ts'
import { type DurationMs, type EpochMs, type Instant, MINUTE_MS, type RecordId } from './values.ts'

/** A change whose `updated_at` is further ahead of the service's clock is a claim (D6.13). */
export const CLOCK_TOLERANCE_MS: DurationMs = MINUTE_MS

/** The number of devices whose claims a record remembers (D6.14). */
const MAX_CLAIMS = 100

/** The highest `seq` of an applied claim, by device; the device whose claim was applied last stands last. */
export type Claims = Readonly<Record<string, number>>

/** A valid change of a record that clients may write, in canonical form (D6.1). */
export interface Change {
  kind: WritableKind
  id: RecordId
  /** The record's new content; null deletes the record. */
  content: Record<string, unknown> | null
  /** When the device made the change; null for a REST write that leaves the time to the service. */
  updatedAt: Instant | null
  /** Simple programs leave `device` and `seq` out. */
  device?: string | undefined
  seq?: number | undefined
}

/** The part of a stored record that decides conflicts; `content` is null for a tombstone. */
export interface RecordState {
  updatedAt: Instant
  content: Record<string, unknown> | null
  claims: Claims
}

/** The outcome of the conflict rule for one change (D6.10); `applied` comes with the state to store. */
export type Decision = ({ outcome: 'applied' } & RecordState) | { outcome: 'unchanged' } | { outcome: 'superseded' }

/**
 * Decides a change by the conflict rule (R3.8, D6.10). The later `updated_at` wins; with equal ones the stored state
 * stays. A change more than 60 s ahead of the service is a claim: it competes as it is, but is stored with the time of
 * the service. The record remembers device and seq of the claim, so that neither a repeat of it nor an older change of
 * that device is applied. A change without a time always wins, with the service's time.
 */
export function decideChange(
  stored: RecordState | undefined,
  change: Omit<Change, 'kind' | 'id'>,
  nowMs: EpochMs,
): Decision {
  const { content, updatedAt, device, seq } = change
  const claims = stored?.claims ?? {}
  if (updatedAt === null) return { outcome: 'applied', updatedAt: nextUpdatedAt(stored, nowMs), content, claims }
  if (stored) {
    const isRepeatOfClaim = device !== undefined && seq !== undefined && seq <= (claims[device] ?? -1)
    if (isRepeatOfClaim || updatedAt <= stored.updatedAt) {
      const isRepeat = isRepeatOfClaim || updatedAt === stored.updatedAt
      return { outcome: isRepeat && jsonEqual(stored.content, content) ? 'unchanged' : 'superseded' }
    }
  }
  if (epochMs(updatedAt) <= nowMs + CLOCK_TOLERANCE_MS) return { outcome: 'applied', updatedAt, content, claims }
  return {
    outcome: 'applied',
    updatedAt: nextUpdatedAt(stored, nowMs),
    content,
    claims: device !== undefined && seq !== undefined ? addClaim(claims, device, seq) : claims,
  }
}

/** Adds a claim as the last one. Beyond `MAX_CLAIMS` devices, forgets the one whose claim was applied longest ago. */
function addClaim(claims: Claims, device: string, seq: number): Claims {
  // Devices are UUIDs: unlike numbers, objects and JSON keep such keys in the order of insertion.
  const others: [string, number][] = Object.entries(claims).filter(([other]) => other !== device)
  const all: [string, number][] = [...others, [device, seq]]
  return Object.fromEntries(all.slice(-MAX_CLAIMS))
}

/** Returns the `updated_at` of a new change of a record: now, but later than the stored state. */
export function nextUpdatedAt(stored: Pick<RecordState, 'updatedAt'> | undefined, nowMs: EpochMs): Instant {
  return instantOf(stored ? Math.max(nowMs, epochMs(stored.updatedAt) + 1) : nowMs)
}
