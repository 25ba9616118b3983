import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import {
  type AbsenceContent,
  type AbsenceSize,
  type AccountAbsence,
  addDays,
  addDaysWithinCalendar,
  dateAt,
  type EpochMs,
  type FeedLanguage,
  type FeedRow,
  formatDelta,
  hasDate,
  type IdentifiedEntry,
  isAccountAbsence,
  utcDate,
} from '@saldo/core'
import { readEntries, readTimeline } from '../account/account-reads.ts'
import type { UserReader } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'
import type { AwayPeople } from '../team/away.ts'
import { type CalendarProperty, utcSeconds, writeComponent } from './icalendar.ts'

/** A feed covers this many days before and after today (D15.6). */
const DAYS_EACH_WAY = 366
/** The most entries that a feed looks at, so that a request has bounded work (D15.6). */
const MAX_ENTRIES = 5_000
/** Others are served after writing this many events. */
const EVENTS_AT_ONCE = 250
/** Calendars are asked to look for changes so often. */
const REFRESH = 'PT1H'
const END = 'END:VCALENDAR\r\n'

/** Reads the entries that a feed can show now: those near today, the latest if there are too many. */
export async function readFeedEntries(reader: UserReader, nowMs: EpochMs): Promise<IdentifiedEntry[]> {
  const timeline = await readTimeline(reader)
  const today = dateAt(timeline, nowMs)
  const to = addDaysWithinCalendar(today, DAYS_EACH_WAY)
  let from = addDaysWithinCalendar(today, -DAYS_EACH_WAY)
  const firstBeyondMs = await reader.startOfLatest('entries', dateSpan({ from, to }), MAX_ENTRIES + 1)
  if (firstBeyondMs !== undefined) from = addDays(utcDate(firstBeyondMs), 1)
  // The first day of the account begins on the UTC day before in some zones.
  const isInside = (entry: IdentifiedEntry) => !('date' in entry) || hasDate({ from, to }, entry.date)
  return (await readEntries(reader, timeline, { from, to })).filter(isInside).slice(-MAX_ENTRIES)
}

/**
 * Writes the calendar of a feed (RFC 5545) from entries in any order: absences as events of their dates, finished work
 * as busy time (D15.2 to D15.5). It has no other content of the entries, not even their ids or times of change.
 */
export async function writeFeed(feed: FeedRow, entries: readonly IdentifiedEntry[]): Promise<string> {
  return writeCalendar(feed, entries, (entry) => eventOf(feed, entry))
}

/**
 * Writes the calendar of who is away in a group: whole days that block nobody's time, with the name of the person and
 * no kind (D30.6). A request that is marked as planned is none yet.
 */
export function writeTeamFeed(feed: FeedRow, people: AwayPeople): Promise<string> {
  const stretches = people.flatMap(({ user_id, name, dates }) =>
    dates.filter(({ sight }) => sight !== 'asked').map((stretch) => ({ ...stretch, user_id, name })),
  )
  return writeCalendar(feed, stretches, ({ user_id, name, from, to, sight }) => [
    ...identityOf(feed, `${user_id} ${from}`),
    ['dtstart', {}, 'date', from],
    ['dtend', {}, 'date', addDays(to, 1)],
    ['summary', {}, 'text', `${name} - ${words[feed.language][sight === 'part' ? 'partlyAway' : 'away']}`],
    ['transp', {}, 'text', 'TRANSPARENT'],
  ])
}

async function writeCalendar<T>(
  feed: FeedRow,
  items: readonly T[],
  eventOf: (item: T) => CalendarProperty[] | undefined,
): Promise<string> {
  const calendar: CalendarProperty[] = [
    ['prodid', {}, 'text', '-//Saldo//Calendar feed//EN'],
    ['version', {}, 'text', '2.0'],
    ['x-wr-calname', {}, 'text', feed.name],
    ['refresh-interval', {}, 'duration', REFRESH],
    ['x-published-ttl', {}, 'duration', REFRESH],
  ]
  const parts = [writeComponent('vcalendar', calendar).slice(0, -END.length)]
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % EVENTS_AT_ONCE === 0) await setImmediate()
    const event = eventOf(item)
    if (event) parts.push(writeComponent('vevent', event))
  }
  return `${parts.join('')}${END}`
}

/** Returns the properties that name an event: an id that follows from the feed and the subject. */
function identityOf(feed: FeedRow, subject: string): CalendarProperty[] {
  return [
    ['uid', {}, 'text', `${hash('sha256', `${feed.id} ${subject}`, 'base64url')}@saldo`],
    // The time of the last change would tell when the user works.
    ['dtstamp', {}, 'date-time', utcSeconds(Date.parse(feed.created_at))],
  ]
}

/** Returns the event of an entry; `undefined` if the feed does not show it. */
function eventOf(feed: FeedRow, entry: IdentifiedEntry): CalendarProperty[] | undefined {
  const uid = identityOf(feed, entry.id)
  if (isAccountAbsence(entry)) return feed.absences ? [...uid, ...absenceProperties(feed.language, entry)] : undefined
  if (entry.kind === 'vacation_grant') return undefined
  const { kind, start, end } = entry
  if (!feed.work || kind !== 'work' || end === null || utcSeconds(start) === utcSeconds(end)) return undefined
  return [
    ...uid,
    ['dtstart', {}, 'date-time', utcSeconds(start)],
    ['dtend', {}, 'date-time', utcSeconds(end)],
    ['summary', {}, 'text', words[feed.language].busy],
    ['transp', {}, 'text', 'OPAQUE'],
  ]
}

/** Returns the properties of an absence: an event of the whole date, which blocks the day if it takes the whole. */
function absenceProperties(language: FeedLanguage, absence: AccountAbsence): CalendarProperty[] {
  const { kind, date } = absence
  const part = partOfDay(language, absence)
  const summary = words[language][kind]
  return [
    ['dtstart', {}, 'date', date],
    ['dtend', {}, 'date', addDays(date, 1)],
    ['summary', {}, 'text', part === undefined ? summary : `${summary} (${part})`],
    ['transp', {}, 'text', part === undefined ? 'OPAQUE' : 'TRANSPARENT'],
  ]
}

/** Returns the size of an absence that is less than a day, as `50%` or `1:30 h`; `undefined` for a whole day. */
function partOfDay(language: FeedLanguage, { day_share, amount_ms }: AbsenceSize): string | undefined {
  if (amount_ms !== null) return `${formatDelta(amount_ms)} ${words[language].hours}`
  if (day_share === 1) return undefined
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(day_share)
}

/** The words of the app for kinds of entries. */
const words: Record<FeedLanguage, Record<AbsenceContent['kind'] | 'busy' | 'hours' | 'away' | 'partlyAway', string>> = {
  en: {
    busy: 'Busy',
    hours: 'h',
    away: 'away',
    partlyAway: 'partly away',
    vacation: 'Vacation',
    sick: 'Sick',
    public_holiday: 'Public holiday',
    time_off_in_lieu: 'Time off in lieu',
    unpaid: 'Unpaid leave',
    paid_other: 'Other paid leave',
  },
  de: {
    busy: 'Beschäftigt',
    hours: 'Std.',
    away: 'abwesend',
    partlyAway: 'teilweise abwesend',
    vacation: 'Urlaub',
    sick: 'Krank',
    public_holiday: 'Feiertag',
    time_off_in_lieu: 'Freizeitausgleich',
    unpaid: 'Unbezahlter Urlaub',
    paid_other: 'Bezahlte Freistellung',
  },
}
