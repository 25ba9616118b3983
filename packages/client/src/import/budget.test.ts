import { strToU8, type Zippable, zipSync } from 'fflate'
import { expect, test, vi } from 'vitest'
import { isHeavy } from '../../../core/test/tier.ts'
import { importLimits, ReadBudget } from './budget.ts'
import type { ImportLimit } from './file.ts'
import { readActivityWatch } from './formats/activitywatch.ts'
import { readICalendar } from './formats/icalendar.ts'
import { readTimewarriorData, readTimewarriorJson } from './formats/timewarrior.ts'
import { readWatson } from './formats/watson.ts'
import { readImportFile } from './read.ts'

const nowMs = Date.parse('2026-11-22T12:00:00.000Z')
const read = (content: string | Uint8Array) => {
  return readImportFile({ name: 'x', bytes: typeof content === 'string' ? strToU8(content) : content }, { nowMs })
}

const eventOf = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']
const calendarOf = (...lines: string[]) => ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\n')
const repeated = (rule: string, start = '20260105T080000Z') =>
  calendarOf(...eventOf('UID:x', `DTSTART:${start}`, 'DURATION:PT1H', `RRULE:${rule}`))
const zip = (files: Zippable) => zipSync(files, { level: 1 })
const emptyFiles = (count: number) =>
  zip(Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}`, new Uint8Array()])))
const table = (rows: number, cell: string) => `Date,Hours,Notes\n${`2026-01-05,1,${cell}\n`.repeat(rows)}`

/** For each limit, a file that is beyond it, and what the refusal says. */
const beyond: Record<ImportLimit, [file: () => string | Uint8Array, detail: string]> = {
  fileBytes: [() => new Uint8Array(importLimits.fileBytes + 1), 'more than 268,435,456 bytes'],
  textCharacters: [() => table(1, 'x'.repeat(importLimits.textCharacters)), 'more than 33,554,432 characters'],
  unpackedBytes: [
    () => zip({ 'time_entries.csv': new Uint8Array(importLimits.unpackedBytes + 1) }),
    'unpacks to more than 33,554,432 bytes',
  ],
  zipFiles: [() => emptyFiles(importLimits.zipFiles + 1), 'the ZIP has more than 1,000 files'],
  tableMarks: [() => `a,b\n${','.repeat(importLimits.tableMarks)}`, 'more than 6,000,000 separators'],
  columns: [
    () => `date,hours\n${'2026-01-05,1\n'.repeat(5)}a${','.repeat(importLimits.columns)}`,
    'more than 1,000 columns',
  ],
  rows: [() => table(importLimits.rows + 1, ''), 'more than 100,000 rows'],
  calendarSteps: [
    () => repeated('FREQ=SECONDLY;BYHOUR=23;BYMINUTE=59;BYSECOND=59;UNTIL=99990101'),
    'tries them by its rules, more than 120,000 times',
  ],
  jsonValues: [() => `[${'[],'.repeat(importLimits.jsonValues / 2)}0]`, 'more than 12,000,000 JSON values'],
  records: [() => `{"records":{"entries":[${'{},'.repeat(importLimits.records)}{}]}}`, 'more than 1,000,000 records'],
}

/** The limits whose files take longest to make and read. */
const slow: readonly string[] = ['rows', 'unpackedBytes', 'records']
const tried = Object.entries(beyond).filter(([limit]) => isHeavy || !slow.includes(limit))

test.each(tried)('[D11.13] a file beyond the limit %s is refused, and says so', async (_, row) => {
  const [file, detail] = row
  await expect(read(file())).rejects.toMatchObject({ code: 'too_large', message: expect.stringContaining(detail) })
})

test('[D11.13] a JSON file counts values, and not what its texts say', async () => {
  const note = ',[{"\\'.repeat(importLimits.jsonValues / 4)
  expect(await read(JSON.stringify({ records: { entries: [{ note }] } }))).toMatchObject({ records: [{ row: 1 }] })
})

const zoneWith = (rule: string) => [
  ...['BEGIN:VTIMEZONE', 'TZID:Own', 'BEGIN:STANDARD', 'DTSTART:19700101T000000'],
  ...['TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', `RRULE:${rule}`, 'END:STANDARD', 'END:VTIMEZONE'],
]
const inZone = (rule: string, start: string) =>
  calendarOf(...zoneWith(rule), ...eventOf(`DTSTART;TZID=Own:${start}`, 'DURATION:PT1H'))

const manyWeekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA'].flatMap((day) =>
  Array.from({ length: 50 }, (_, n) => `${n + 1}${day}`),
)

test.each([
  ['a zone that changes each second', inZone('FREQ=SECONDLY', '20260105T080000')],
  ['a zone that changes each day until the year 9999', inZone('FREQ=DAILY', '99990105T080000')],
  [
    'many events that repeat each second',
    calendarOf(
      ...Array.from({ length: 200 }, (_, n) =>
        eventOf(`UID:${n}`, 'DTSTART:20260105T080000Z', 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY'),
      ).flat(),
    ),
  ],
  ['more events than rows, none of which can be read', calendarOf(...Array(1_001).fill(eventOf('UID:x')).flat())],
  ['more occurrences than rows', repeated('FREQ=SECONDLY;COUNT=999999999999')],
  [
    'more dates that are left out than it may list',
    repeated(`FREQ=DAILY;COUNT=2\n${'EXDATE:20260106T080000Z\n'.repeat(1_201)}`),
  ],
  ['many rules of one date', repeated(`FREQ=DAILY;COUNT=1${'\nRRULE:FREQ=DAILY;COUNT=1'.repeat(1_200)}`)],
  ['long intervals', repeated('FREQ=WEEKLY;INTERVAL=999;UNTIL=99990101')],
  ['years without a date', repeated(Array(9).fill('FREQ=YEARLY;BYWEEKNO=1;UNTIL=99990101').join('\nRRULE:'))],
  ['many weekdays', repeated(`FREQ=YEARLY;COUNT=2;BYDAY=${manyWeekdays}`)],
  ['weekdays of each month that are never dates', repeated('FREQ=MONTHLY;BYDAY=MO,1TU;BYMONTHDAY=31;COUNT=400')],
  ['places that no month has', repeated('FREQ=YEARLY;BYMONTH=1,7;BYDAY=MO;BYSETPOS=300;UNTIL=99990101')],
  [
    'a time zone that lists many changes',
    inZone(`FREQ=YEARLY;COUNT=1\nRDATE:${Array(1_300).fill('20260105T080000')}`, '20260105T080000'),
  ],
  ['three dates that never come', repeated('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=3')],
])('[D11.13] a calendar is refused that needs more than its budget: %s', (_, text) => {
  // A hundredth of the limits shows the same in a hundredth of the time.
  const budget = new ReadBudget({ ...importLimits, rows: 1_000, calendarSteps: 1_200 })
  expect(() => readICalendar(text, nowMs, budget)).toThrow(expect.objectContaining({ code: 'too_large' }))
})

const exception = eventOf(
  ...['UID:x', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20260106T080000Z', 'DTSTART:20260106T090000Z', 'DURATION:PT2H'],
  `DESCRIPTION:${'x\\n'.repeat(300_000)}`,
)
const listed = Array.from({ length: 50_000 }, (_, n) => `${3_000 + n}0101T000000`.slice(0, 15)).join(',')

test.each([
  [
    'an exception with a long text',
    repeated('FREQ=DAILY;COUNT=2000').replace('END:VEVENT', `END:VEVENT\n${exception.join('\n')}`),
    2_000,
  ],
  ['a long text of its own', repeated(`FREQ=DAILY;COUNT=2000\nDESCRIPTION:${'x'.repeat(900_000)}`), 2_000],
  ['a long name', repeated('FREQ=DAILY;COUNT=2000').replace('UID:x', `UID:${'x'.repeat(900_000)}`), 2_000],
  ['changes of the clocks far ahead', inZone(`FREQ=DAILY\nRDATE:${listed}`, '20260105T080000'), 1],
])('[D11.13] what the occurrences of a calendar share is read once: %s', async (_, text, rows) => {
  expect(await skipsOf(text)).toHaveLength(rows)
})

const times = (count: number, lines: (n: number) => readonly string[]) =>
  Array.from({ length: count }, (_, n) => lines(n).join('\n')).join('\n')

test('[D11.13] components in each other, however deep, are read', async () => {
  const deep = [times(50_000, () => ['BEGIN:X']), times(50_000, () => ['END:X'])]
  expect(await skipsOf(calendarOf(...deep, ...eventOf('DTSTART:20260105T080000Z')))).toEqual(['no_end'])
})

test('[D11.13] dates that an event leaves out are those times, on those dates, in any order', async () => {
  const lines = ['EXDATE:20260107T080000Z,20260106T080000Z', 'EXDATE;VALUE=DATE:20260109', 'EXDATE:20260110T090000Z']
  const file = await read(
    calendarOf(...eventOf('UID:x', 'DTSTART:20260105T080000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=6', ...lines)),
  )
  const starts = 'rows' in file ? file.rows.map(({ start }) => start && 'at' in start && start.at) : []
  expect(starts).toEqual([5, 8, 10].map((day) => Date.UTC(2026, 0, day, 8)))
})

const skipsOf = async (text: string) => {
  const file = await read(text)
  return 'rows' in file ? file.rows.map(({ skip }) => skip) : []
}

test.each([
  ...['DAILY', 'HOURLY', 'WEEKLY', 'MONTHLY', 'YEARLY'].map((freq) => `FREQ=${freq};BYMONTH=2;BYMONTHDAY=30`),
  'FREQ=YEARLY;BYMONTH=2,4;BYMONTHDAY=31;UNTIL=99990101',
])('[D11.13] a rule that no date fits gives no entry: %s', async (rule) => {
  const file = await read(repeated(rule))
  const rows = 'rows' in file ? file.rows : []
  // The first date of a series is one, whatever the rule says (RFC 5545, section 3.8.5.3).
  expect(rows.filter(({ start }) => start && !('at' in start && start.at === Date.UTC(2026, 0, 5, 8)))).toEqual([])
})

test.each([
  ['FREQ=YEARLY;BYMONTH=1,2,3;BYMONTHDAY=30;COUNT=3', ['2024-01-30', '2024-03-30', '2025-01-30']],
  ['FREQ=YEARLY;COUNT=3', ['2024-02-29', '2028-02-29', '2032-02-29']],
  ['FREQ=YEARLY;BYMONTH=2,3;UNTIL=20251231', ['2024-01-31', '2024-03-31', '2025-03-31']],
  ['FREQ=MONTHLY;COUNT=3', ['2024-01-31', '2024-03-31', '2024-05-31']],
])(
  '[D11.13] of the days that a rule names, those that months have are dates, and they alone count: %s',
  async (rule, dates) => {
    const file = await read(repeated(rule, `${dates[0]?.replaceAll('-', '')}T080000Z`))
    const starts = 'rows' in file ? file.rows.map(({ start }) => start && 'at' in start && start.at) : []
    expect(starts).toEqual(dates.map((date) => Date.parse(`${date}T08:00:00Z`)))
  },
)

test.each([
  ['without a rule', ['DURATION:P999999999999999D']],
  ['with a rule', ['DURATION:P999999999999999D', 'RRULE:FREQ=DAILY;COUNT=2']],
  ['as an end', ['DTEND:99991231T000000Z', 'RRULE:FREQ=DAILY;COUNT=2']],
])('[D11.13] an event that lasts for ages is no entry: %s', async (_, lines) => {
  expect(await skipsOf(calendarOf(...eventOf('UID:x', 'DTSTART:20260105T080000Z', ...lines)))).toEqual(['too_long'])
})

test.each(['FREQ=DAILY;INTERVAL=999999999999', 'FREQ=WEEKLY;INTERVAL=999999999'])(
  '[D11.13] an interval of ages is not valid: %s',
  async (rule) => {
    expect(await skipsOf(repeated(rule))).toEqual(['invalid_record'])
  },
)

test.each([
  ['an interval of more than 1,000', 'FREQ=DAILY;INTERVAL=1001'],
  ['more than 2,000 characters', `FREQ=MONTHLY;COUNT=2;BYDAY=MO${',MO'.repeat(700)}`],
  ['a fifth Monday that no February of 80 years has', 'FREQ=MONTHLY;INTERVAL=960;BYDAY=5MO'],
])('[D11.13] a rule is not valid that has %s', async (_, rule) => {
  expect(await skipsOf(repeated(rule, '20000205T080000Z'))).toEqual(['invalid_record'])
})

test('[D11.13] a time zone of more than 200 characters is not looked for', async () => {
  const start = (zone: string) => calendarOf(...eventOf(`DTSTART;TZID="${zone}":20260105T080000`, 'DURATION:PT1H'))
  expect(await skipsOf(start('Berlin'.padStart(200, 'x,')))).toEqual([undefined])
  expect(await skipsOf(start('Berlin'.padStart(202, 'x,')))).toEqual(['unknown_zone'])
})

test('[D11.13] the tables of a ZIP count together, and each comes once', async () => {
  const half = new Uint8Array(importLimits.unpackedBytes / 2 + 1)
  const both = zip({ 'time_entries.csv': half, 'tags.csv': half })
  await expect(read(both)).rejects.toMatchObject({ code: 'too_large' })
  const one = zip({ 'time_entries.csv': strToU8('start,end\n') })
  // The local entries of two ZIPs, one behind the other.
  const end = one.findIndex((_, at) => one[at] === 0x50 && one[at + 1] === 0x4b && one[at + 2] === 0x01)
  const twice = new Uint8Array([...one.subarray(0, end), ...one])
  await expect(read(twice)).rejects.toThrow('the ZIP has time_entries.csv twice')
})

test('[D11.27] a ZIP of empty files is read no further than the most files it may have', async () => {
  const [most, more] = [emptyFiles(importLimits.zipFiles), emptyFiles(importLimits.zipFiles + 1)]
  await expect(read(most)).rejects.toMatchObject({ code: 'unknown_format' })
  await expect(read(more)).rejects.toMatchObject({ code: 'too_large', limit: 'zipFiles' })
})

test('[D11.13] the rows of a file count before they are read', async () => {
  const few = new ReadBudget({ ...importLimits, rows: 10 })
  const refused = expect.objectContaining({ limit: 'rows' })
  const reads: string[] = []
  const rows = Array.from({ length: 11 }, () => new Proxy({}, { get: (_, name) => reads.push(String(name)) }))
  expect(() => readWatson(rows, few)).toThrow(refused)
  expect(() => readTimewarriorJson(rows, few)).toThrow(refused)
  expect(() => readActivityWatch({ type: 'afkstatus', events: rows }, few)).toThrow(refused)
  expect(reads).toEqual([])

  const trims = vi.spyOn(String.prototype, 'trim')
  const groups = vi.spyOn(Map, 'groupBy')
  try {
    expect(() => readTimewarriorData('x\n'.repeat(1_000), new ReadBudget({ ...importLimits, rows: 10 }))).toThrow(
      refused,
    )
    expect(trims.mock.calls.length).toBeLessThan(30)
    await expect(read(table(importLimits.rows + 1, ''))).rejects.toMatchObject({ limit: 'rows' })
    expect(groups.mock.calls.length).toBeLessThan(30)
  } finally {
    trims.mockRestore()
    groups.mockRestore()
  }
})

test.each([
  ['Timewarrior', (tags: number) => `inc 20260105T080000Z - 20260105T090000Z #${' a'.repeat(tags)}`],
  ['a table', (tags: number) => `Date,Hours,Tags\n2026-01-05,1,"${'a;'.repeat(tags)}"`],
  [
    'a calendar',
    (tags: number) =>
      calendarOf(...eventOf('UID:x', 'DTSTART:20260105T080000Z', 'DURATION:PT1H', `CATEGORIES:${'a,'.repeat(tags)}`)),
  ],
])('[D11.13] of more than a thousand tags, a thousand are read: %s', async (_, file) => {
  expect(await read(file(999))).toMatchObject({ rows: [{ tags: { length: 999 } }] })
  expect(await read(file(1_001))).toMatchObject({ rows: [{ tags: { length: 1_000 } }] })
})

test('[D11.13] the note of a Timewarrior line is read behind more than a thousand tags', async () => {
  const line = `inc 20260105T080000Z - 20260105T090000Z #${' a'.repeat(1_001)} # "Harbour"`
  expect(await read(line)).toMatchObject({ rows: [{ note: 'Harbour' }] })
})

test.each<[name: string, file: (text: string) => string | Uint8Array]>([
  [
    'the pairs of times of a row',
    (text) => `Date${',Start,End'.repeat(100)},Notes\n2026-01-05${',8:00,9:00'.repeat(100)},${text}`,
  ],
  [
    'the entries of a task',
    (text) =>
      zip({
        'tasks.csv': strToU8(`id,name\nt,${text}\n`),
        'time_entries.csv': strToU8(
          `id,task_id,description,start,end\n${'e,t,x,2026-01-05T08:00:00Z,2026-01-05T09:00:00Z\n'.repeat(100)}`,
        ),
      }),
  ],
])('[D11.13] a text counts for each entry that it is made of: %s', async (_, file) => {
  const text = 'x'.repeat(importLimits.textCharacters / 90)
  expect(await read(file('x'))).toMatchObject({ rows: { length: 100 } })
  await expect(read(file(text))).rejects.toMatchObject({ limit: 'textCharacters' })
})

test('[D11.13] a budget is used up in steps, and says which limit', () => {
  const budget = new ReadBudget()
  budget.spend('rows', importLimits.rows)
  expect(() => budget.spend('rows')).toThrow('the file has more than 100,000 rows')
  budget.spend('calendarSteps')
})
