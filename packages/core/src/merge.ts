import { epochMs, instantOf } from './instant.ts'
import { type JsonObject, jsonEqual } from './json.ts'
import type { EpochMs, Instant } from './values.ts'

/** How far ahead of the service's clock an `updated_at` may lie before it is a claim (D6), in milliseconds. */
export const CLOCK_TOLERANCE_MS = 60_000

/** How many devices a record remembers; an older claim could win again only behind so many others. */
const MAX_CLAIMS = 100

/** For each device, the highest `seq` with which it won by a claim. */
export type Claims = Readonly<Record<string, number>>

/** What is stored of a record: its content, or `null` for a tombstone. */
export interface StoredState {
  updatedAt: Instant
  content: JsonObject | null
  claims: Claims
}

/** A change as it came: new content, or `null` for a delete. Simple programs leave `device` and `seq` out. */
export interface Change {
  updatedAt: Instant
  content: JsonObject | null
  device?: string | undefined
  seq?: number | undefined
}

/** What becomes of a change (D6). Where it is applied, this is the state to store. */
export type Decision = ({ outcome: 'applied' } & StoredState) | { outcome: 'unchanged' } | { outcome: 'superseded' }

/**
 * The whole conflict rule (R3.8, D6). The strictly later `updated_at` wins; equal ones keep what is stored. A change
 * from a clock more than 60 s ahead is a claim: it competes as it is, but is stored with the service's time, and the
 * record remembers its device and seq, so that no repeat of it, nor anything older of that device, is applied again.
 */
export function decideChange(stored: StoredState | undefined, change: Change, serverTime: EpochMs): Decision {
  if (stored) {
    const claimed = isClaimed(stored.claims, change)
    if (claimed || change.updatedAt <= stored.updatedAt) {
      const repeats = claimed || change.updatedAt === stored.updatedAt
      const same = repeats && jsonEqual(stored.content, change.content)
      return { outcome: same ? 'unchanged' : 'superseded' }
    }
  }
  const { content, device, seq } = change
  const claims = stored?.claims ?? {}
  if (epochMs(change.updatedAt) <= serverTime + CLOCK_TOLERANCE_MS) {
    return { outcome: 'applied', updatedAt: change.updatedAt, content, claims }
  }
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

function isClaimed(claims: Claims, { device, seq }: Change): boolean {
  return device !== undefined && seq !== undefined && seq <= (claims[device] ?? -1)
}

/** The time that the service stamps on a change of its own: now, but always after what it changes. */
export function laterThan(stored: Pick<StoredState, 'updatedAt'> | undefined, serverTime: EpochMs): Instant {
  return instantOf(stored ? Math.max(serverTime, epochMs(stored.updatedAt) + 1) : serverTime)
}
