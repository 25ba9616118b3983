import { addDays, HOUR_MS, instantOf } from '@saldo/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readRange, readTime } from '../../../domain/wall-time.ts'
import { type QuickContext, readQuickEntry } from './quick-entry.ts'

/** A Friday; 16:00 in Berlin. */
const TODAY = '2026-11-20'
const context: QuickContext = {
  today: TODAY,
  defaultDate: TODAY,
  zone: 'Europe/Berlin',
  projects: ['Saldo', 'Big House'],
  words: {
    days: new Map([
      ['today', 0],
      ['yesterday', -1],
    ]),
    weekdays: [['mon', 'monday'], ['tue'], ['wed'], ['thu'], ['fri'], ['sat'], ['sun']],
    breaks: new Set(['break']),
    absences: new Map([
      ['vacation', 'vacation'],
      ['sick', 'sick'],
    ]),
    half: new Set(['half', '½']),
    until: new Set(['to']),
  },
  place: (date, lengthMs) => {
    const end = Date.parse(`${date}T15:00:00Z`)
    return { start: end - lengthMs, end }
  },
}
const read = (text: string) => {
  const entry = readQuickEntry(text, context)
  return entry.ok ? entry.content : entry.reason
}
const berlin = (date: string, time: string) => `${date}T${time}:00+01:00`
const span = (from: string, to: string | null) => ({
  started_at: instantOf(Date.parse(from)),
  ended_at: to && instantOf(Date.parse(to)),
})

describe('a quick entry', () => {
  test('has times, project, tags and a note', () => {
    expect(read('9-12:30 project #tag note here')).toEqual({
      kind: 'work',
      ...span(berlin(TODAY, '09:00'), berlin(TODAY, '12:30')),
      time_zone: 'Europe/Berlin',
      project: 'project',
      tags: ['tag'],
      note: 'note here',
      source: null,
      import_ref: null,
    })
  })

  test.each([
    ['9 - 12', '09:00', '12:00'],
    ['9–12', '09:00', '12:00'],
    ['9 to 12', '09:00', '12:00'],
    ['930-1700', '09:30', '17:00'],
    ['9am-5pm', '09:00', '17:00'],
    ['9-5', '09:00', '17:00'],
    ['9.15-10.45', '09:15', '10:45'],
  ])('«%s»', (text, from, to) => {
    expect(read(text)).toMatchObject(span(berlin(TODAY, from), berlin(TODAY, to)))
  })

  test('that crosses midnight ends on the next day', () => {
    expect(read('22-6')).toMatchObject(span(berlin(TODAY, '22:00'), berlin(addDays(TODAY, 1), '06:00')))
    expect(read('20-24')).toMatchObject(span(berlin(TODAY, '20:00'), berlin(addDays(TODAY, 1), '00:00')))
  })

  test('without an end is running', () => {
    expect(read('9- email')).toMatchObject({ ...span(berlin(TODAY, '09:00'), null), project: 'email' })
    expect(read('8:45')).toMatchObject(span(berlin(TODAY, '08:45'), null))
  })

  test.each(['2h yesterday', 'yesterday 2h', 'yesterday 120m', 'yesterday 1h60m', '2:00h yesterday', '2 h yesterday'])(
    '«%s» is placed where it fits',
    (text) => {
      const entry = readQuickEntry(text, context)
      expect(entry).toMatchObject({ ok: true, placed: true, date: '2026-11-19' })
      expect(read(text)).toMatchObject(span(berlin('2026-11-19', '14:00'), berlin('2026-11-19', '16:00')))
    },
  )

  test.each([
    ['mon', '2026-11-16'],
    ['fri', TODAY],
    ['sat', '2026-11-14'],
    ['18.11.', '2026-11-18'],
    ['2.1.', '2027-01-02'],
    ['18.11.2025', '2025-11-18'],
    ['2026-11-02', '2026-11-02'],
  ])('on «%s»', (word, date) => {
    expect(read(`9-10 ${word}`)).toMatchObject(span(berlin(date, '09:00'), berlin(date, '10:00')))
  })

  test('knows projects of several words, and takes any with @', () => {
    expect(read('9-10 big house roof')).toMatchObject({ project: 'Big House', note: 'roof' })
    expect(read('9-10 @"New one" roof')).toMatchObject({ project: 'New one', note: 'roof' })
    expect(read('9-10')).toMatchObject({ project: null, note: '' })
  })

  test('may be a break or an absence', () => {
    expect(read('break 12-12:30')).toMatchObject({ kind: 'break', project: null })
    expect(read('vacation mon half sea')).toMatchObject({
      kind: 'vacation',
      date: '2026-11-23',
      day_share: 0.5,
      note: 'sea',
    })
  })

  test('means the next such weekday for leave and the last one for sickness', () => {
    expect(read('mon vacation')).toMatchObject({ date: '2026-11-23' })
    expect(read('vacation fri')).toMatchObject({ date: TODAY })
    expect(read('sick mon')).toMatchObject({ date: '2026-11-16' })
    expect(read('vacation 16.11.')).toMatchObject({ date: '2026-11-16' })
  })

  test('has a reason if it is not valid', () => {
    expect(read('  ')).toBe('empty')
    expect(read('project #tag')).toBe('noTime')
    expect(read('9-10 11-12')).toBe('twoTimes')
    expect(read('25h')).toBe('tooLong')
  })

  test('parses or has a reason, for any text', () => {
    const part = fc.oneof(
      fc.string(),
      fc.constantFrom('9', '-', '24', '0', ':', 'h', 'pm', '#', '@', '.', 'mon', ' ', '31.2.'),
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        expect(readQuickEntry(parts.join(''), context).ok).toBeTypeOf('boolean')
      }),
    )
  })

  test('has the times that were written', () => {
    const minutes = fc.nat(1_439)
    const write = (value: number) => `${Math.floor(value / 60)}:${String(value % 60).padStart(2, '0')}`
    fc.assert(
      fc.property(minutes, minutes, (start, end) => {
        fc.pre(end > start)
        expect(readRange(`${write(start)}-${write(end)}`)).toEqual({ start, end })
        expect(readTime(write(start))).toBe(start)
      }),
    )
  })
})

test('an entry is never longer than a day', () => {
  fc.assert(
    fc.property(fc.nat(24), fc.nat(24), (from, to) => {
      const entry = readQuickEntry(`${from}-${to}`, context)
      if (!entry.ok || !('started_at' in entry.content)) return
      const { started_at, ended_at } = entry.content
      const lengthMs = Date.parse(ended_at as string) - Date.parse(started_at as string)
      expect(lengthMs).toBeGreaterThan(0)
      expect(lengthMs).toBeLessThanOrEqual(24 * HOUR_MS)
    }),
  )
})
