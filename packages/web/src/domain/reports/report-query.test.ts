import { FIRST_DATE, LAST_DATE, reportGroups } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fieldsOf, unreadFields } from '../address.ts'
import {
  datesOf,
  defaultQuery,
  neighbourAddress,
  type ReportQuery,
  rangeOfQuery,
  readReportAddress,
  reportAddressOf,
  reportFields,
} from './report-query.ts'
import { rangePresets } from './report-range.ts'

const hashOf = (address: string) => new URL(address, 'https://saldo.example').hash

test('an address leaves out what is as in the default', () => {
  expect(reportAddressOf({})).toBe('/reports')
  expect(reportAddressOf({ dates: 'last-month', group: 'tag', project: 'Harbour & Sons', words: 'é' })).toBe(
    '/reports#dates=last-month&by=tag&project=Harbour+%26+Sons&words=%C3%A9',
  )
})

test('every report is read back from its address', () => {
  const day = fc.constantFrom('0001-01-01' as const, '2026-02-28' as const, '2026-03-01' as const, LAST_DATE)
  const text = fc.string({ unit: 'grapheme', maxLength: 12 })
  const query = fc.record<ReportQuery>(
    {
      dates: fc.oneof(
        fc.constantFrom(...rangePresets),
        fc.tuple(day, day).map(([a, b]) => (a <= b ? { from: a, to: b } : { from: b, to: a })),
      ),
      group: fc.constantFrom(...reportGroups),
      words: text,
      project: text,
      tag: text,
      kind: fc.constantFrom('' as const, 'break' as const),
    },
    { noNullPrototype: true },
  )
  fc.assert(
    fc.property(query, (asked) => {
      expect(readReportAddress(fieldsOf(hashOf(reportAddressOf(asked))))).toEqual(asked)
    }),
  )
})

test.each([
  '',
  'dates=yesterday&by=colour&kind=vacation',
  'from=2026-03-02&to=2026-03-01',
  'from=2026-13-45&to=abc',
  '%E0%A4%A',
])('a malformed address «%s» shows the default', (search) => {
  expect(readReportAddress(fieldsOf(search))).toEqual(defaultQuery)
})

test('[D32.1] fields of an address that a report leaves out are named', () => {
  const unread = (hash: string) => unreadFields(fieldsOf(hash), reportFields)
  expect(unread('dates=last-year&by=tag&kind=break&words=x&project=y&tag=z')).toEqual([])
  expect(unread('from=2026-03-01&to=2026-03-01')).toEqual([])
  expect(unread('dates=foo&by=colour&kind=vacation')).toEqual(['dates=foo', 'by=colour', 'kind=vacation'])
  expect(unread('from=2026-03-02&to=2026-03-01')).toEqual(['from=2026-03-02', 'to=2026-03-01'])
  expect(unread('from=2026-13-45&to=2026-03-01')).toEqual(['from=2026-13-45'])
})

test('an open end reaches to the first or last date', () => {
  expect(readReportAddress(fieldsOf('#from=2026-02-03')).dates).toEqual({ from: '2026-02-03', to: LAST_DATE })
  expect(readReportAddress(fieldsOf('#to=2026-02-03')).dates).toEqual({ from: FIRST_DATE, to: '2026-02-03' })
})

test('dates of a preset become the preset', () => {
  const today = '2026-11-23'
  expect(datesOf(rangeOfQuery({ dates: 'last-year' }, today), today)).toBe('last-year')
  expect(datesOf({ from: '2026-11-02', to: '2026-11-03' }, today)).toEqual({ from: '2026-11-02', to: '2026-11-03' })
})

test('a report leads to that of the dates before and after, with the same group and filters', () => {
  const query = { ...defaultQuery, tag: 'ui', group: 'day' } as const
  expect(neighbourAddress(query, -1, '2026-11-23')).toBe('/reports#dates=last-month&by=day&tag=ui')
  expect(neighbourAddress(query, 1, '2026-11-23')).toBe('/reports#from=2026-12-01&to=2026-12-31&by=day&tag=ui')
  expect(neighbourAddress({ ...defaultQuery, dates: 'all' }, 1, '2026-11-23')).toBe('/reports#dates=all')
})
