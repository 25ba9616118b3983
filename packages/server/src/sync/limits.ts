import {
  allDates,
  type Change,
  type Content,
  DAY_MS,
  type DurationMs,
  type EpochMs,
  entryLimits,
  epochMs,
  type InputError,
  isTimed,
  type RecordState,
  utcMidnight,
  type WritableKind,
} from '@saldo/core'
import type { UserReader } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'

/** The most that all adjustments of a user add up to without their signs: 2^52 ms keep every balance exact (D2.22). */
const MAX_ADJUSTMENTS_MS: DurationMs = 2 ** 52
/** Every response about the account reads all settings rows (D2.30). */
const MAX_SETTINGS_ROWS = 500
/** Whoever reads the requests of a user reads hundreds of them, and computes a digest of each (D26.14). */
const MAX_REQUEST_CHARACTERS = 4 * 1024 * 1024

/** The reason why a valid change cannot be stored. Pointers are into the record. */
export interface Rejection {
  code: 'invalid_record' | 'quota_exceeded' | 'approval_needed' | 'locked' | 'managed'
  detail: string
  errors?: InputError[]
}

/** The amount that a record adds to one of the sums that are limited. */
interface Contribution {
  /** Names the sum, such as `settings`. */
  sum: string
  size: number
  max: number
  error: InputError
}

/** Holds the sums over a user's live records within their limits while changes are applied. */
export class RecordLimits {
  readonly #sums: Map<string, number>

  private constructor(sums: Map<string, number>) {
    this.#sums = sums
  }

  /** Reads the sums that changes can raise. `stateBefore` returns the state of a record before them. */
  static async read(
    reader: UserReader,
    changes: readonly Change[],
    stateBefore: (change: Change) => RecordState | undefined,
  ): Promise<RecordLimits> {
    const sums = new Map<string, number>()
    const kinds = new Set(changes.filter(({ content }) => content).map(({ kind }) => kind))
    if (kinds.has('balance_adjustments')) {
      sums.set('adjustments', (await reader.sumDeltas('balance_adjustments', dateSpan(allDates))).absolute)
    }
    if (kinds.has('settings_history')) {
      sums.set('settings', await reader.count('settings_history', dateSpan(allDates)))
    }
    if (changes.some(({ kind, content }) => kind === 'entries' && content?.kind === 'request')) {
      sums.set('requests', await reader.requestCharacters())
    }
    const days = changes.flatMap((change) => {
      if (change.kind !== 'entries' || !change.content) return []
      const before = stateBefore(change)?.content
      const day = dayOf(change.content)
      // An entry that stays on its day raises no sum, whatever other changes do to it.
      return before && dayOf(before) === day ? [] : [day]
    })
    if (days.length > 0) {
      const [first, last] = [Math.min(...days), Math.max(...days)]
      const span = { from: first * DAY_MS, to: (last + 1) * DAY_MS }
      for (const { day, count } of await reader.countByDay('entries', span)) sums.set(`entries ${day}`, count)
    }
    return new RecordLimits(sums)
  }

  /** Counts a change. Returns a rejection instead if it raises a sum beyond its limit. */
  count({ kind, content }: Change, before: RecordState | undefined): Rejection | undefined {
    const [removed, added] = [contributionsOf(kind, before?.content), contributionsOf(kind, content)]
    for (const { sum, size, max, error } of added) {
      const sumBefore = this.#sums.get(sum) ?? 0
      const sumAfter = sumBefore + size - (removed.find((each) => each.sum === sum)?.size ?? 0)
      if (sumAfter > Math.max(sumBefore, max)) {
        return { code: 'invalid_record', detail: 'The record is not valid.', errors: [error] }
      }
    }
    for (const { sum, size } of removed) this.#add(sum, -size)
    for (const { sum, size } of added) this.#add(sum, size)
    return undefined
  }

  #add(sum: string, size: number): void {
    this.#sums.set(sum, (this.#sums.get(sum) ?? 0) + size)
  }
}

function contributionsOf(kind: WritableKind, content: RecordState['content'] | undefined): Contribution[] {
  if (!content) return []
  switch (kind) {
    case 'balance_adjustments': {
      const detail = 'must keep the sum of all adjustments, signs aside, within 2^52 ms'
      const size = Math.abs(Number(content.delta_ms))
      return [{ sum: 'adjustments', size, max: MAX_ADJUSTMENTS_MS, error: { pointer: '/delta_ms', detail } }]
    }
    case 'settings_history': {
      const detail = `must not be beyond ${MAX_SETTINGS_ROWS} settings rows: delete some first`
      return [{ sum: 'settings', size: 1, max: MAX_SETTINGS_ROWS, error: { pointer: '', detail } }]
    }
    case 'entries': {
      const detail = `must not be beyond ${entryLimits.perDay} entries that begin on one day (UTC)`
      const sum = `entries ${dayOf(content)}`
      const ofDay = { sum, size: 1, max: entryLimits.perDay, error: { pointer: '', detail } }
      return content.kind === 'request' ? [ofDay, ofRequests(content)] : [ofDay]
    }
  }
}

function ofRequests(request: NonNullable<RecordState['content']>): Contribution {
  const detail = `must not be beyond ${MAX_REQUEST_CHARACTERS} characters of all requests: delete some first`
  const size = JSON.stringify(request).length
  return { sum: 'requests', size, max: MAX_REQUEST_CHARACTERS, error: { pointer: '', detail } }
}

/** Returns the UTC day on which an entry begins, counted from 1970. */
function dayOf(content: NonNullable<RecordState['content']>): number {
  const entry = content as Content<'entries'>
  const startMs: EpochMs = isTimed(entry) ? epochMs(entry.started_at) : utcMidnight(entry.date)
  return Math.floor(startMs / DAY_MS)
}
