import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  buildTimeline,
  computeDay,
  datesIn,
  type Entry,
  FIRST_DATE,
  HOUR_MS,
  itemAt,
  LAST_DATE,
  type LocalDate,
} from '@saldo/core'
import { strFromU8, unzipSync } from 'fflate'
import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import { account as readAccount } from '../../test/exported-account.ts'
import type { ForecastDay } from '../queries/forecast.ts'
import { aClosedWeek, anAbsence, anAdjustment, aSettingsRow, aWork } from '../testing.ts'
import {
  csvOf,
  type ExportedAccount,
  type ExportTableName,
  reportTable,
  solidtimeCsv,
  tableNames,
  tableOf,
  workbookOf,
} from './index.ts'
import { columnLetters } from './workbook.ts'

const at = (time: string) => Date.parse(`2026-11-${time}+01:00`)
const timeline = buildTimeline([aSettingsRow({ effective_from: '2026-11-16' })])
const entries: Entry[] = [
  aWork(at('17T08:15:00'), at('17T17:00:00'), { project: 'Saldo', note: 'a "quoted", long\nnote', tags: ['a', 'b,c'] }),
  aWork(at('16T09:00:00'), at('16T16:30:00'), { note: '=HYPERLINK("https://example.org")' }),
  anAbsence('vacation', '2026-11-18', 0.5),
  aWork(at('19T09:00:00'), null),
]
const days = [...datesIn({ from: '2026-11-16', to: '2026-11-23' })].map((date): ForecastDay => {
  return { date, state: 'open', closed: null, forecast: computeDay(entries, timeline, date) }
})
const account: ExportedAccount = {
  timeline,
  entries,
  days,
  closedWeeks: [aClosedWeek('2026-W47', 0)],
  adjustments: [{ record: anAdjustment('2026-11-20', 5 * HOUR_MS), pending: false }],
  today: '2026-11-23',
}
const november = { from: '2026-11-01', to: '2026-11-30' } as const

/** Returns the cells of a column by its name. */
function cells(table: ExportTableName, column: string, range: { from: LocalDate; to: LocalDate } = november) {
  const { columns, rows } = tableOf(table, account, range)
  return rows.map((row) => row[columns.findIndex(({ name }) => name === column)])
}

test('entries come in the order of their dates, with local times and their length in hours', () => {
  expect(cells('entries', 'date')).toEqual(['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19'])
  expect(cells('entries', 'start')).toEqual(['2026-11-16 09:00:00', '2026-11-17 08:15:00', null, '2026-11-19 09:00:00'])
  expect(cells('entries', 'duration_hours')).toEqual([7.5, 8.75, null, null])
  expect(cells('entries', 'day_share')).toEqual([null, null, 0.5, null])
  expect(cells('entries', 'date', { from: '2026-11-17', to: '2026-11-18' })).toEqual(['2026-11-17', '2026-11-18'])
})

test('an absence in hours has its length in a column of its own', () => {
  const absence = { ...anAbsence('paid_other', '2026-11-20'), day_share: null, amount_ms: 1.5 * HOUR_MS } as Entry
  const { columns, rows } = tableOf('entries', { ...account, entries: [absence] }, november)
  const cell = (name: string) => rows[0]?.[columns.findIndex((column) => column.name === name)]
  expect([cell('day_share'), cell('amount_hours'), cell('duration_hours')]).toEqual([null, 1.5, null])
})

test('an entry has the times of its own zone, on the date of the account', () => {
  const abroad = aWork(at('17T01:00:00'), at('17T02:30:00'), { time_zone: 'America/New_York' })
  const [row] = tableOf('entries', { ...account, entries: [abroad] }, november).rows
  expect(row?.slice(0, 4)).toEqual(['2026-11-17', 'work', '2026-11-16 19:00:00', '2026-11-16 20:30:00'])
  expect(row).toContain('America/New_York')
})

test('days and weeks have the figures of the account, and no day that it does not count yet', () => {
  expect(cells('days', 'date')).toHaveLength(7)
  expect(cells('days', 'delta_hours')).toEqual([-0.5, 0.75, -4, -8, -8, 0, 0])
  expect(cells('weeks', 'delta_hours')).toEqual([-19.75])
  expect(cells('weeks', 'state')).toEqual(['closed'])
  // A week counts where it ends, so that no week counts twice, and as a whole.
  expect(cells('weeks', 'delta_hours', { from: '2026-11-19', to: '2026-11-30' })).toEqual([-19.75])
  expect(cells('weeks', 'week', { from: '2026-11-01', to: '2026-11-21' })).toEqual([])
})

test('the ledger has the balance after each line, also in a range that begins later', () => {
  expect(cells('ledger', 'balance_hours')).toEqual([5, -14.75])
  expect(cells('ledger', 'balance_hours', { from: '2026-11-21', to: '2026-11-30' })).toEqual([-14.75])
})

test('each table has its columns, in this order', () => {
  const heads = (['entries', 'days', 'weeks', 'ledger'] as const).map((name) => csvOf(tableOf(name, account, november)))
  const figures = 'target_hours,recorded_hours,deducted_break_hours,worked_hours,credited_hours,delta_hours'
  expect(heads.map((text) => text.split('\r\n')[0])).toEqual([
    'date,kind,start,end,duration_hours,counts,day_share,amount_hours,vacation_days,project,tags,note,time_zone,started_at,ended_at,source,id',
    `date,week,state,${figures}`,
    `week,from,to,state,revision,${figures}`,
    'date,kind,state,what,delta_hours,balance_hours',
  ])
  expect(cells('weeks', 'from').concat(cells('weeks', 'to'))).toEqual(['2026-11-16', '2026-11-22'])
  expect(cells('days', 'target_hours')).toEqual([8, 8, 4, 8, 8, 0, 0])
  expect(cells('days', 'worked_hours')).toEqual([7.5, 8.75, 0, 0, 0, 0, 0])
})

test('worked hours are what the app shows: the recorded ones without the break that the rules deduct', () => {
  const hoursOf = (hours: number) => hours * HOUR_MS
  const day = itemAt(account.days, 0)
  const forecast = { ...day.forecast, worked_ms: hoursOf(9), deducted_break_ms: hoursOf(0.5), delta_ms: hoursOf(0.5) }
  const { columns, rows } = tableOf('days', { ...account, days: [{ ...day, forecast }] }, november)
  const cell = (name: string) => rows[0]?.[columns.findIndex((column) => column.name === name)]
  expect([cell('recorded_hours'), cell('deducted_break_hours'), cell('worked_hours')]).toEqual([9, 0.5, 8.5])
})

test('the ledger has adjustments after today, with the balance that they lead to', () => {
  const ahead = { record: anAdjustment('2026-11-25', -HOUR_MS, 'payout'), pending: false }
  const future = { ...account, adjustments: [...account.adjustments, ahead] }
  expect(tableOf('ledger', future, november).rows.at(-1)).toEqual([
    ...['2026-11-25', 'payout', 'recorded', 'because', -1, -15.75],
  ])
})

test('the ledger tells closed weeks from open ones, and unsent adjustments from recorded ones', () => {
  const unsent = { record: anAdjustment('2026-11-21', HOUR_MS, 'payout'), pending: true }
  const open = { ...account, closedWeeks: [], adjustments: [...account.adjustments, unsent] }
  const rows = (whose: ExportedAccount) => tableOf('ledger', whose, november).rows.map((row) => row.slice(0, 4))
  expect(rows(account)).toEqual([
    ['2026-11-20', 'correction', 'recorded', 'because'],
    ['2026-11-22', 'week', 'closed', '2026-W47'],
  ])
  expect(rows(open).slice(1)).toEqual([
    ['2026-11-21', 'payout', 'unsent', 'because'],
    ['2026-11-22', 'week', 'open', '2026-W47'],
  ])
})

test('CSV quotes what needs it, and no text becomes a formula', () => {
  const [head, first, second] = csvOf(tableOf('entries', account, november)).split('\r\n')
  expect(head).toMatch(/^date,kind,start,end,duration_hours,/)
  expect(first).toContain(`,"'=HYPERLINK(""https://example.org"")",`)
  expect(second).toContain(',Saldo,"a, b,c","a ""quoted"", long\nnote",')
  expect(csvOf({ columns: [{ name: 'x' }], rows: [[-0.5], ['-0.5'], ['\t=1'], [1 / 3], [null]] })).toBe(
    "x\r\n-0.5\r\n'-0.5\r\n\t'=1\r\n0.3333333\r\n\r\n",
  )
})

test('CSV tells each millisecond of a duration from the next', () => {
  const durationsMs = [0, 1, 2, 59_999, 27_000_001, 1_000 * HOUR_MS + 1]
  const csv = csvOf({ columns: [{ name: 'x' }], rows: durationsMs.map((ms) => [ms / HOUR_MS]) })
  const read = csv.trimEnd().split('\r\n').slice(1)
  expect(read.map((cell) => Math.round(Number(cell) * HOUR_MS))).toEqual(durationsMs)
})

test("solidtime's layout has finished work that counts in UTC, without the breaks inside", () => {
  const lines = solidtimeCsv(account, november, { name: 'Ada', email: 'ada@example.org' }).trimEnd().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toBe('description,billable,client,project,tags,start,end,task,user_name,user_email')
  expect(lines.slice(1).join()).toContain(',2026-11-17T07:15:00Z,2026-11-17T16:00:00Z,,Ada,ada@example.org')
  expect(lines.slice(1).join()).toContain('"a,b c"')
  const pause = aWork(at('17T12:00:00'), at('17T13:00:00'), { kind: 'break' })
  const uncounted = aWork(at('17T20:00:00'), at('17T21:00:00'), { counts: false })
  const withBreak = { ...account, entries: [...entries, pause, uncounted] }
  // Half past eight to five with an hour's break are two rows, and not an hour too much.
  const cut = solidtimeCsv(withBreak, november, { name: 'Ada', email: 'ada@example.org' })
  const timesOf = (text: string) =>
    [...text.matchAll(/,(2026[^,]+Z),(2026[^,]+Z),/g)].map(([, from, to]) => `${from}/${to}`)
  expect(timesOf(cut).slice(-2)).toEqual([
    '2026-11-17T07:15:00Z/2026-11-17T11:00:00Z',
    '2026-11-17T12:00:00Z/2026-11-17T16:00:00Z',
  ])
  expect(timesOf(cut)).toHaveLength(3)
  expect(lines.join()).toContain(',false,,Saldo,')
  const between = aWork(at('17T18:00:00') + 499, at('17T19:00:00') + 500, { note: 'x', tags: ['a,b,c'] })
  const rounded = solidtimeCsv({ ...account, entries: [between] }, november, { name: '', email: '' })
  expect(rounded).toContain('x,false,,,a b c,2026-11-17T17:00:00Z,2026-11-17T18:00:01Z,')
})

test('dates outside the account are no lines of its tables', () => {
  const outside = account.days.map((day) => (day.date < '2026-11-18' ? { ...day, state: 'outside' as const } : day))
  const dates = tableOf('days', { ...account, days: outside }, november).rows.map(([date]) => date)
  expect(dates[0]).toBe('2026-11-18')
})

test('a workbook has a sheet per table, real dates and durations, and formulas that refer to its cells', async () => {
  const tables = (['days', 'ledger'] as const).map((name) => tableOf(name, account, november))
  const files = unzipSync(new Uint8Array(await (await workbookOf(tables)).arrayBuffer()))
  const sheet = (number: number) => strFromU8(files[`xl/worksheets/sheet${number}.xml`] as Uint8Array)
  expect(strFromU8(files['xl/workbook.xml'] as Uint8Array)).toMatch(/"Days".*"Ledger"/s)
  // 46342 days after 30 December 1899 is 16 November 2026; 7.5 hours are 0.3125 days.
  expect(sheet(1)).toMatch(/r="A2"[^>]*><v>46342<\/v>/)
  expect(sheet(1)).toMatch(/r="E2"[^>]*><v>0.3125<\/v>/)
  expect(sheet(1)).toContain('<f>24*(G2+H2-D2)</f>')
  expect(sheet(1)).toContain('<f>E2-F2</f>')
  expect(sheet(1)).toContain('<f>SUM(I2:I8)</f>')
  expect(sheet(2)).toContain('<f>F2+E3</f>')
})

test('the durations of entries have their sum, which is not called a total', async () => {
  const overlapping = aWork(at('16T10:00:00'), at('16T12:00:00'))
  const table = tableOf('entries', { ...account, entries: [...entries, overlapping] }, november)
  const files = unzipSync(new Uint8Array(await (await workbookOf([table])).arrayBuffer()))
  const texts = strFromU8(files['xl/sharedStrings.xml'] as Uint8Array)
  expect(texts).toContain('>Sum of durations<')
  expect(texts).not.toContain('>Total<')
})

test('a date that workbooks do not have is a text', async () => {
  const early = (['1900-02-28', '1900-03-01'] as const).map((date) => ({
    record: anAdjustment(date, HOUR_MS),
    pending: false,
  }))
  const table = tableOf('ledger', { ...account, adjustments: early }, { from: '1900-01-01', to: '1900-12-31' })
  const files = unzipSync(new Uint8Array(await (await workbookOf([table])).arrayBuffer()))
  const sheet = strFromU8(files['xl/worksheets/sheet1.xml'] as Uint8Array)
  expect(strFromU8(files['xl/sharedStrings.xml'] as Uint8Array)).toContain('>1900-02-28<')
  // Day 61 of Excel.
  expect(sheet).toMatch(/r="A3"[^>]*><v>61<\/v>/)
})

test('columns of a workbook have letters beyond Z', () => {
  expect([0, 25, 26, 51, 52, 701, 702].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA'])
})

test('a report is a table that adds up: time counted more than once and deducted breaks are below zero', async () => {
  const report = {
    lines: [
      { key: '=Harbour', timeMs: 6 * HOUR_MS, entryCount: 2 },
      { key: null, timeMs: 3 * HOUR_MS, entryCount: 1 },
    ],
    repeatedMs: HOUR_MS,
    deductedMs: HOUR_MS / 2,
    totalMs: 7.5 * HOUR_MS,
    notCountedMs: HOUR_MS,
  }
  const words = { nameOf: ({ key }: { key: string | null }) => key ?? 'None', repeated: 'Twice', deducted: 'Breaks' }
  const table = reportTable(report, 'project', words)
  expect(csvOf(table)).toBe("project,hours,entries\r\n'=Harbour,6,2\r\nNone,3,1\r\nTwice,-1,\r\nBreaks,-0.5,\r\n")
  const files = unzipSync(new Uint8Array(await (await workbookOf([table])).arrayBuffer()))
  expect(strFromU8(files['xl/worksheets/sheet1.xml'] as Uint8Array)).toContain('<f>SUM(B2:B5)</f>')
  const days = reportTable({ ...report, lines: [{ key: '2026-11-20', timeMs: HOUR_MS, entryCount: 1 }] }, 'day', words)
  expect([days.columns[0]?.type, days.rows[0]]).toEqual(['date', ['2026-11-20', 1, 1]])
  for (const group of ['project', 'tag', 'week', 'month'] as const) {
    expect(reportTable(report, group, words).columns[0], group).toEqual({ name: group, type: 'text' })
  }
  expect(reportTable({ ...report, lines: [], repeatedMs: 0, deductedMs: 0 }, 'day', words).rows).toEqual([])
})

describe('fixtures/workbook, which LibreOffice has read', () => {
  const folder = join(import.meta.dirname, '../../../../fixtures/workbook')
  const ours = tableNames.map((name) => tableOf(name, readAccount, { from: FIRST_DATE, to: LAST_DATE }))

  test('has the workbook as it is written', async () => {
    const partsOf = (bytes: Uint8Array) =>
      Object.entries(unzipSync(bytes)).map(([name, part]) => [name, strFromU8(part)] as const)
    const now = partsOf(new Uint8Array(await (await workbookOf(ours)).arrayBuffer()))
    expect(now).toEqual(partsOf(readFileSync(join(folder, 'account.xlsx'))))
  })

  test.each(ours)('$name: its cells and formulas have the values of the CSV', (table) => {
    const title = table.name.replace(/^./, (letter) => letter.toUpperCase())
    const read = Papa.parse<string[]>(readFileSync(join(folder, `account-${title}.csv`), 'utf8').trimEnd()).data
    const csv = Papa.parse<string[]>(csvOf(table).trimEnd()).data
    const rows = csv.slice(1).map((row) => row.map((cell) => hoursOf(cell.replace(/^'(?==)/, ''))))
    expect(read.slice(1, -1).map((row) => row.map(hoursOf))).toEqual(rows)
    // The last line has the sums of hours, which formulas make.
    for (const [index, { type }] of table.columns.entries()) {
      if (type !== 'duration' && type !== 'hours' && !(type === 'delta' && table.name !== 'ledger')) continue
      const sum = rows.reduce((total, row) => total + Number(row[index]), 0)
      expect(Number(hoursOf(read.at(-1)?.[index] ?? '')), table.columns[index]?.name).toBeCloseTo(sum, 5)
    }
  })

  /** Reads a cell of LibreOffice: durations like `07:00:00 PM` or `36:27:30` are hours, numbers have six decimals. */
  function hoursOf(cell: string): string {
    const [, hours, minutes, seconds, half] = /^(\d+):(\d\d):(\d\d)(?: (AM|PM))?$/.exec(cell) ?? []
    const number = hours === undefined ? Number(cell) : timeOf(Number(hours), half, Number(minutes), Number(seconds))
    return cell === '' || Number.isNaN(number) ? cell : String(Number(number.toFixed(6)))
  }

  function timeOf(hours: number, half: string | undefined, minutes: number, seconds: number): number {
    const ofDay = half === undefined ? hours : (hours % 12) + (half === 'PM' ? 12 : 0)
    return ofDay + minutes / 60 + seconds / 3_600
  }
})
