import { HOUR_MS, MINUTE_MS } from '@saldo/core'
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import type { Sheet, SheetDay } from './sheet.ts'
import { plainSheetWords } from './sheet-words.ts'
import { sheetWorkbookOf } from './sheet-workbook.ts'

const at = (time: string) => Date.parse(`2026-10-${time}+02:00`)

const blank: SheetDay = {
  date: '2026-10-20',
  zone: 'Europe/Berlin',
  state: 'counted',
  blocks: [],
  hasClockChange: false,
  runningSince: null,
  absences: [],
  projects: [],
  notes: [],
  hints: [],
  figures: null,
}
const days: SheetDay[] = [
  {
    ...blank,
    blocks: [
      { start: at('20T08:00:00'), end: at('20T12:15:00') },
      { start: at('20T20:00:00'), end: at('21T00:00:00') },
    ],
    projects: ['Saldo', 'Support'],
    notes: ['gears'],
    figures: { breakMinutes: 465, workedMinutes: 495, creditedMinutes: 60, targetMinutes: 480, deltaMinutes: 75 },
  },
  { ...blank, date: '2026-10-21', state: 'open', runningSince: at('21T08:00:00') },
  { ...blank, date: '2026-10-22', state: 'outside' },
]
const totals = { breakMinutes: 465, workedMinutes: 495, creditedMinutes: 60, targetMinutes: 480, deltaMinutes: 75 }
const sheet: Sheet = {
  range: { from: '2026-10-20', to: '2026-10-22' },
  countedTo: '2026-10-20',
  profile: { name: 'Ada Lovelace', personnel_number: '', employer: 'Engines' },
  withProjects: true,
  withNotes: true,
  withHints: true,
  days,
  adjustments: [{ date: '2026-10-21', kind: 'payout', reason: 'paid', minutes: -90 }],
  totals,
  balanceInMinutes: 150,
  balanceOutMinutes: 135,
  digest: '0123456789abcdef',
}

/** Returns the cells of a workbook's first sheet by their place: texts, numbers, and formulas that begin with `=`. */
async function cellsOf(blob: Blob): Promise<Record<string, string | number>> {
  const files = unzipSync(new Uint8Array(await blob.arrayBuffer()))
  const xml = (path: string) => strFromU8(files[path] as Uint8Array)
  const texts = [...xml('xl/sharedStrings.xml').matchAll(/<t[^>]*>([^<]*)<\/t>/g)].map(([, text]) => text as string)
  const cells = xml('xl/worksheets/sheet1.xml').matchAll(
    /<c r="(\w+)"([^>]*)>(?:<f>([^<]*)<\/f>)?(?:<v>([^<]*)<\/v>)?/g,
  )
  return Object.fromEntries(
    [...cells].map(([, place = '', attributes = '', formula, value]) => {
      if (formula !== undefined) return [place, `=${formula}`]
      return [place, attributes.includes('t="s"') ? (texts[Number(value)] ?? '') : Number(value)]
    }),
  )
}

test('[D13.2] a workbook has each figure of a sheet in its place', async () => {
  const cells = await cellsOf(await sheetWorkbookOf(sheet, plainSheetWords(sheet, 42)))
  const row = (number: number) =>
    ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I'].map((column) => cells[`${column}${number}`] ?? null)
  const none = (count: number) => Array.from({ length: count }, () => null)
  const parts = (minutes: number) => minutes / (24 * 60)
  expect([1, 2, 3, 4].map((number) => row(number).slice(0, 2))).toEqual([
    ['Timesheet 2026-10-20 to 2026-10-22', null],
    ['Name', 'Ada Lovelace'],
    ['Employer', 'Engines'],
    [null, null],
  ])
  expect(row(5)).toEqual([
    ...['Day', 'Start', 'End', 'Break', 'Worked', 'Credited', 'Target', 'Difference (hours)', 'Remarks'],
  ])
  expect(row(6)).toEqual(['Balance carried in', ...none(6), 2.5, null])
  const figures = [465, 495, 60, 480].map(parts)
  // 46315 days after 30 December 1899 is 20 October 2026.
  expect(row(7)).toEqual([
    ...[46_315, parts(8 * 60), parts(12 * 60 + 15), ...figures, '=24*(E7+F7-G7)', 'Saldo; Support; gears'],
  ])
  expect(row(8)).toEqual([null, parts(20 * 60), 1, ...none(6)])
  expect(row(9)).toEqual([46_316, ...none(7), 'still running'])
  expect(row(10)).toEqual([46_317, ...none(7), 'outside the account'])
  expect(row(11)).toEqual([46_316, ...none(6), -1.5, 'payout: paid'])
  const sums = ['D', 'E', 'F', 'G', 'H'].map((column) => `=SUM(${column}7:${column}10)`)
  expect(row(12)).toEqual(['Total', ...none(2), ...sums, null])
  expect(row(13)).toEqual(['Balance carried out', ...none(6), '=SUM(H6:H11)', null])
  expect([15, 16].map((number) => row(number)[0])).toEqual([
    'Figures up to 2026-10-20.',
    'Version 42, digest 0123456789abcdef',
  ])
  expect([row(19)[0], row(19)[5]]).toEqual(['_'.repeat(32), '_'.repeat(32)])
  expect([row(20)[0], row(20)[5]]).toEqual(['Date, signature of the employee', 'Date, signature of the employer'])
})

test('[D13.2] a workbook says the offsets of times on the day of a clock change', async () => {
  const night = { start: Date.parse('2026-10-25T00:20:00+02:00'), end: Date.parse('2026-10-25T06:00:00+01:00') }
  const change: SheetDay = { ...blank, date: '2026-10-25', blocks: [night], hasClockChange: true, notes: ['gears'] }
  const remarksOf = async (day: SheetDay) => {
    const one = { ...sheet, days: [day], adjustments: [] }
    return (await cellsOf(await sheetWorkbookOf(one, plainSheetWords(one, 42)))).I7
  }
  expect(await remarksOf(change)).toBe('gears; 00:20 (+02:00)–06:00 (+01:00)')
  expect(await remarksOf({ ...change, hasClockChange: false })).toBe('gears')
})

test('[D13.1] the words of a sheet for programs name everything that is on a day', () => {
  const words = plainSheetWords({ ...sheet, countedTo: '2026-11-05' }, 42)
  expect(words.note).toBe('Figures up to 2026-10-22.')
  const person = { name: 'Ada', personnel_number: '007', employer: '' }
  expect(plainSheetWords({ ...sheet, profile: person }, 42).person).toEqual([
    { label: 'Name', value: 'Ada' },
    { label: 'Personnel number', value: '007' },
  ])
  const sizes = [
    { day_share: 1, amount_ms: null },
    { day_share: 0.5, amount_ms: null },
    { day_share: null, amount_ms: 2.5 * HOUR_MS },
  ] as const
  const absences = sizes.map((size, index) => ({
    kind: 'paid_other' as const,
    size,
    note: index === 1 ? 'dentist' : '',
  }))
  const hints = [{ code: 'short_rest' as const, amountMs: 9 * HOUR_MS + 30 * MINUTE_MS + 59_000 }]
  expect(words.remarks({ ...(days[0] as SheetDay), absences, hints })).toEqual([
    'paid other',
    'paid other 0.5: dentist',
    'paid other 2:30 h',
    'Saldo',
    'Support',
    'gears',
    'short rest 9:30',
  ])
  expect(words.remarks(blank)).toEqual([])
  const several: SheetDay = {
    ...blank,
    absences: [{ kind: 'time_off_in_lieu', size: { day_share: 1, amount_ms: null }, note: '' }],
    hints: [{ code: 'core_time_missed', amountMs: 90 * MINUTE_MS }],
  }
  expect(words.remarks(several)).toEqual(['time off in lieu', 'core time missed 1:30'])
})

test('the name of the sheet is its title, shortened and without characters that Excel forbids', async () => {
  const title = "A/B: [C]*D?E\\F'G, the timesheet of October 2026"
  const files = unzipSync(
    new Uint8Array(await (await sheetWorkbookOf(sheet, { ...plainSheetWords(sheet, 1), title })).arrayBuffer()),
  )
  const [, name] = /<sheet [^>]*name="([^"]*)"/.exec(strFromU8(files['xl/workbook.xml'] as Uint8Array)) ?? []
  expect(name).toBe('A B   C  D E F G, the timesheet')
})
