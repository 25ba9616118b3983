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
  isRequest,
  isTimed,
  type RecordState,
  utcMidnight,
  type WritableKind,
} from '@saldo/core'
import type { UserReader } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'
import { mapInSlices } from '../time-slice.ts'

/** The most that all adjustments of a user add up to without their signs: 2^52 ms keep every balance exact (D2.22). */
const MAX_ADJUSTMENTS_MS: DurationMs = 2 ** 52
/** The balance, and each write of an adjustment, adds all of them up (D2.40). */
const MAX_ADJUSTMENTS = 10_000
/** Every response about the account reads all settings rows (D2.30). */
const MAX_SETTINGS_ROWS = 500
/** A running entry has no end, so that each computation of a later day reads it (D2.41). */
const MAX_RUNNING = 100
/** An answer about a date names all its absences, and one about a year all its vacation and grants (D2.42). */
const MAX_ABSENCES_PER_DATE = 50
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
  /** The UTC day of a sum of a day, counted from 1970. */
  day?: number
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
    const raised = await mapInSlices(changes, (change) => raisedBy(change, stateBefore(change)))
    const days = new Set(raised.flat().flatMap(({ day }) => day ?? []))
    const raisedSums = new Set(raised.flat().map(({ sum }) => sum))
    const sums = new Map<string, number>()
    if (raisedSums.has('deltas')) {
      sums.set('deltas', (await reader.sumDeltas('balance_adjustments', dateSpan(allDates))).absolute)
    }
    if (raisedSums.has('adjustments')) {
      sums.set('adjustments', await reader.count('balance_adjustments', dateSpan(allDates)))
    }
    if (raisedSums.has('settings')) sums.set('settings', await reader.count('settings_history', dateSpan(allDates)))
    if (raisedSums.has('requests')) sums.set('requests', await reader.requestCharacters())
    if (raisedSums.has('running')) sums.set('running', await reader.countRunning(MAX_RUNNING + 1))
    for (const { day, entries, absences } of await reader.countOnDays([...days])) {
      sums.set(`entries ${day}`, entries)
      sums.set(`absences ${day}`, absences)
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

/** Returns what a change adds to sums. One that leaves an entry on its day raises none, whatever others do to it. */
function raisedBy({ kind, content }: Change, before: RecordState | undefined): Contribution[] {
  const removed = contributionsOf(kind, before?.content)
  return contributionsOf(kind, content).filter(
    ({ sum, size }) => !removed.some((each) => each.sum === sum && each.size >= size),
  )
}

function contributionsOf(kind: WritableKind, content: RecordState['content'] | undefined): Contribution[] {
  if (!content) return []
  switch (kind) {
    case 'balance_adjustments': {
      const detail = 'must keep the sum of all adjustments, signs aside, within 2^52 ms'
      const size = Math.abs(Number(content.delta_ms))
      return [
        { sum: 'deltas', size, max: MAX_ADJUSTMENTS_MS, error: { pointer: '/delta_ms', detail } },
        oneOf('adjustments', MAX_ADJUSTMENTS, 'adjustments: delete some first'),
      ]
    }
    case 'settings_history':
      return [oneOf('settings', MAX_SETTINGS_ROWS, 'settings rows: delete some first')]
    case 'entries':
      return contributionsOfEntry(content as Content<'entries'>)
  }
}

function contributionsOfEntry(entry: Content<'entries'>): Contribution[] {
  const day = dayOf(entry)
  const ofDay = { ...oneOf(`entries ${day}`, entryLimits.perDay, 'entries that begin on one day (UTC)'), day }
  if (isTimed(entry)) {
    return entry.ended_at === null
      ? [ofDay, oneOf('running', MAX_RUNNING, 'running entries: stop some first')]
      : [ofDay]
  }
  if (isRequest(entry)) return [ofDay, ofRequests(entry)]
  const ofDate = oneOf(`absences ${day}`, MAX_ABSENCES_PER_DATE, 'absences and vacation grants on one date')
  return [ofDay, { ...ofDate, day }]
}

/** Returns the share of a record in a number of records. */
function oneOf(sum: string, max: number, of: string): Contribution {
  return { sum, size: 1, max, error: { pointer: '', detail: `must not be beyond ${max} ${of}` } }
}

function ofRequests(request: Content<'entries'>): Contribution {
  const detail = `must not be beyond ${MAX_REQUEST_CHARACTERS} characters of all requests: delete some first`
  const size = JSON.stringify(request).length
  return { sum: 'requests', size, max: MAX_REQUEST_CHARACTERS, error: { pointer: '', detail } }
}

/** Returns the UTC day on which an entry begins, counted from 1970. */
function dayOf(entry: Content<'entries'>): number {
  const startMs: EpochMs = isTimed(entry) ? epochMs(entry.started_at) : utcMidnight(entry.date)
  return Math.floor(startMs / DAY_MS)
}
