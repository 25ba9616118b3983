import { anAbsence, aSettingsRow } from '@saldo/client/testing'
import {
  type AbsenceSize,
  addDays,
  buildTimeline,
  dayWindow,
  epochMs,
  type LocalDate,
  MINUTE_MS,
  plannedOn,
  shareOfDay,
} from '@saldo/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { freeSlotIn } from '../free-slot.ts'
import type { AbsenceRecord } from '../parts.ts'
import { instantAt, wallAt } from '../wall-time.ts'
import type { Plan, QuickContext } from './plan.ts'
import { certainPlan, type PhraseReading, readQuickEntry } from './reading.ts'
import * as words from './words.ts'

/** A Friday. */
const TODAY: LocalDate = '2026-11-20'
const ZONE = 'Europe/Berlin'
const timeline = buildTimeline([aSettingsRow()])

/** Eight hours from Monday to Friday, and an empty day. */
function contextAt(hours: number, changed: Partial<QuickContext> = {}): QuickContext {
  const nowMs = instantAt(TODAY, hours * 60, ZONE)
  return {
    nowMs,
    today: TODAY,
    defaultDate: TODAY,
    timeline,
    projects: ['Saldo', 'Big House', 'Support'],
    absences: [],
    place: (date, lengthMs) =>
      freeSlotIn({ date, today: TODAY, zone: ZONE, window: dayWindow(timeline, date), timed: [] }, lengthMs, nowMs),
    ...changed,
  }
}
const context = contextAt(16)
const read = (text: string) => written(readQuickEntry(text, context))

/**
 * Writes a reading: `11-19 09:00-12:00 @project* #tag "note"` (dates other than today, `*` for a new project), `~`
 * for a time that was chosen, `start 09:00` for a timer, `sick 11-20..11-25 4 days (2 free)` for an absence, `?` for
 * what is doubtful, `!` for the reason why there is no reading.
 */
function written(reading: PhraseReading): string {
  switch (reading.kind) {
    case 'nothing':
      return `! ${reading.problem}`
    case 'doubtful':
      return `? ${reading.choices.map(written).join(' | ')}`
    case 'timer': {
      const { action, startMs, text } = reading
      return `${action} ${dayText(wallAt(startMs, ZONE).date, TODAY)}${clockText(startMs)}${wordsText(text, text.isNew)}`
    }
    case 'absence':
      return absenceText(reading)
    case 'entries':
      return entriesText(reading)
  }
}

function absenceText({ days, range: { from, to }, freeCount }: Extract<Plan, { kind: 'absence' }>): string {
  const [first] = days
  const dates = from === to ? shortDate(from) : `${shortDate(from)}..${shortDate(to)}`
  const count = days.length === 1 ? '' : ` ${days.length} days`
  const free = freeCount === 0 ? '' : ` (${freeCount} free)`
  const size =
    !first || first.day_share === 1 ? '' : ` ${first.day_share ?? timeText((first.amount_ms ?? 0) / MINUTE_MS)}`
  return `${first?.kind} ${dates}${count}${free}${size}${first && wordsText(first, false)}`
}

function entriesText({ entries, newProjects, isPlaced }: Extract<Plan, { kind: 'entries' }>): string {
  let last = TODAY
  const texts = entries.map((entry) => {
    const [start, end] = [epochMs(entry.started_at), epochMs(entry.ended_at as typeof entry.started_at)]
    const { date } = wallAt(start, ZONE)
    const on = dayText(date, last)
    last = date
    const next = wallAt(end, ZONE).date === addDays(date, 1) ? '+1' : ''
    const kind = entry.kind === 'break' ? 'break ' : ''
    const text = wordsText(entry, newProjects.includes(entry.project ?? ''))
    return `${on}${kind}${clockText(start)}-${clockText(end)}${next}${text}`
  })
  return texts.join(', ') + (isPlaced ? ' ~' : '')
}

const shortDate = (date: LocalDate) => (date.startsWith('2026-') ? date.slice(5) : date)
const dayText = (date: LocalDate, before: LocalDate) => (date === before ? '' : `${shortDate(date)} `)
const two = (part: number) => String(part).padStart(2, '0')
const timeText = (minutes: number) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
const clockText = (ms: number) => timeText(wallAt(ms, ZONE).minutes)

interface Words {
  project: string | null
  tags: string[]
  note: string
  counts?: boolean
}

function wordsText({ project, tags, note, counts = true }: Words, isNew: boolean) {
  const name = project === null ? '' : ` @${project}${isNew ? '*' : ''}`
  return `${name}${tags.map((tag) => ` #${tag}`).join('')}${note === '' ? '' : ` "${note}"`}${counts ? '' : ' !'}`
}

/** Phrases of real habits and their readings on a Friday at 16:00. */
const PHRASES = {
  'work that does not count': `
    18-22 on call ! → 18:00-22:00 "on call" !
    ! 18-22 on call → 18:00-22:00 "on call" !
    9-10 Arzt zählt nicht → 09:00-10:00 @Arzt* !
    9-10 @Support doesn't count → 09:00-10:00 @Support !
    9-10 @Support #x ! → 09:00-10:00 @Support #x !
    9-10 on call! → 09:00-10:00 "on call!"
    8-9 Saldo !, 10-11 Support → 08:00-09:00 @Saldo !, 10:00-11:00 @Support
    now @Support ! → start 16:00 @Support !
    vacation today ! → ! noFit
  `,
  'one range': `
    9-17 → 09:00-17:00
    9 - 17 → 09:00-17:00
    9–17 → 09:00-17:00
    9:00-17:30 → 09:00-17:30
    9.30-17.00 → 09:30-17:00
    0930-1700 → 09:30-17:00
    9h-17h → 09:00-17:00
    9h30-17h → 09:30-17:00
    9 bis 17 → 09:00-17:00
    9 Uhr bis 17 Uhr → 09:00-17:00
    von 9 bis 17 Uhr → 09:00-17:00
    von 9 Uhr bis 17 Uhr 30 → 09:00-17:30
    09:00–17:30 Uhr → 09:00-17:30
    8-16.30 Uhr → 08:00-16:30
    from 9 to 5 → 09:00-17:00
    9am-5pm → 09:00-17:00
    9 am - 5 pm → 09:00-17:00
    9 a.m. to 5:30 p.m. → 09:00-17:30
    9-5pm → 09:00-17:00
    2-5pm → 14:00-17:00
    9-12:30pm → 09:00-12:30
    9-5 → 09:00-17:00
    8:30-5 → 08:30-17:00
    9 til 5 → 09:00-17:00
    between 9 and 5 → 09:00-17:00
    zwischen 9 und 17 Uhr → 09:00-17:00
    halb 9 bis 17 Uhr → 08:30-17:00
    9 bis halb 6 → 09:00-17:30
    9-noon → 09:00-12:00
    8 bis mittag → 08:00-12:00
    9-now → 09:00-16:00
    9 bis jetzt → 09:00-16:00
    9:15 to now → 09:15-16:00
    22-6 → 22:00-06:00+1
    20-24 → 20:00-00:00+1
    24-8 → 00:00-08:00
    6-14 → 06:00-14:00
    heute von 8 bis 16:30 gearbeitet → 08:00-16:30
    ich habe heute von 9 bis 17 Uhr gearbeitet → 09:00-17:00
    arbeit 9-17 → 09:00-17:00
    01:00-05:00 → 01:00-05:00
    1-5 Uhr → 01:00-05:00
    1am-5am → 01:00-05:00
    1-5 → ? 13:00-17:00 | 01:00-05:00
    1-12 → ? 13:00-00:00+1 | 01:00-12:00
    6-12 → 06:00-12:00
    12-1 → 12:00-13:00
    0-5 → 00:00-05:00
    2-4 Support → ? 14:00-16:00 @Support | 02:00-04:00 @Support
    9-9 → ? 09:00-21:00 | 21:00-09:00+1
    9-25 → ! noTime
  `,
  'several ranges': `
    8-12 13-17 → 08:00-12:00, 13:00-17:00
    8-12, 13-17 → 08:00-12:00, 13:00-17:00
    8-12 und 13-17 → 08:00-12:00, 13:00-17:00
    8-12 and 13-17 → 08:00-12:00, 13:00-17:00
    8-12 + 13-17 → 08:00-12:00, 13:00-17:00
    8-12/13-17 → 08:00-12:00, 13:00-17:00
    8:00-12:00;12:30-16:30 → 08:00-12:00, 12:30-16:30
    08:00 - 12:00 / 13:00 - 17:00 → 08:00-12:00, 13:00-17:00
    8.00-12.00 12.30-16.30 → 08:00-12:00, 12:30-16:30
    8 bis 12 und 13 bis 17 Uhr → 08:00-12:00, 13:00-17:00
    8-12 1-5 → 08:00-12:00, 13:00-17:00
    8-12 1-5pm → 08:00-12:00, 13:00-17:00
    13-17 8-12 → 08:00-12:00, 13:00-17:00
    8-12 22-6 → 08:00-12:00, 22:00-06:00+1
    8-12 13-17 Saldo Review → 08:00-12:00 @Saldo "Review", 13:00-17:00 @Saldo "Review"
    Saldo 8-12 13-17 → 08:00-12:00 @Saldo, 13:00-17:00 @Saldo
    8-12 Saldo, 13-17 Support → 08:00-12:00 @Saldo, 13:00-17:00 @Support
    8-12 Saldo 13-17 Support Tickets → 08:00-12:00 @Saldo, 13:00-17:00 @Support "Tickets"
    Saldo 8-12 Support 13-17 → 08:00-12:00 @Saldo, 13:00-17:00 @Support
    yesterday 9-12 Saldo and 1-5pm Support → 11-19 09:00-12:00 @Saldo, 13:00-17:00 @Support
    8-12 Saldo 13-17 → ? 08:00-12:00 @Saldo, 13:00-17:00 @Saldo | 08:00-12:00 @Saldo, 13:00-17:00
    8-12 11-14 → ! overlap
  `,
  breaks: `
    9-17 30 min pause → 09:00-12:00, break 12:00-12:30, 12:30-17:00 ~
    9-17 -30 → 09:00-12:00, break 12:00-12:30, 12:30-17:00 ~
    9-17 - 45 min → 09:00-12:00, break 12:00-12:45, 12:45-17:00 ~
    9-17 -0:30 Saldo → 09:00-12:00 @Saldo, break 12:00-12:30, 12:30-17:00 @Saldo ~
    9-17 minus 30 → 09:00-12:00, break 12:00-12:30, 12:30-17:00 ~
    9-17 abzgl. 30 min → 09:00-12:00, break 12:00-12:30, 12:30-17:00 ~
    9-17 less 30 min → 09:00-12:00, break 12:00-12:30, 12:30-17:00 ~
    9-17 Pause 30 → 09:00-12:00, break 12:00-12:30, 12:30-17:00 ~
    9-17 Pause: 30 min → 09:00-12:00, break 12:00-12:30, 12:30-17:00 ~
    9-17 pause 0:30 → 09:00-12:00, break 12:00-12:30, 12:30-17:00 ~
    9-17 Pause 0,5h → 09:00-12:00, break 12:00-12:30, 12:30-17:00 ~
    9-17 Pause 1 → 09:00-12:00, break 12:00-13:00, 13:00-17:00 ~
    9-17 1 hour lunch → 09:00-12:00, break 12:00-13:00, 13:00-17:00 ~
    9-17 with a 30 minute break → 09:00-12:00, break 12:00-12:30, 12:30-17:00 ~
    9-17 30-minute break → 09:00-12:00, break 12:00-12:30, 12:30-17:00 ~
    9-17 mit einer halben Stunde Pause → 09:00-12:00, break 12:00-12:30, 12:30-17:00 ~
    9-17 eine Stunde Pause Saldo → 09:00-12:00 @Saldo, break 12:00-13:00, 13:00-17:00 @Saldo ~
    9-17 half an hour lunch → 09:00-12:00, break 12:00-12:30, 12:30-17:00 ~
    9-17 inkl. 30 min Pause → 09:00-12:00, break 12:00-12:30, 12:30-17:00 ~
    9-17 (30 min Pause) → 09:00-12:00, break 12:00-12:30, 12:30-17:00 ~
    9-17 Pause von 30 Minuten → 09:00-12:00, break 12:00-12:30, 12:30-17:00 ~
    7:45 - 16:15 abzüglich 30 Minuten Pause → 07:45-12:00, break 12:00-12:30, 12:30-16:15 ~
    6:30-15 -45 → 06:30-12:00, break 12:00-12:45, 12:45-15:00 ~
    14-22 -30 → 14:00-17:45, break 17:45-18:15, 18:15-22:00 ~
    22-6 Pause 30 → 22:00-01:45+1, 11-21 break 01:45-02:15, 02:15-06:00 ~
    9-17 Pause 12-12:30 → 09:00-12:00, break 12:00-12:30, 12:30-17:00
    9-12 Pause 13-17 break → 09:00-12:00, break 12:00-13:00, 13:00-17:00
    9-17 Pause 12-12:30 Pause 12:15-13 → 09:00-12:00, break 12:00-13:00, 13:00-17:00
    9-17 Pause von 12 bis 12:30 → 09:00-12:00, break 12:00-12:30, 12:30-17:00
    8-16 Uhr Pause 12-12.30 Uhr → 08:00-12:00, break 12:00-12:30, 12:30-16:00
    9-17 Mittag 12:30-13:15 Saldo → 09:00-12:30 @Saldo, break 12:30-13:15, 13:15-17:00 @Saldo
    9-17 12-12:30 Pause → 09:00-12:00, break 12:00-12:30, 12:30-17:00
    9-17 lunch 1-1:30 → 09:00-13:00, break 13:00-13:30, 13:30-17:00
    9-12 Pause 8:30-9 → break 08:30-09:00, 09:00-12:00
    9-12 Pause 12-12:30 → 09:00-12:00, break 12:00-12:30
    13-17 Pause 12:30-1 → break 12:30-13:00, 13:00-17:00
    9-17 ohne Pause → 09:00-17:00
    9-17 no break → 09:00-17:00
    9-17 0:30 → 09:00-12:00, break 12:00-12:30, 12:30-17:00 ~
    9-17 30 → ? 09:00-12:00, break 12:00-12:30, 12:30-17:00 ~ | 09:00-17:00 "30"
    9-17 break 30 break 15 → 09:00-12:00, break 12:00-12:45, 12:45-17:00 ~
    8-12 Pause 13-17 → 08:00-12:00, break 12:00-13:00, 13:00-17:00
    8-12 Mittagspause 13-17 Saldo → 08:00-12:00 @Saldo, break 12:00-13:00, 13:00-17:00 @Saldo
    8-12 Pause 12-12:30 12:30-17 → 08:00-12:00, break 12:00-12:30, 12:30-17:00
    8-12 12:30-17 Pause 30 → 08:00-12:00, break 12:00-12:30, 12:30-17:00
    8-12 13-17 -30 → 08:00-09:45, break 09:45-10:15, 10:15-12:00, 13:00-17:00 ~
    8-12 13-17 30 min Pause → ? 08:00-09:45, break 09:45-10:15, 10:15-12:00, 13:00-17:00 ~ | 08:00-12:00, 13:00-17:00
    9-17 Pause → ! noBreakLength
    9-17 Saldo break → ! noBreakLength
    9-17 Pause 12 → ! noFit
    9-17 Pause 8h → ! noFit
    9-9:30 -30 → ! breakTooLong
    12-12:30 Pause → break 12:00-12:30
    12-12:30 Pause Kantine → break 12:00-12:30 "Kantine"
    break 12-12:30 → break 12:00-12:30
    lunch 12-1 → break 12:00-13:00
    12-13 lunch with Ada → ? break 12:00-13:00 "with Ada" | 12:00-13:00 "lunch with Ada"
    30 min Pause → break 15:30-16:00 ~
    Pause 30 → break 15:30-16:00 ~
    Pause → ! noBreakLength
    8h -30 → 08:00-12:00, break 12:00-12:30, 12:30-16:00 ~
    8h Pause 30 → ? 07:30-12:00, break 12:00-12:30, 12:30-16:00 ~ | 08:00-12:00, break 12:00-12:30, 12:30-16:00 ~
    -30 → ! noTime
  `,
  lengths: `
    2h → 14:00-16:00 ~
    2 h Saldo → 14:00-16:00 @Saldo ~
    2h yesterday → 11-19 09:00-11:00 ~
    gestern 2h → 11-19 09:00-11:00 ~
    7 Stunden → 09:00-16:00 ~
    2 Std. Saldo → 14:00-16:00 @Saldo ~
    1,5 Std → 14:30-16:00 ~
    7.5 → 08:30-16:00 ~
    7,5 → 08:30-16:00 ~
    7.5 h gestern → 11-19 09:00-16:30 ~
    1h 30m → 14:30-16:00 ~
    1h30 → 14:30-16:00 ~
    1h 30 → 14:30-16:00 ~
    7h42 → 08:18-16:00 ~
    1:30h → 14:30-16:00 ~
    1:30 Stunden Saldo → 14:30-16:00 @Saldo ~
    1 Stunde und 30 Minuten → 14:30-16:00 ~
    3 Std 20 Min Saldo → 12:40-16:00 @Saldo ~
    90 min → 14:30-16:00 ~
    90m → 14:30-16:00 ~
    5 mins → 15:55-16:00 ~
    2 hrs support → 14:00-16:00 @Support ~
    one hour → 15:00-16:00 ~
    zwei Stunden Saldo → 14:00-16:00 @Saldo ~
    anderthalb Stunden → 14:30-16:00 ~
    eine halbe Stunde Saldo → 15:30-16:00 @Saldo ~
    viertelstunde Support → 15:45-16:00 @Support ~
    half an hour Saldo → 15:30-16:00 @Saldo ~
    ½ h → 15:30-16:00 ~
    1½ h → 14:30-16:00 ~
    1 1/2 h → 14:30-16:00 ~
    30' → 15:30-16:00 ~
    2.5h Saldo yesterday → 11-19 09:00-11:30 @Saldo ~
    2h Saldo 1h Support → 13:00-15:00 @Saldo, 15:00-16:00 @Support ~
    2h Saldo und 1h Support gestern → 11-19 09:00-11:00 @Saldo, 11:00-12:00 @Support ~
    1:30 Support → ? 14:30-16:00 @Support ~ | start 01:30 @Support
    Support 1:30 → ? 14:30-16:00 @Support ~ | start 01:30 @Support
    8:45 → ? 07:15-16:00 ~ | start 08:45
    8 → ? 08:00-16:00 ~ | start 08:00
    Saldo 8 → ? 08:00-16:00 @Saldo ~ | start 08:00 @Saldo
    7.25 → ? 08:45-16:00 ~ | start 07:25
    12h → ? 09:00-21:00 ~ | 04:00-16:00 ~
    24h → ? 09:00-09:00+1 ~ | 11-19 16:00-16:00+1 ~
    24h 1m → ! tooLong
    10h → 06:00-16:00 ~
    10h 1m → ? 09:00-19:01 ~ | 05:59-16:00 ~
    30m Pause 30m → ! breakTooLong
    25h → ! tooLong
    0h → ! noTime
    2h 9-12 → ! noFit
    9-12 2h → ! noFit
    9-12 14:00 → ! noFit
    9-12 Saldo 2h → ? 09:00-12:00 @Saldo "2h"
    3 Tickets bearbeitet 2h → 14:00-16:00 "3 Tickets bearbeitet" ~
  `,
  'timers and open times': `
    9- → start 09:00
    9- Saldo → start 09:00 @Saldo
    seit 9 Uhr → start 09:00
    ab 8:45 → start 08:45
    since 9am Saldo → start 09:00 @Saldo
    from 9am → start 09:00
    9am → start 09:00
    now → start 16:00
    jetzt Saldo → start 16:00 @Saldo
    Saldo now → start 16:00 @Saldo
    ab jetzt Support → start 16:00 @Support
    seit 2h → start 14:00
    since 2 hours → start 14:00
    seit gestern 22 Uhr → start 11-19 22:00
    break now → break 16:00
    Pause jetzt → break 16:00
    Pause seit 15:30 → break 15:30
    break since 3:30pm → break 15:30
    ab 9 2h → 09:00-11:00
    9:00 2h → 09:00-11:00
    2h from 9am → 09:00-11:00
    2h bis 12 → 10:00-12:00
    8h bis 8 Uhr → 00:00-08:00
    9h bis 8 Uhr → ! noFit
    2h until 5pm → 15:00-17:00
    2h bis jetzt → 14:00-16:00 ~
    ab 9 Uhr Saldo bis 17 Uhr → 09:00-17:00 @Saldo
    ab 20 Uhr → ! noEnd
    9am yesterday → ! noEnd
    since 4pm yesterday → ! noEnd
    since 5pm yesterday → start 11-19 17:00
    jetzt morgen → ! noEnd
    bis 17 Uhr → ! noStart
  `,
  dates: `
    9-17 vorgestern → 11-18 09:00-17:00
    yesterday 9-17 → 11-19 09:00-17:00
    day before yesterday 9-17 → 11-18 09:00-17:00
    9-17 übermorgen → 11-22 09:00-17:00
    9-17 uebermorgen → 11-22 09:00-17:00
    Mo. 9-17 → 11-16 09:00-17:00
    9-17 am Montag → 11-16 09:00-17:00
    9-12 am Montag → 11-16 09:00-12:00
    9-12 am 18.11. → 11-18 09:00-12:00
    on monday 9-17 → 11-16 09:00-17:00
    9-17 fri → 09:00-17:00
    9-17 sat → 11-14 09:00-17:00
    letzten Freitag 9-17 → 11-13 09:00-17:00
    9-17 last Monday → ? 11-16 09:00-17:00 | 11-09 09:00-17:00
    9-17 18.11. → 11-18 09:00-17:00
    18.11 9-17 → 11-18 09:00-17:00
    9-17 18.11.25 → 2025-11-18 09:00-17:00
    2026-11-02 9-17 → 11-02 09:00-17:00
    9-17 2.1. → 2027-01-02 09:00-17:00
    18. November 9-17 → 11-18 09:00-17:00
    9-17 Nov 18 → 11-18 09:00-17:00
    November 18th 9-17 → 11-18 09:00-17:00
    Nov 18, 2025 9-17 → 2025-11-18 09:00-17:00
    vor 2 Tagen 9-17 → 11-18 09:00-17:00
    2 days ago 9-17 → 11-18 09:00-17:00
    9-17 vor einer Woche → 11-13 09:00-17:00
    gestern Vormittag 9-12 → 11-19 09:00-12:00
    heute morgen 8-10 → 08:00-10:00
    gestern abend 20-22 → 11-19 20:00-22:00
    mo-fr 9-17 → 11-16 09:00-17:00, 11-17 09:00-17:00, 11-18 09:00-17:00, 11-19 09:00-17:00, 11-20 09:00-17:00
    mon-tue 9-5 Saldo → 11-16 09:00-17:00 @Saldo, 11-17 09:00-17:00 @Saldo
    mo und di 9-17 → 11-16 09:00-17:00, 11-17 09:00-17:00
    16.-17.11. 8-12 13-17 → 11-16 08:00-12:00, 13:00-17:00, 11-17 08:00-12:00, 13:00-17:00
    letzte Woche 9-17 → 11-09 09:00-17:00, 11-10 09:00-17:00, 11-11 09:00-17:00, 11-12 09:00-17:00, 11-13 09:00-17:00
    KW 46 9-17 → 11-09 09:00-17:00, 11-10 09:00-17:00, 11-11 09:00-17:00, 11-12 09:00-17:00, 11-13 09:00-17:00
    9-17 31.2. → ! noDate
    9-17 31.12. → 12-31 09:00-17:00
  `,
  absences: `
    urlaub → vacation 11-20
    krank → sick 11-20
    sick yesterday → sick 11-19
    urlaub mo → vacation 11-23
    vacation fri → vacation 11-20
    sick mon → sick 11-16
    krank bis Mittwoch → sick 11-20..11-25 4 days (2 free)
    sick until Wednesday → sick 11-20..11-25 4 days (2 free)
    krank bis zum 25.11. → sick 11-20..11-25 4 days (2 free)
    krank seit Montag → sick 11-16..11-20 5 days
    krank von Montag bis Mittwoch → sick 11-16..11-18 3 days
    krank seit Montag bis Mittwoch → sick 11-16..11-18 3 days
    krankgeschrieben bis 27.11. → sick 11-20..11-27 6 days (2 free)
    krank diese Woche → sick 11-16..11-20 5 days (2 free)
    3 Tage krank → ? sick 11-18..11-20 3 days | sick 11-20..11-24 3 days (2 free)
    2 Tage krank ab Montag → sick 11-16..11-17 2 days
    urlaub 24.12.-31.12. → vacation 12-24..12-31 6 days (2 free)
    24.12. - 31.12. Urlaub → vacation 12-24..12-31 6 days (2 free)
    Urlaub vom 24.12. bis 31.12. → vacation 12-24..12-31 6 days (2 free)
    Urlaub 24.-31.12. → vacation 12-24..12-31 6 days (2 free)
    Urlaub vom 24. bis 31. Dezember → vacation 12-24..12-31 6 days (2 free)
    Urlaub 24.12.-4.1. → vacation 12-24..2027-01-04 8 days (4 free)
    Urlaub 24.12-31.12 → vacation 12-24..12-31 6 days (2 free)
    Urlaub 24.12.-31.12.26 → vacation 12-24..12-31 6 days (2 free)
    vacation Dec 24-31 → vacation 12-24..12-31 6 days (2 free)
    vacation Dec 24 to Jan 2 → vacation 12-24..2027-01-01 7 days (3 free)
    vacation 24-31 December → vacation 12-24..12-31 6 days (2 free)
    vacation 2026-12-24 to 2026-12-31 → vacation 12-24..12-31 6 days (2 free)
    Urlaub 20.11-23.11 → vacation 11-20..11-23 2 days (2 free)
    vacation mon-fri → ? vacation 11-23..11-27 5 days | vacation 11-16..11-20 5 days
    mo-fr urlaub → ? vacation 11-23..11-27 5 days | vacation 11-16..11-20 5 days
    Urlaub Montag bis Freitag → ? vacation 11-23..11-27 5 days | vacation 11-16..11-20 5 days
    sick mon-fri → sick 11-16..11-20 5 days
    vacation next week → vacation 11-23..11-27 5 days (2 free)
    nächste Woche Urlaub → vacation 11-23..11-27 5 days (2 free)
    Urlaub KW 52 → vacation 12-21..12-25 5 days (2 free)
    3 Tage Urlaub ab Montag → vacation 11-23..11-25 3 days
    eine Woche Urlaub ab 7.12. → vacation 12-07..12-11 5 days (2 free)
    2 weeks vacation from Dec 7 → vacation 12-07..12-18 10 days (4 free)
    vacation next friday → vacation 11-27
    next monday vacation → vacation 11-23
    Urlaub 1.6. → vacation 2027-06-01
    Urlaub 16.11. → vacation 11-16
    Urlaub mo, di und mi → vacation 11-23..11-25 3 days
    vacation mon and tue → vacation 11-23..11-24 2 days
    halber tag urlaub → vacation 11-20 0.5
    halber Urlaubstag morgen → vacation 11-21 0.5
    Urlaub halbtags → vacation 11-20 0.5
    ½ Urlaub morgen → vacation 11-21 0.5
    0,5 Tage Urlaub morgen → vacation 11-21 0.5
    half-day vacation fri → vacation 11-20 0.5
    vacation half day mon → vacation 11-23 0.5
    vacation tomorrow afternoon → vacation 11-21 0.5
    Urlaub 50% morgen → vacation 11-21 0.5
    krank halbtags → sick 11-20 0.5
    4h Urlaub → vacation 11-20 04:00
    4h Urlaub Mo-Di → ! absenceTime
    Urlaub 24.12.-24.12. → vacation 12-24
    Urlaub 24.-24.12. → vacation 12-24
    9h Urlaub → ! absenceTime
    9-12 2h vacation → ! noFit
    2h 9-11 Urlaub fr → ! noFit
    9-10 11-12 Urlaub → ? vacation 11-20 02:00 | 09:00-10:00 @Urlaub*, 11:00-12:00 @Urlaub*
    2 Stunden Überstundenabbau → time_off_in_lieu 11-20 02:00
    Überstundenabbau → time_off_in_lieu 11-20
    ueberstundenabbau morgen → time_off_in_lieu 11-21
    Überstunden abbauen am Freitag → time_off_in_lieu 11-20
    Gleittag → time_off_in_lieu 11-20
    Freizeitausgleich 27.11. → time_off_in_lieu 11-27
    time off in lieu friday → time_off_in_lieu 11-20
    comp day tomorrow → time_off_in_lieu 11-21
    Kind krank → paid_other 11-20 "Kind krank"
    kind krank bis Mittwoch → paid_other 11-20..11-25 4 days (2 free) "kind krank"
    sick child → paid_other 11-20 "sick child"
    Sonderurlaub 27.11. Umzug → paid_other 11-27 "Sonderurlaub Umzug"
    Bildungsurlaub nächste Woche → paid_other 11-23..11-27 5 days (2 free) "Bildungsurlaub"
    unbezahlter Urlaub 1.12.-15.12. → unpaid 12-01..12-15 11 days (4 free)
    unpaid mon → unpaid 11-23
    Feiertag 25.12. → public_holiday 12-25
    bank holiday monday → public_holiday 11-23
    holiday thu → ? vacation 11-26 | public_holiday 11-26
    morgen frei → ? vacation 11-21 | time_off_in_lieu 11-21 | unpaid 11-21
    half day off fri → ? vacation 11-20 0.5 | time_off_in_lieu 11-20 0.5 | unpaid 11-20 0.5
    Urlaub Italien → vacation 11-20 "Italien"
    Urlaub #reise 24.12.-31.12. Italien → vacation 12-24..12-31 6 days (2 free) #reise "Italien"
    ich war gestern krank → sick 11-19
    9-12 krank → ? sick 11-20 03:00 | 09:00-12:00 @krank*
    9-11 vacation plan → ? vacation 11-20 02:00 "plan" | 09:00-11:00 @vacation* "plan" | 09:00-11:00 "vacation plan"
    2h Urlaub planen → ? vacation 11-20 02:00 "planen" | 14:00-16:00 @Urlaub* "planen" ~ | 14:00-16:00 "Urlaub planen" ~
    9-12 Urlaubsplanung → 09:00-12:00 @Urlaubsplanung*
    Urlaub 2027 → ? vacation 11-20 "2027"
    krank ab 14 Uhr → ! absenceTime
    10h Urlaub → ! absenceTime
    3 Tage Urlaub → ! noFrom
    Urlaub ab Montag → ! noUntil
    Urlaub 24.12.-20.12. → ! noUntil
    Urlaub 31.4.-5.5. → ! noDate
    KW 60 Urlaub → ! noDate
    urlaub krank → ! noFit
    halber tag → ! noTime
    nächste Woche → ! noTime
  `,
  'projects, tags and notes': `
    9-12 Garten → 09:00-12:00 @Garten*
    9-12 Garten Hecke → ? 09:00-12:00 @Garten* "Hecke" | 09:00-12:00 "Garten Hecke"
    9-12 Garten: Hecke schneiden → 09:00-12:00 @Garten* "Hecke schneiden"
    9-12 @Garten Hecke schneiden → 09:00-12:00 @Garten* "Hecke schneiden"
    9-12 @"Großer Garten" Hecke → 09:00-12:00 @Großer Garten* "Hecke"
    9-12 Saldo #"ui" → 09:00-12:00 @Saldo #ui
    9-12:30 Saldo #ui #web note here → 09:00-12:30 @Saldo #ui #web "note here"
    9-12 SALDO Fixes → 09:00-12:00 @Saldo "Fixes"
    9-12 roof big house → 09:00-12:00 @Big House "roof"
    9-12 Zeichnen für Saldo → 09:00-12:00 @Saldo "Zeichnen"
    9-12 meeting on big house → 09:00-12:00 @Big House "meeting"
    9-12 call with Saldo → 09:00-12:00 "call with Saldo"
    9-12 Support Tickets mit Ada → 09:00-12:00 @Support "Tickets mit Ada"
    2h meeting with Ada → 14:00-16:00 "meeting with Ada" ~
    2h Meeting mit Ada → 14:00-16:00 "Meeting mit Ada" ~
    2h meeting → 14:00-16:00 @meeting* ~
    9-12 project Garten → 09:00-12:00 @Garten*
    Review 9-12 Saldo → 09:00-12:00 @Saldo "Review"
    9-12 (Saldo) → 09:00-12:00 @Saldo
    9-12, Saldo → 09:00-12:00 @Saldo
    9-12 Ticket 4711 → ? 09:00-12:00 @Ticket* "4711" | 09:00-12:00 "Ticket 4711"
    9-12 v1.2 → 09:00-12:00 "v1.2"
    9-12 25:70 → ? 09:00-12:00 "25:70"
    9-12 Mai Planung → ? 09:00-12:00 @Mai* "Planung" | 09:00-12:00 "Mai Planung"
    9-12 plan for tomorrow → ? 11-21 09:00-12:00 "plan for" | 09:00-12:00 "plan for tomorrow"
    9-12 call with Mo → ? 11-16 09:00-12:00 "call with" | 09:00-12:00 "call with Mo"
    2h do taxes → ? 11-19 09:00-11:00 @taxes* ~ | 14:00-16:00 @do* "taxes" ~ | 14:00-16:00 "do taxes" ~
    9-12 Do → 11-19 09:00-12:00
    9-12 break the build → ? break 09:00-12:00 "the build" | 09:00-12:00 "break the build"
    9-12 update to 2.5 → ? 2027-05-02 09:00-12:00 "update to" | 09:00-12:00 "update to 2.5"
    2h Support gestern mit Ada → ? 11-19 09:00-11:00 @Support "mit Ada" ~ | 14:00-16:00 @Support "gestern mit Ada" ~
  `,
  'borders of what numbers mean': `
    9-17 -180 → 09:00-12:00, break 12:00-15:00, 15:00-17:00 ~
    9-17 -181 → 09:00-17:00 "-181"
    9-17 -15 → 09:00-12:00, break 12:00-12:15, 12:15-17:00 ~
    9-17 -14 → 09:00-17:00 "-14"
    9-17 -10 → 09:00-12:00, break 12:00-12:10, 12:10-17:00 ~
    9-17 -9 → 09:00-17:00 "-9"
    9-17 -3:00 → 09:00-12:00, break 12:00-15:00, 15:00-17:00 ~
    9-17 -3:01 → 09:00-17:00 "-3:01"
    1h59 → 14:01-16:00 ~
    1h 05 → 14:55-16:00 ~
    1h60 → ! noTime
    0-5 → 00:00-05:00
    1-5 → ? 13:00-17:00 | 01:00-05:00
    5-6 → ? 17:00-18:00 | 05:00-06:00
    6-7 → 06:00-07:00
    5-13 → 05:00-13:00
    12-5 → 12:00-17:00
    13-1 → 13:00-01:00+1
    17-5 → 17:00-05:00+1
    18-6 → 18:00-06:00+1
    24-6 → 00:00-06:00
    10-10 → ? 10:00-22:00 | 22:00-10:00+1
    12-1pm → 12:00-13:00
    1-2pm → 13:00-14:00
    24h → ? 09:00-09:00+1 ~ | 11-19 16:00-16:00+1 ~
    25h → ! tooLong
    0h → ! noTime
    0h, 2h Saldo → ! noTime
    2h 0min → 14:00-16:00 ~
    9-12 12-13 → 09:00-12:00, 12:00-13:00
    9-12 11-13 → ! overlap
    8h Urlaub → vacation 11-20 08:00
    8h01m Urlaub → ! absenceTime
    9-17 Urlaub → ? vacation 11-20 08:00 | 09:00-17:00 @Urlaub*
    9-18 Urlaub → 09:00-18:00 @Urlaub*
    2,5 Tage Urlaub ab Montag → vacation 11-23..11-25 3 days
    1,5 Wochen Urlaub ab Montag → vacation 11-23..12-04 10 days (4 free)
    3 Tage Urlaub ab Samstag → vacation 11-23..11-25 3 days (2 free)
    1 Tag Urlaub ab Montag → vacation 11-23
    8-9, 10-17, 18-19 -30 → 08:00-09:00, 10:00-12:00, break 12:00-12:30, 12:30-17:00, 18:00-19:00 ~
    13-19, 8-9 -30 → 08:00-09:00, 13:00-15:45, break 15:45-16:15, 16:15-19:00 ~
    9-17 20 November 2025 → 2025-11-20 09:00-17:00
    0900-1700 20 November → 09:00-17:00
    20 November 0900-1700 → 09:00-17:00
    9-17 Garten Pause → ! noBreakLength
    Urlaub am Meer → vacation 11-20 "am Meer"
    krank wegen Fieber am Montag → sick 11-16 "wegen Fieber"
    Urlaub morgen früh → vacation 11-21
    Urlaub morgen Vormittag → vacation 11-21 0.5
    Freitag früh 8-9 → 08:00-09:00
    the day before yesterday 9-17 → 11-18 09:00-17:00
    day after tomorrow vacation → vacation 11-22
    1 day ago 9-10 → 11-19 09:00-10:00
    9-17 2 days → 09:00-17:00 @2 days*
    20 Nov 9-17 → 09:00-17:00
    20 9-17 → ! noFit
    2h 17 Uhr → 17:00-19:00
    9 h 17 → 06:43-16:00 ~
    8 Uhr 30 - 9 Uhr 45 → 08:30-09:45
    16 - 18 November vacation → vacation 11-16..11-18 3 days
    9-10 Garten und → 09:00-10:00 @Garten*
    9-10 and → 09:00-10:00
  `,
  nothing: `
    Saldo → ! noTime
    ... → ! empty
    gestern → ! noTime
    20.11. → ! noTime
    99 → ! noTime
  `,
}

describe.each(Object.entries(PHRASES))('%s', (_, table) => {
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' → ') as [string, string])
  test.each(rows)('«%s» → %s', (phrase, expected) => {
    expect(read(phrase)).toBe(expected)
  })
})

test('there are phrases of both languages, and mixed ones', () => {
  expect(Object.values(PHRASES).flatMap((table) => table.trim().split('\n')).length).toBeGreaterThan(200)
})

describe('a quick entry', () => {
  test('that would have begun at night asks whether it began in the morning', () => {
    const reading = readQuickEntry('7,5h', contextAt(11.75))
    expect(written(reading)).toBe('? 09:00-16:30 ~ | 04:15-11:45 ~')
  })

  test('without a date means the day on screen, but "now" is today', () => {
    const onTuesday = contextAt(16, { defaultDate: '2026-11-17' })
    expect(written(readQuickEntry('9-12', onTuesday))).toBe('11-17 09:00-12:00')
    expect(written(readQuickEntry('krank bis Mittwoch', onTuesday))).toBe('sick 11-17..11-18 2 days')
    expect(written(readQuickEntry('now', onTuesday))).toBe('start 16:00')
    expect(written(readQuickEntry('9-now', onTuesday))).toBe('! noEnd')
  })

  test('on a Wednesday asks which week "mon-fri" and "next friday" mean', () => {
    const today: LocalDate = '2026-11-18'
    const onWednesday = contextAt(16, { today, defaultDate: today, nowMs: instantAt(today, 960, ZONE) })
    expect(written(readQuickEntry('vacation mon-fri', onWednesday))).toBe(
      '? vacation 11-23..11-27 5 days | vacation 11-16..11-20 5 days',
    )
    expect(written(readQuickEntry('vacation next friday', onWednesday))).toBe('? vacation 11-27 | vacation 11-20')
  })

  test('[D2.39] sickness in a vacation takes its days, and says how many', () => {
    const away = contextAt(16, {
      absences: [anAbsence('vacation', '2026-11-18'), anAbsence('vacation', '2026-11-19')] as AbsenceRecord[],
    })
    expect(readQuickEntry('krank 18.11. bis 20.11.', away)).toMatchObject({
      kind: 'absence',
      range: { from: '2026-11-18', to: '2026-11-20' },
      replacedCount: 2,
    })
  })

  test('leaves out days that are off already', () => {
    const off = contextAt(16, { absences: [anAbsence('public_holiday', '2026-12-25') as AbsenceRecord] })
    expect(written(readQuickEntry('Urlaub 24.12.-27.12.', off))).toBe('vacation 12-24 (2 free)')
    expect(written(readQuickEntry('Urlaub 25.12.', off))).toBe('! allOff')
    expect(written(readQuickEntry('krank 25.12.', off))).toBe('! allOff')
  })

  test('without a schedule counts every day and no hours', () => {
    const bare = contextAt(16, { timeline: [] })
    expect(written(readQuickEntry('4h Urlaub', bare))).toBe('! absenceTime')
    expect(readQuickEntry('9-17', bare)).toMatchObject({ kind: 'entries' })
  })
})

const vocabulary = Object.values(words).flatMap((table) => (table instanceof Map ? [...table.keys()] : []))
const phrases = Object.values(PHRASES).flatMap((table) => table.match(/\S+(?= )/g) ?? [])
const anyLine = fc
  .array(
    fc.oneof(
      fc.constantFrom(...vocabulary),
      fc.constantFrom(...phrases),
      fc.constantFrom('-', '–', ' ', ',', '.', ':', '/', '(', '31.2.', '24:00', '#', '@', '@"', '½', '99999'),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 7 },
  )
  .chain((pieces) => fc.constantFrom(pieces.join(' '), pieces.join('')))

describe('for any line', () => {
  test('there is a reading, and what it stores is sound', () => {
    fc.assert(
      fc.property(anyLine, (text) => {
        const plan = certainPlan(readQuickEntry(text, context))
        if (plan?.kind === 'timer') expect(plan.startMs).toBeLessThanOrEqual(context.nowMs)
        if (plan?.kind === 'absence') {
          for (const { date, day_share, amount_ms } of plan.days) {
            expect(date >= plan.range.from && date <= plan.range.to).toBe(true)
            expect(shareOfDay({ day_share, amount_ms } as AbsenceSize, plannedOn(timeline, date))).toBeGreaterThan(0)
          }
        }
        if (plan?.kind !== 'entries') return
        let last = Number.NEGATIVE_INFINITY
        for (const { started_at, ended_at } of plan.entries) {
          const [start, end] = [epochMs(started_at), epochMs(ended_at as typeof started_at)]
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          expect(end - start).toBeLessThanOrEqual(25 * 60 * MINUTE_MS)
          last = end
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('a doubtful reading stores nothing, and offers up to four different plans', () => {
    fc.assert(
      fc.property(anyLine, (text) => {
        const reading = readQuickEntry(text, context)
        if (reading.kind !== 'doubtful') return
        expect(certainPlan(reading)).toBeUndefined()
        expect(new Set(reading.choices.map((plan) => JSON.stringify(plan))).size).toBe(reading.choices.length)
        expect(reading.choices.length).toBeLessThanOrEqual(4)
      }),
      { numRuns: 2_000 },
    )
  })
})

const minutes = fc.nat(1_439)
const dates = fc.integer({ min: -40, max: 80 }).map((days) => addDays(TODAY, days))
/** A date in words of both languages. */
const dateForms: ((date: LocalDate) => string)[] = [
  (date) => date,
  (date) => `${date.slice(8)}.${date.slice(5, 7)}.`,
  (date) => `${Number(date.slice(8))}.${Number(date.slice(5, 7))}.${date.slice(0, 4)}`,
  (date) =>
    `${Number(date.slice(8))} ${new Date(date).toLocaleDateString('en-GB', { month: 'short', timeZone: 'UTC' })}`,
  (date) =>
    `${Number(date.slice(8))}. ${new Date(date).toLocaleDateString('de-DE', { month: 'long', timeZone: 'UTC' })}`,
]
const rangeForms: ((from: string, to: string) => string)[] = [
  (from, to) => `${from}-${to}`,
  (from, to) => `${from} – ${to}`,
  (from, to) => `${from} bis ${to} Uhr`,
  (from, to) => `from ${from} to ${to}`,
]

describe('stored entries lie where the line says', () => {
  test('for times of a date, with or without a note', () => {
    const forms = fc.tuple(fc.constantFrom(...dateForms), fc.constantFrom(...rangeForms), fc.boolean())
    const notes = fc.constantFrom('', ' Saldo', ' @New thing', ' meeting with Ada', ' #tag')
    fc.assert(
      fc.property(minutes, minutes, dates, forms, notes, (start, end, date, [dateForm, rangeForm, isFirst], note) => {
        fc.pre(end > start)
        const range = rangeForm(timeText(start), timeText(end))
        const text = isFirst ? `${dateForm(date)} ${range}${note}` : `${range} ${dateForm(date)}${note}`
        const plan = certainPlan(readQuickEntry(text, context))
        expect(plan).toMatchObject({ kind: 'entries', isPlaced: false })
        const [entry, ...more] = plan?.kind === 'entries' ? plan.entries : []
        expect(more).toEqual([])
        expect(entry && wallAt(epochMs(entry.started_at), ZONE)).toEqual({ date, minutes: start })
        expect(entry?.ended_at && wallAt(epochMs(entry.ended_at), ZONE)).toEqual({ date, minutes: end })
      }),
    )
  })

  test('for work with a break, which is as long as the line says', () => {
    const forms = fc.constantFrom(
      (length: number) => `Pause ${length} min`,
      (length: number) => `-${length}`,
      (length: number) => `${length} minute break`,
      (length: number) => `mit ${length} Minuten Pause`,
    )
    const spans = fc.tuple(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 120, max: 720 }))
    fc.assert(
      fc.property(spans, fc.integer({ min: 15, max: 90 }), forms, ([start, length], pause, form) => {
        const text = `${timeText(start)}-${timeText(start + length)} ${form(pause)}`
        const plan = certainPlan(readQuickEntry(text, context))
        const entries = plan?.kind === 'entries' ? plan.entries : []
        const sumOf = (kind: string) =>
          entries
            .filter((entry) => entry.kind === kind)
            .reduce((sum, { started_at, ended_at }) => sum + (Date.parse(ended_at ?? '') - Date.parse(started_at)), 0)
        expect({ text, work: sumOf('work'), pause: sumOf('break') }).toEqual({
          text,
          work: (length - pause) * MINUTE_MS,
          pause: pause * MINUTE_MS,
        })
        expect(entries.map(({ kind }) => kind)).toEqual(['work', 'break', 'work'])
      }),
    )
  })

  test('for absences of a range of dates', () => {
    const joins = fc.constantFrom('-', ' - ', ' bis ', ' to ')
    const kinds = fc.constantFrom('Urlaub', 'vacation', 'Überstundenabbau', 'unpaid leave')
    fc.assert(
      fc.property(dates, fc.integer({ min: 1, max: 30 }), fc.constantFrom(...dateForms), joins, kinds, (...args) => {
        const [from, length, form, join, kind] = args
        const to = addDays(from, length)
        fc.pre(from > addDays(TODAY, -30))
        const text = `${kind} ${form(from)}${join}${form(to)}`
        const plan = certainPlan(readQuickEntry(text, context))
        const days = plan?.kind === 'absence' ? plan.days.map(({ date }) => date) : []
        const expected = Array.from({ length: length + 1 }, (_, index) => addDays(from, index))
        const isWorkday = (date: LocalDate) => ![0, 6].includes(new Date(date).getUTCDay())
        const workdays = expected.filter(isWorkday)
        expect({ text, days }).toEqual({ text, days: workdays })
      }),
    )
  })
})
