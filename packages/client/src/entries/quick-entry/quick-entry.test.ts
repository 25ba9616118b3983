import { readFileSync } from 'node:fs'
import { anAbsence, aSettingsRow } from '@saldo/client/testing'
import {
  type AbsenceSize,
  addDays,
  buildTimeline,
  dayWindow,
  epochMs,
  HOUR_MS,
  type LocalDate,
  MINUTE_MS,
  plannedOn,
  shareOfDay,
} from '@saldo/core'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { runsOf } from '../../../../core/test/tier.ts'
import * as readWords from '../../reading/words.ts'
import { freeSlotIn } from '../free-slot.ts'
import type { AbsenceRecord } from '../parts.ts'
import { instantAt, wallAt } from '../wall-time.ts'
import { quickContextOf } from './context.ts'
import type { Plan, QuickContext } from './plan.ts'
import { certainPlan, MAX_LINE_CHARACTERS, type PhraseReading, readQuickEntry } from './reading.ts'
import * as words from './words.ts'

/** A Friday. */
const TODAY: LocalDate = '2026-11-20'
const ZONE = 'Europe/Berlin'
const timeline = buildTimeline([aSettingsRow()])
const GERMAN_BREAKS = {
  rules: [
    { worked_above_ms: 6 * HOUR_MS, required_ms: 30 * MINUTE_MS },
    { worked_above_ms: 9 * HOUR_MS, required_ms: 45 * MINUTE_MS },
  ],
  min_piece_ms: 15 * MINUTE_MS,
}

/** Eight hours from Monday to Friday, and an empty day. */
function contextAt(hours: number, changed: Partial<QuickContext> = {}): QuickContext {
  const nowMs = instantAt(TODAY, hours * 60, ZONE)
  return {
    nowMs,
    today: TODAY,
    defaultDate: TODAY,
    timeline,
    projects: ['Saldo', 'Big House', 'Support', 'Haus 7'],
    absences: [],
    place: (date, lengthMs) =>
      freeSlotIn({ date, today: TODAY, zone: ZONE, window: dayWindow(timeline, date), timed: [] }, lengthMs, nowMs),
    breakFor: () => 0,
    ...changed,
  }
}
const context = contextAt(16)
const read = (text: string) => written(readQuickEntry(text, context))

/**
 * Writes a reading: `11-19 09:00-12:00 @project* #tag "note"` (dates other than today, `*` for a new project), `~`
 * for a time that was chosen, `start 09:00` for a timer, `sick 11-20..11-25 4 days (2 free)` for an absence, `(off)` on
 * a day off, `?` for what is doubtful with the pieces that are unclear, `!` for the reason why there is no reading.
 */
function written(reading: PhraseReading): string {
  switch (reading.kind) {
    case 'nothing':
      return `! ${reading.problem}`
    case 'doubtful':
      return `? ${reading.unclear.map((text) => `«${text}» `).join('')}${reading.choices.map(written).join(' | ')}`
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

function absenceText({ days, range: { from, to }, freeCount, isDayOff }: Extract<Plan, { kind: 'absence' }>): string {
  const [first] = days
  const dates = from === to ? shortDate(from) : `${shortDate(from)}..${shortDate(to)}`
  const count = days.length === 1 ? '' : ` ${days.length} days`
  const free = freeCount === 0 ? '' : ` (${freeCount} free)`
  const sizeOf = ({ day_share, amount_ms }: AbsenceSize) => day_share ?? timeText((amount_ms ?? 0) / MINUTE_MS)
  const sizes = [...new Set(days.map((day) => String(sizeOf(day))))].join(' … ')
  const size = sizes === '1' ? '' : ` ${sizes}`
  return `${first?.kind} ${dates}${count}${free}${isDayOff ? ' (off)' : ''}${size}${first && wordsText(first, false)}`
}

function entriesText({ entries, newProjects, isPlaced, freeCount }: Extract<Plan, { kind: 'entries' }>): string {
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
  return texts.join(', ') + (freeCount > 0 ? ` (${freeCount} free)` : '') + (isPlaced ? ' ~' : '')
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

const corpus = JSON.parse(readFileSync(new URL('../../../../../fixtures/readings.json', import.meta.url), 'utf8')) as {
  quickEntry: Record<string, Record<string, string>>
}

/** The rules of the sections that are about more than readings and doubts. */
const RULES: Record<string, string> = {
  'a week and a weekday narrow': '[D32.8]',
  'whoever names a day off works on it': '[D32.9]',
  'times of each day': '[D32.10]',
  'parts of the day': '[D32.11]',
  'nothing is dropped': '[D32.12]',
  'rows of tables, chats and time clocks': '[D32.14]',
}
const sections = Object.entries(corpus.quickEntry).map(
  ([name, readings]) => [`${RULES[name] ?? '[D32.7]'} quick entry: ${name}`, readings] as const,
)

describe.each(sections)('%s', (_, readings) => {
  test.each(Object.entries(readings))('«%s» → %s', (phrase, meaning) => {
    expect(read(phrase)).toBe(meaning)
  })
})

describe('a quick entry', () => {
  test('that would have begun at night asks whether it began in the morning', () => {
    const reading = readQuickEntry('7,5h', contextAt(11.75))
    expect(written(reading)).toBe('? 09:00-16:30 ~ | 04:15-11:45 ~')
  })

  test.each([
    ['7,5h', '08:00-12:00, break 12:00-12:30, 12:30-16:00 ~'],
    ['16.11. 7,5 Stunden', '11-16 09:00-12:00, break 12:00-12:30, 12:30-17:00 ~'],
    [
      '16.11. 3h @Saldo 5h @Support',
      '11-16 09:00-12:00 @Saldo, 12:00-14:30 @Support, break 14:30-15:00, 15:00-17:30 @Support ~',
    ],
    ['16.11. 6h', '11-16 09:00-15:00 ~'],
    ['16.11. 10h', '11-16 09:00-12:00, break 12:00-12:45, 12:45-19:45 ~'],
    [
      '16.11. 8h Pause 15',
      '? 11-16 09:00-12:00, break 12:00-12:15, 12:15-17:15 ~ | 11-16 09:00-12:00, break 12:00-12:15, 12:15-17:00 ~',
    ],
    ['16.11. 8h zählt nicht', '11-16 09:00-17:00 ! ~'],
  ])(
    '[D32.13] that names hours only lets all of them count, with the break of the rules inside: «%s»',
    (phrase, meaning) => {
      const settings = aSettingsRow({ break_policy: GERMAN_BREAKS })
      const day = { date: TODAY, today: TODAY, timeline: buildTimeline([settings]) }
      expect(
        written(readQuickEntry(phrase, { ...quickContextOf(day, [], context.nowMs), projects: context.projects })),
      ).toBe(meaning)
    },
  )

  test('without a date means the day on screen, but "now" is today', () => {
    const onTuesday = contextAt(16, { defaultDate: '2026-11-17' })
    expect(written(readQuickEntry('9-12', onTuesday))).toBe('11-17 09:00-12:00')
    expect(written(readQuickEntry('krank bis Mittwoch', onTuesday))).toBe('sick 11-17..11-18 2 days')
    expect(written(readQuickEntry('now', onTuesday))).toBe('start 16:00')
    expect(written(readQuickEntry('9-now', onTuesday))).toBe('! noEnd')
  })

  test('[D32.1] on a Wednesday asks which week "mon-fri" and "next friday" mean, and of work on a Monday', () => {
    const on = (today: LocalDate) => contextAt(16, { today, defaultDate: today, nowMs: instantAt(today, 960, ZONE) })
    const onWednesday = on('2026-11-18')
    expect(written(readQuickEntry('mon-tue 9-17', on('2026-11-16')))).toBe(
      '? 11-09 09:00-17:00, 11-10 09:00-17:00 | 11-16 09:00-17:00, 11-17 09:00-17:00',
    )
    expect(written(readQuickEntry('vacation mon-fri', onWednesday))).toBe(
      '? vacation 11-23..11-27 5 days | vacation 11-16..11-20 5 days',
    )
    expect(written(readQuickEntry('vacation next friday', onWednesday))).toBe('? vacation 11-27 | vacation 11-20')
  })

  test.each([
    [8, '22-6', '? 11-19 22:00-06:00+1 | 22:00-06:00+1'],
    [8, 'heute 22-6', '22:00-06:00+1'],
    [8, 'seit 22', 'start 11-19 22:00'],
    [0.5, '22-6', '22:00-06:00+1'],
    [0.5, 'since 23:30', 'start 11-19 23:30'],
    [16, 'since 8pm', '! noEnd'],
  ])('[D32.1] asks at %s hours which night a line without a date means: «%s»', (hours, phrase, meaning) => {
    expect(written(readQuickEntry(phrase, contextAt(hours)))).toBe(meaning)
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

const vocabulary = [...Object.values(words), ...Object.values(readWords)].flatMap((table) =>
  table instanceof Map ? [...table.keys()] : [],
)
const phrases = Object.values(corpus.quickEntry).flatMap((readings) =>
  Object.keys(readings).flatMap((text) => text.split(' ')),
)
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
      { numRuns: runsOf(400, 2_000) },
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
      { numRuns: runsOf(400, 2_000) },
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

describe('[D32.15] a line costs no more than it is read for:', () => {
  test('a longer one is not read, and says so', () => {
    const line = '9-12 '.padEnd(MAX_LINE_CHARACTERS, 'x')
    expect(readQuickEntry(line, context)).toMatchObject({ kind: 'entries' })
    expect(read(`${line}x`)).toBe('! lineTooLong')
  })

  test('meanings that are not tried are not made', () => {
    const copies = vi.spyOn(Array.prototype, 'with')
    try {
      expect(read('foo 9-10 bar '.repeat(76))).toBe('! overlap')
      expect(copies.mock.calls.length).toBeLessThan(200)
    } finally {
      copies.mockRestore()
    }
  })

  test('the names of projects are read once, whatever the number of marks', () => {
    const normalized = vi.spyOn(String.prototype, 'normalize')
    try {
      readQuickEntry('@a '.repeat(300), { ...context, projects: Array.from({ length: 100 }, (_, n) => `Project ${n}`) })
      expect(normalized.mock.contexts.filter((text) => `${text}`.startsWith('Project')).length).toBeLessThan(1_000)
    } finally {
      normalized.mockRestore()
    }
  })
})
