import { clockText, subjectText, wallAt } from '@saldo/client/entries'
import { asLine, type Entry, type EpochMs, epochMs, isTimed, type LocalDate, type ZoneName } from '@saldo/core'
import { hours } from './text.ts'

const MIN_ID_LENGTH = 4

/** Returns the number of first characters that tell all ids apart, at least four. */
export function shortIdLength(ids: readonly string[]): number {
  const sorted = ids.toSorted()
  let length = MIN_ID_LENGTH
  for (const [index, id] of sorted.entries()) {
    const next = sorted[index + 1] ?? ''
    while (id !== next && id.slice(0, length) === next.slice(0, length)) length += 1
  }
  return length
}

/** Returns a time of a zone as `9:00`, with the date before it if it is another one. */
export function timeText(ms: EpochMs, zone: ZoneName, date?: LocalDate): string {
  const wall = wallAt(ms, zone)
  const time = clockText(wall.minutes)
  return date === undefined || wall.date === date ? time : `${wall.date} ${time}`
}

/** Returns the date of an entry: of its start, by the zone of the account. */
export function dateOf(entry: Entry, zone: ZoneName): LocalDate {
  return isTimed(entry) ? wallAt(epochMs(entry.started_at), zone).date : entry.date
}

/** Returns when an entry is on its date: `09:00-12:30`, `09:00-`, `half a day`. */
export function whenText(entry: Entry, zone: ZoneName): string {
  if (isTimed(entry)) {
    const start = epochMs(entry.started_at)
    const date = wallAt(start, zone).date
    const end = entry.ended_at === null ? '' : timeText(epochMs(entry.ended_at), zone, date)
    return `${timeText(start, zone)}-${end}`
  }
  if (entry.kind === 'vacation_grant') return `${entry.days} days`
  if (entry.amount_ms !== null) return hours(entry.amount_ms)
  return entry.day_share === 1 ? 'whole day' : entry.day_share === 0.5 ? 'half a day' : `${entry.day_share} of the day`
}

/** Returns how long a timed entry is; a running one so far. */
export function lengthMs(entry: Entry, nowMs: EpochMs): number | undefined {
  if (!isTimed(entry)) return undefined
  const end = entry.ended_at === null ? nowMs : epochMs(entry.ended_at)
  return Math.max(0, end - epochMs(entry.started_at))
}

/** Returns what an entry is about: its project, note and tags, or the kind of an absence. */
export function whatText(entry: Pick<Entry, 'kind' | 'project' | 'note' | 'tags'> & { counts?: boolean }): string {
  const { kind, project, note, tags, counts = true } = entry
  const subject = subjectText({ project, note, tags, counts })
  return asLine([kind === 'work' ? '' : kind.replaceAll('_', ' '), subject].filter((text) => text !== '').join(': '))
}
