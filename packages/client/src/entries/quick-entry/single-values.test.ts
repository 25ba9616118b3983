import type { LocalDate } from '@saldo/core'
import { expect, test } from 'vitest'
import { readAbsenceKind, readDates, readMoment } from './single-values.ts'

/** A Friday, 11:00 in Berlin. */
const present = {
  today: '2026-11-20' as LocalDate,
  nowMs: Date.parse('2026-11-20T10:00:00Z'),
  zone: 'Europe/Berlin',
}

test.each([
  ['2026-11-18', '2026-11-18', '2026-11-18'],
  ['gestern', '2026-11-19', '2026-11-19'],
  ['day before yesterday', '2026-11-18', '2026-11-18'],
  ['Monday', '2026-11-16', '2026-11-16'],
  ['1.12', '2026-12-01', '2026-12-01'],
  ['20 Nov 2025', '2025-11-20', '2025-11-20'],
  ['2026-12-24..2026-12-31', '2026-12-24', '2026-12-31'],
  ['24.12.-2.1.', '2026-12-24', '2027-01-02'],
  ['vom 21.12. bis 23.12.', '2026-12-21', '2026-12-23'],
  ['last week', '2026-11-09', '2026-11-15'],
  ['KW 46', '2026-11-09', '2026-11-15'],
  ['since Monday', '2026-11-16', '2026-11-20'],
])('the dates %s are from %s to %s', (text, from, to) => {
  expect(readDates(text, { ...present, isAhead: false })).toEqual([{ from, to }])
})

test('a text with other words is not a date; one that can mean several days returns all of them', () => {
  const read = (text: string) => readDates(text, { ...present, isAhead: false })
  for (const text of ['', '9-17', 'Haus', '2026-11-31', '31.2.', 'Monday Haus', '17:00'])
    expect(read(text), text).toEqual([])
  expect(read('last Monday').map(({ from }) => from)).toEqual(['2026-11-16', '2026-11-09'])
})

test.each([
  ['17:00', '2026-11-20T16:00:00Z'],
  ['9', '2026-11-20T08:00:00Z'],
  ['5:30pm', '2026-11-20T16:30:00Z'],
  ['now', '2026-11-20T10:00:00Z'],
  ['2026-11-18 17:00', '2026-11-18T16:00:00Z'],
  ['17:00 2026-11-18', '2026-11-18T16:00:00Z'],
  ['gestern 17 Uhr', '2026-11-19T16:00:00Z'],
  ['20.11. 9:30', '2026-11-20T08:30:00Z'],
  ['1.10. 9.30', '2026-10-01T07:30:00Z'],
  ['Montag, 8:15', '2026-11-16T07:15:00Z'],
  ['yesterday 24:00', '2026-11-19T23:00:00Z'],
])('the moment %s is %s', (text, instant) => {
  expect(readMoment(text, present)).toBe(Date.parse(instant))
})

test('a text that is no moment is none, nor is one whose date can mean several', () => {
  for (const text of ['', 'noonish', '25:00', 'gestern', 'gestern now', '9-17', 'last Monday 9:00', '9:00 Haus'])
    expect(readMoment(text, present), text).toBeUndefined()
})

test('a kind of absence has its own name and the words of both languages, but none that can mean several', () => {
  expect(
    ['time_off_in_lieu', 'paid_other', 'Urlaub', 'krank', 'Gleittag', 'bank holiday'].map(readAbsenceKind),
  ).toEqual(['time_off_in_lieu', 'paid_other', 'vacation', 'sick', 'time_off_in_lieu', 'public_holiday'])
  for (const text of ['', 'holiday', 'off', 'kind krank', 'vacation Monday'])
    expect(readAbsenceKind(text)).toBeUndefined()
})
