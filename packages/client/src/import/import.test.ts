import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contentOf, DAY_MS, HOUR_MS, type Instant, type Json, MINUTE_MS, parseContent } from '@saldo/core'
import fc from 'fast-check'
import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { runsOf } from '../../../core/test/tier.ts'
import { anAbsence, aWork } from '../testing.ts'
import { listBatches } from './batches.ts'
import { draftImport } from './draft.ts'
import { type ImportFile, type NamedRow, UnreadableFileError } from './file.ts'
import { resolveLocal } from './local-time.ts'
import { findQuestions, type ImportAnswers } from './questions.ts'
import { readImportFile, readTableHead } from './read.ts'
import { decodeText } from './text.ts'
import { findDateOrder, readDateCell, readDateTime, readTimeCell } from './values.ts'

const fixtures = join(import.meta.dirname, '../../../../fixtures/import')
const nowMs = Date.parse('2026-11-23T00:00:00Z')
const berlin = { timeZone: 'Europe/Berlin' }

interface Case {
  file: string
  answers: ImportAnswers
  format: string
  questions: string[]
  rows: number
  skipped: object[]
  oddities: object[]
  /** The entries, or their number. */
  entries: object[] | number
}
const { cases } = JSON.parse(readFileSync(join(fixtures, 'expected.json'), 'utf8')) as { cases: Case[] }

/** Returns the bytes of a fixture. A folder stands for a ZIP of its files. */
function bytesOf(file: string): Uint8Array {
  const path = join(fixtures, file)
  if (file.includes('.')) return readFileSync(path)
  const names = globSync('*.*', { cwd: path })
  return zipSync(Object.fromEntries(names.map((name) => [name, new Uint8Array(readFileSync(join(path, name)))])))
}

const read = (text: string | Uint8Array) =>
  readImportFile({ name: 'file', bytes: typeof text === 'string' ? new TextEncoder().encode(text) : text }, { nowMs })
const rowsOf = (file: ImportFile): readonly NamedRow[] => (file.format === 'saldo' ? [] : file.rows)

describe('fixtures of every format', () => {
  test.each(cases)('[D11.1] $file is read as $format, with $answers', async (expected) => {
    const file = await read(bytesOf(expected.file))
    expect(findQuestions(file, {}).map(({ about }) => about)).toEqual(expected.questions)
    expect(findQuestions(file, expected.answers)).toEqual([])
    const { rowCount, drafts, skipped, oddities } = draftImport(file, expected.answers)
    expect({ format: file.format, rows: rowCount, skipped, oddities }).toEqual({
      format: expected.format,
      rows: expected.rows,
      skipped: expected.skipped,
      oddities: expected.oddities,
    })
    if (typeof expected.entries === 'number') return expect(drafts).toHaveLength(expected.entries)
    expect(drafts.map(({ row, content }) => ({ row, ...content }))).toMatchObject(expected.entries)
    expect(drafts).toHaveLength(expected.entries.length)
  })

  test('every file in the folder is expected', () => {
    const files = globSync('*', { cwd: fixtures, exclude: ['expected.json'] })
    expect(files.filter((file) => !cases.some((one) => one.file === file))).toEqual([])
  })
})

describe('questions', () => {
  const toggl = (rows: string[]) =>
    read(['Description,Start date,Start time,End date,End time,Duration', ...rows].join('\n'))
  const ask = async (rows: string[]) => findQuestions(await toggl(rows), {}).map(({ about }) => about)

  test('[D11.5] three rows of a day with one start ask how durations lie; two do not', async () => {
    const same = (note: string) => `${note},2026-01-05,08:30:00,2026-01-05,09:00:00,00:30:00`
    const other = 'z,2026-01-06,10:00:00,2026-01-06,11:00:00,01:00:00'
    expect(await ask([same('a'), same('b'), same('c'), other])).toEqual(['durations'])
    expect(await ask([same('a'), same('b'), other])).toEqual([])
  })

  test('[D11.5] only the days without real times are laid out anew', async () => {
    const same = (note: string) => `${note},2026-01-05,08:30:00,2026-01-05,09:00:00,00:30:00`
    const other = 'z,2026-01-06,10:00:00,2026-01-06,11:00:00,01:00:00'
    const file = await toggl([same('a'), same('b'), same('c'), other])
    const { drafts } = draftImport(file, { ...berlin, durations: 'sequential' })
    expect(drafts.map(({ content }) => content.started_at.slice(5, 16))).toEqual([
      '01-05T08:00',
      '01-05T08:30',
      '01-05T09:00',
      '01-06T09:00',
    ])
  })

  test('[D11.5] the person is asked for first, because the other questions depend on it', async () => {
    const row = (user: string, hour: string) => `${user},2026-01-05,${hour}:00:00,2026-01-05,${hour}:30:00,00:30:00`
    const rows = ['User,Start date,Start time,End date,End time,Duration', row('Ada', '09'), row('Bob', '09')]
    const file = await read(rows.join('\n'))
    expect(findQuestions(file, {}).map(({ about }) => about)).toEqual(['user'])
    expect(findQuestions(file, { user: 'Ada' })).toEqual([])
  })

  test('[D11.5] one row a day at the same time every day asks nothing', async () => {
    const day = (date: string) => `a,2026-01-${date},09:00:00,2026-01-${date},17:00:00,08:00:00`
    expect(await ask([day('05'), day('06'), day('07')])).toEqual([])
  })

  test('[D11.5] days that run past midnight go on', async () => {
    const row = 'a,2026-01-05,09:00:00,2026-01-05,18:00:00,09:00:00'
    const file = await toggl([row, row, row])
    const { drafts } = draftImport(file, { ...berlin, durations: 'sequential' })
    expect(drafts.at(-1)?.content).toMatchObject({
      started_at: '2026-01-06T02:00:00.000Z',
      ended_at: '2026-01-06T11:00:00.000Z',
    })
  })
})

describe('files that are broken', () => {
  test('[D11.1] an unclosed quotation mark leaves out its row, which holds the rest of the file', async () => {
    const file = await read(
      'Date,Start,End,Note\n2026-01-05,9:00,10:00,a\n2026-01-05,10:00,11:00,"b\n2026-01-06,9:00,10:00,c',
    )
    const { drafts, skipped } = draftImport(file, berlin)
    expect(drafts).toHaveLength(1)
    expect(skipped).toEqual([{ row: 3, reason: 'unclosed_quote' }])
  })

  test('[D11.1] spaces around names of columns do not matter, and rows of spaces are none', async () => {
    const file = await read(' Date , Start,End ,Note\n , , , \n2026-01-05,9:00,10:00,a\n')
    expect(draftImport(file, berlin)).toMatchObject({ rowCount: 1, drafts: [{ row: 3 }], skipped: [] })
  })

  test('a file that is not a table has no columns to choose', async () => {
    for (const text of ['', 'Date,Start\n']) await expect(read(text), text).rejects.toMatchObject({ code: 'no_rows' })
    await expect(read('%PDF-1.7\n1 0 obj')).rejects.toMatchObject({ code: 'one_column' })
    await expect(read('Tag,Kam\n5,6')).rejects.toMatchObject({ code: 'no_columns' })
  })
})

describe('rows to check', () => {
  const odd = async (rows: string[]) => draftImport(await read(['Date,Start,End,Note', ...rows].join('\n')), berlin)

  test('[D11.1] serial numbers of a spreadsheet are dates and times', async () => {
    const { drafts, skipped } = await odd([
      '45678,9:00,10:30,',
      '45679,0.375,0.5,',
      '45680.375,,45680.4375,',
      '456,9:00,10:00,',
    ])
    expect(drafts.map(({ content }) => [content.started_at, content.ended_at])).toEqual([
      ['2025-01-21T08:00:00.000Z', '2025-01-21T09:30:00.000Z'],
      ['2025-01-22T08:00:00.000Z', '2025-01-22T11:00:00.000Z'],
      ['2025-01-23T08:00:00.000Z', '2025-01-23T09:30:00.000Z'],
    ])
    expect(skipped).toEqual([{ row: 5, reason: 'invalid_date' }])
  })

  test('[D11.1] a text with characters that cannot be stored is named as such, a long one as shortened', async () => {
    const { drafts, oddities } = await odd([
      '2026-01-05,9:00,10:00,a\0\0b\0',
      `2026-01-05,10:00,11:00,${'x'.repeat(5_001)}`,
      `2026-01-05,11:00,12:00,${'y'.repeat(5_000)}`,
    ])
    expect(drafts.map(({ content }) => content.note.length)).toEqual([2, 5_000, 5_000])
    expect(oddities).toEqual([
      { row: 2, oddity: 'unstorable_characters' },
      { row: 3, oddity: 'text_shortened' },
    ])
  })
})

describe('any file', () => {
  const cell = fc.constantFrom(
    ...['', '2026-01-05', '05.01.2026', '13/01/2026', '01/14/26', '2026-02-31', '08:00', '8:00 PM', '24:00', '25:61'],
    ...['2026-01-05T08:00:00Z', '02:30', '1.5', '1,25', '00:30:00', '99999', '\u{d800}', '"', 'Ada', 'Bob', '0'],
  )
  const header = fc.constantFrom(
    'Date,Start,End,Duration,Project,User',
    'Start date,Start time,End date,End time,Duration,Tags',
    'Datum,Von,Bis,Dauer,Kunde,Tätigkeit',
    'Date,Client,Project,Task,Notes,Hours,First Name,Last Name',
  )
  const table = fc.tuple(
    header,
    fc.array(fc.array(cell, { minLength: 8, maxLength: 8 }), { minLength: 1, maxLength: 8 }),
  )
  const answers: ImportAnswers = { ...berlin, dateOrder: 'dmy', durations: 'sequential', user: 'Ada' }

  test('[D11.1] [D11.4] each row becomes finished entries that can be stored, or has a reason why not', async () => {
    await fc.assert(
      fc.asyncProperty(table, async ([head, rows]) => {
        const lines = rows.map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join())
        const file = await read([head, ...lines, '"x"'].join('\n'))
        const { rowCount, drafts, skipped } = draftImport(file, answers)
        const [drafted, left] = [new Set(drafts.map(({ row }) => row)), skipped.map(({ row }) => row)]
        expect([...drafted, ...left].toSorted((a, b) => a - b)).toEqual(rowsOf(file).map(({ row }) => row))
        expect(rowCount).toBe(rowsOf(file).length)
        for (const { content } of drafts) {
          expect(parseContent('entries', content)).toEqual({ ok: true, value: content })
          expect(content.ended_at >= content.started_at).toBe(true)
        }
      }),
    )
  })

  test('[D11.2] ids follow from the rows: equal files have equal ids, and no id comes twice', async () => {
    const line = 'a,2026-01-05,09:00:00,2026-01-05,18:00:00,09:00:00'
    const text = ['Description,Start date,Start time,End date,End time,Duration', line, line].join('\n')
    const idsOf = async (from: string) =>
      draftImport(await read(from), { ...berlin, durations: 'as-is' }).drafts.map(({ id }) => id)
    const ids = await idsOf(text)
    expect(new Set(ids).size).toBe(2)
    expect(await idsOf(text)).toEqual(ids)
    expect(await idsOf(`${text}\n${line.replace('a,', 'b,')}`)).toEqual([...ids, expect.any(String)])
  })

  const damage = fc.record({
    file: fc.constantFrom(...new Set(cases.map(({ file }) => file))),
    at: fc.nat(3_000),
    cut: fc.nat(60),
    put: fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 6 }),
  })

  test('[D11.1] a damaged file is read as far as it can be, or said to be unreadable', async () => {
    await fc.assert(
      fc.asyncProperty(damage, async ({ file, at, cut, put }) => {
        const whole = bytesOf(file)
        const place = at % whole.length
        const bytes = [whole.slice(0, place), new TextEncoder().encode(put), whole.slice(place + cut)]
        const damaged = new Uint8Array(bytes.flatMap((part) => [...part]))
        const found = await read(damaged).catch((error: unknown) => {
          expect(error).toBeInstanceOf(UnreadableFileError)
        })
        if (!found) return
        findQuestions(found, {})
        const { drafts } = draftImport(found, answers)
        for (const { content } of drafts) expect(parseContent('entries', content).ok).toBe(true)
      }),
      { numRuns: runsOf(60, 300) },
    )
  })

  const exported = { entries: [contentOf(aWork(0, 1))], settings_history: [{}], closed_weeks: [{ week: '2026-W01' }] }
  const jsonFiles = [
    ...cases.filter(({ file }) => file.endsWith('.json')).map(({ file }) => JSON.parse(String(bytesOf(file))) as Json),
    { records: exported } as unknown as Json,
    [{ project: 'a', start: '2026-01-05T08:00:00Z', stop: '2026-01-05T09:00:00Z', tags: ['b'] }],
  ]

  /** Yields a JSON value with each value in it replaced by `put`, one at a time. */
  function* damagedBy(put: Json, value: Json): Generator<Json> {
    yield put
    if (typeof value !== 'object' || value === null) return
    for (const [name, part] of Object.entries(value)) {
      for (const damaged of damagedBy(put, part)) {
        yield Array.isArray(value) ? value.with(Number(name), damaged) : { ...value, [name]: damaged }
      }
    }
  }

  test.each<[Json]>([[null], [-1], [1e300], ['x'], [[]], [[null]], [{}]])(
    '[D11.1] JSON with %j in any place is read as far as it can be, or said to be unreadable',
    async (put) => {
      for (const damaged of jsonFiles.flatMap((whole) => [...damagedBy(put, whole)])) {
        const text = JSON.stringify(damaged)
        const found = await read(text).catch((error: unknown) => {
          expect(error, text).toBeInstanceOf(UnreadableFileError)
        })
        if (!found) continue
        findQuestions(found, {})
        const { drafts } = draftImport(found, answers)
        for (const { kind, content } of drafts) expect(parseContent(kind, content).ok, text).toBe(true)
      }
    },
  )

  test('a file that is nothing says so in a line', async () => {
    await expect(read('')).rejects.toThrow('the file has no rows')
    await expect(read('[{"a": 1}]')).rejects.toThrow('the JSON is of no tool that Saldo knows')
    await expect(read('{')).rejects.toThrow('the file is not valid JSON')
    await expect(read('Start date,Duration\n')).rejects.toThrow('the file has no rows')
    await expect(read(new Uint8Array([0x50, 0x4b, 3, 4, 1]))).rejects.toThrow('the ZIP cannot be read')
    await expect(read('BEGIN:VCALENDAR\nBEGIN:VTODO\n')).rejects.toThrow('the file has no rows')
  })
})

describe('odd rows', () => {
  /** The entries of a file without questions, as the fields that it says something of, and the rows that it skips. */
  async function drafted(text: string | string[]) {
    const file = await read(Array.isArray(text) ? text.join('\n') : text)
    const { drafts, skipped } = draftImport(file, berlin)
    return { entries: drafts.map(({ content }) => content), skipped: skipped.map(({ row, reason }) => [row, reason]) }
  }

  test('[D11.4] ActivityWatch: events without a time are skipped, and parts of seconds count', async () => {
    const timestamp = '2026-01-05T07:00:00Z'
    const data = { status: 'not-afk' }
    const events = [
      7,
      { data, timestamp: 'x', duration: 1 },
      { data, timestamp },
      { data, timestamp, duration: 60.0006 },
    ]
    expect(
      await drafted(JSON.stringify({ type: 'afkstatus', events: [...events, { timestamp, duration: 1 }] })),
    ).toEqual({
      entries: [
        expect.objectContaining({ started_at: '2026-01-05T07:00:00.000Z', ended_at: '2026-01-05T07:01:00.001Z' }),
      ],
      skipped: [
        [1, 'invalid_record'],
        [2, 'invalid_time'],
        [3, 'invalid_time'],
        [5, 'away'],
      ],
    })
  })

  test('[D11.4] Watson: frames without tags are read, and rows without a start or an end are skipped', async () => {
    const frame = [1767596400, 1767610800, 'harbour', 'id', null]
    const logged = { project: 'garden', start: '2026-01-05T12:00:00Z', stop: '2026-01-05T13:00:00Z', tags: 'x' }
    const rows = [frame, 7, { ...logged, start: 'x' }, { ...logged, stop: null }, logged]
    expect(await drafted(JSON.stringify(rows))).toEqual({
      entries: [
        expect.objectContaining({ started_at: '2026-01-05T07:00:00.000Z', project: 'harbour', tags: [] }),
        expect.objectContaining({ ended_at: '2026-01-05T13:00:00.000Z', project: 'garden', tags: [] }),
      ],
      skipped: [
        [2, 'invalid_record'],
        [3, 'invalid_time'],
        [4, 'no_end'],
      ],
    })
    await expect(read('[{"project": "garden", "start": "2026-01-05T12:00:00Z"}]')).rejects.toThrow('no tool')
  })

  const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']
  const calendar = (...events: string[][]) => ['BEGIN:VCALENDAR', ...events.flat(), 'END:VCALENDAR']

  test('[D11.4] calendars: an event without an end is skipped, a time without a zone is local', async () => {
    const floating = event('DTSTART:20260105T080000', 'DTEND:20260105T090000', 'SUMMARY:a', 'DESCRIPTION:b')
    expect(await drafted(calendar(event('DTSTART:20260105T070000Z'), event('SUMMARY:a'), floating))).toEqual({
      entries: [expect.objectContaining({ started_at: '2026-01-05T07:00:00.000Z', note: 'a\nb' })],
      skipped: [
        [1, 'no_end'],
        [2, 'no_date'],
      ],
    })
  })

  test('[D11.1] calendars: an event that begins in one zone and ends in another, such as a flight', async () => {
    const flight = event('DTSTART;TZID=Europe/Berlin:20260105T100000', 'DTEND;TZID=America/New_York:20260105T130000')
    const { entries } = await drafted(calendar(flight))
    expect(entries).toMatchObject([{ started_at: '2026-01-05T09:00:00.000Z', ended_at: '2026-01-05T18:00:00.000Z' }])
  })

  const rule = (name: string, offsets: [string, string], start: string, days: string) => [
    ...[`BEGIN:${name}`, `DTSTART:${start}`, `TZOFFSETFROM:${offsets[0]}`, `TZOFFSETTO:${offsets[1]}`],
    ...[`RRULE:FREQ=YEARLY;${days}`, `END:${name}`],
  ]
  /** A zone that this computer knows too. */
  const zoneOfFile = [
    ...['BEGIN:VTIMEZONE', 'TZID:America/New_York'],
    ...rule('DAYLIGHT', ['-0500', '-0400'], '20070311T020000', 'BYMONTH=3;BYDAY=2SU'),
    ...rule('STANDARD', ['-0400', '-0500'], '20071104T020000', 'BYMONTH=11;BYDAY=1SU'),
    'END:VTIMEZONE',
  ]
  const newYork = ';TZID=America/New_York:20260105T'
  const eventTimes = [
    ['a duration', `DTSTART${newYork}080000`, 'DURATION:PT1H30M'],
    ['an end in that zone', `DTSTART${newYork}080000`, `DTEND${newYork}093000`],
    ['an end in UTC', `DTSTART${newYork}080000`, 'DTEND:20260105T143000Z'],
    ['a start in UTC', 'DTSTART:20260105T130000Z', `DTEND${newYork}093000`],
  ] as const
  test.each([
    ...eventTimes.map(([what, ...times]) => [what, times, []] as const),
    ...eventTimes.map(([what, ...times]) => [`${what}, and the file defines the zone`, times, zoneOfFile] as const),
    ['an end without a zone', [`DTSTART${newYork}080000`, 'DTEND:20260105T093000'], []] as const,
  ])('[D11.1] calendars: an event in another zone than the user: %s', async (...row) => {
    const [, times, zone] = row
    const alone = { started_at: '2026-01-05T13:00:00.000Z', ended_at: '2026-01-05T14:30:00.000Z' }
    expect((await drafted(calendar([...zone], event(...times)))).entries).toMatchObject([alone])
    const next = { started_at: '2026-01-06T13:00:00.000Z', ended_at: '2026-01-06T14:30:00.000Z' }
    const series = event('UID:x', ...times, 'RRULE:FREQ=DAILY;COUNT=2')
    expect((await drafted(calendar([...zone], series))).entries).toMatchObject([alone, next])
  })

  test('[D11.6] calendars: an hour that comes twice is named, also if the file defines the zone', async () => {
    const night = event('DTSTART;TZID=America/New_York:20251102T013000', 'DURATION:PT10M')
    for (const zone of [[], zoneOfFile]) {
      const { oddities } = draftImport(await read(calendar(zone, night).join('\n')), berlin)
      expect(oddities).toEqual([{ row: 1, oddity: 'clock_change_repeated_hour' }])
    }
  })

  test('calendars: an endless series is read up to now, a counted one to its end', async () => {
    const repeated = (rule: string) =>
      event('UID:x', 'DTSTART:20261120T080000Z', 'DTEND:20261120T080001Z', `RRULE:${rule}`)
    const endless = await drafted(calendar(repeated('FREQ=DAILY')))
    expect(endless.entries.map(({ started_at }) => started_at.slice(8, 10))).toEqual(['20', '21', '22'])
    const counted = await drafted(calendar(repeated('FREQ=DAILY;COUNT=5')))
    expect(counted.entries).toHaveLength(5)
    const long = await read(calendar(repeated('FREQ=SECONDLY;COUNT=10001')).join('\n'))
    expect(rowsOf(long)).toHaveLength(10_001)
  })

  test('[D11.1] tables: a person has a first and a last name, and a column of times may hold dates', async () => {
    const harvest = await read(
      'Date,Client,Project,Task,Notes,Hours,First Name,Last Name\n2026-01-05,,,,,1,Ada,Lovelace',
    )
    expect(rowsOf(harvest).map(({ user }) => user)).toEqual(['Ada Lovelace'])
    const german = 'Datum;Von;Bis\n5.1.2026;5.1.2026 08:00;5.1.2026 09:30\n5.1.2026;10.30;11.00'
    const { entries } = await drafted(german)
    expect(entries.map(({ started_at, ended_at }) => [started_at.slice(11, 16), ended_at.slice(11, 16)])).toEqual([
      ['07:00', '08:30'],
      ['09:30', '10:00'],
    ])
  })

  test('[D11.1] Saldo: records are read in the order in which they are queued, with the closed weeks', async () => {
    const work = { ...contentOf(aWork(0, 1)), id: '00000000-0000-4000-8000-000000000001' }
    const adjustments = [null, { id: 1 }]
    const records = { balance_adjustments: adjustments, entries: [work], closed_weeks: [{ week: '2026-W01' }, 7] }
    const file = await read(JSON.stringify({ records }))
    expect(file).toMatchObject({ format: 'saldo', closedWeeks: ['2026-W01'], closedDays: [] })
    const { rowCount, drafts, skipped } = draftImport(file, berlin)
    expect(drafts).toMatchObject([{ row: 1, kind: 'entries', id: work.id }])
    expect([rowCount, skipped.map(({ row }) => row)]).toEqual([3, [2, 3]])
  })
})

describe('values', () => {
  test('dates are read in one order for the whole file, which a day above 12 proves', () => {
    expect(findDateOrder(['05/01/2026', '13/01/2026'])).toBe('dmy')
    expect(findDateOrder(['05/01/2026', '01/13/2026'])).toBe('mdy')
    expect(findDateOrder(['05/01/2026', '06/01/2026'])).toBeUndefined()
    expect(findDateOrder(['13/01/2026', '01/13/2026'])).toBeUndefined()
    expect(findDateOrder(['2026-01-05', '05.01.2026', ''])).toBe('none')
    expect(findDateOrder(['12/12/2026', '12/13/2026'])).toBe('mdy')
    expect(findDateOrder(['12/12/2026', '13/12/2026'])).toBe('dmy')
    expect(findDateOrder(['12/12/2026'])).toBeUndefined()
    // 2 November 2026 is a Monday, and 11 February a Wednesday.
    expect(findDateOrder(['Mon 11/2/2026'])).toBe('mdy')
    expect(findDateOrder(['Wed, 11/2/26'])).toBe('dmy')
    expect(findDateOrder(['Fr., 02/10/2026'])).toBe('dmy')
    expect(findDateOrder(['Thu 11/12/2026', 'Thu 12/11/2026'])).toBeUndefined()
    expect(findDateOrder(['Mo 02.11.2026'])).toBe('none')
    expect(readDateCell('5.1.26', 'mdy')).toBe('2026-01-05')
    for (const text of ['1/5/2026', '1-5-2026', '1/5/26', '1-5-26'])
      expect(readDateCell(text, 'mdy')).toBe('2026-01-05')
    for (const text of ['5/1/2026', '5-1-2026', '5.1.2026']) expect(readDateCell(text, 'dmy')).toBe('2026-01-05')
    expect(findDateOrder(['05-01-2026', '13-01-2026'])).toBe('dmy')
    expect(findDateOrder(['05-01-2026', '01-13-2026'])).toBe('mdy')
    expect(readDateCell('2026/1/5', 'mdy')).toBe('2026-01-05')
    expect(readDateCell('13/01/2026', 'mdy')).toBeUndefined()
  })

  test('times are read with 12 and 24 hours', () => {
    const times: [string, number | undefined][] = [
      ['00:00', 0],
      ['24:00', DAY_MS],
      ['24:01', undefined],
      ['12:00 AM', 0],
      ['12:30 pm', 12.5 * HOUR_MS],
      ['1:05\u202fPM', 13 * HOUR_MS + 5 * MINUTE_MS],
      ['11:23:01 a.m.', 11 * HOUR_MS + 23 * MINUTE_MS + 1_000],
      ['13:00 PM', undefined],
      ['8', 8 * HOUR_MS],
      [' 0.5 ', DAY_MS / 2],
      [' 23:59:59 ', DAY_MS - 1_000],
      ['12:59 pm', 13 * HOUR_MS - MINUTE_MS],
      ['0:30 am', undefined],
      ['9:60', undefined],
      ['9:00:60', undefined],
      ['25:00', undefined],
    ]
    for (const [text, ms] of times) expect(readTimeCell(text), text).toBe(ms)
    expect(readDateTime('2026-01-05T08:00:00+01:00')).toEqual({ at: Date.parse('2026-01-05T07:00:00Z') })
    expect(readDateTime('45680')).toEqual({ date: '2025-01-23', time: '' })
    expect(readDateTime('45680,5')).toEqual({ date: '2025-01-23', time: '12:00:00' })
    expect(readDateTime('05.01.2026, 08:00')).toEqual({ date: '05.01.2026', time: '08:00' })
  })

  test('[D11.6] a time in the gap of a clock change and one that comes twice are named', () => {
    const at = (ms: number) => new Date(ms).toISOString().slice(5, 16)
    const gap = resolveLocal('2026-03-29', 2.5 * HOUR_MS, 'Europe/Berlin')
    expect([at(gap.firstMs), gap.oddities]).toEqual(['03-29T01:30', ['clock_change_gap']])
    const repeated = resolveLocal('2026-10-25', 2.5 * HOUR_MS, 'Europe/Berlin')
    expect([at(repeated.firstMs), at(repeated.lastMs)]).toEqual(['10-25T00:30', '10-25T01:30'])
    expect(repeated.oddities).toEqual(['clock_change_repeated_hour'])
    expect(resolveLocal('2026-10-25', 5 * HOUR_MS, 'Europe/Berlin').oddities).toEqual([])
    expect(at(resolveLocal('2026-10-25', 5 * HOUR_MS, 'Europe/Berlin').firstMs)).toBe('10-25T04:00')
    expect(at(resolveLocal('2026-10-24', DAY_MS, 'Europe/Berlin').firstMs)).toBe('10-24T22:00')
    expect(at(resolveLocal('2026-10-25', DAY_MS, 'Europe/Berlin').firstMs)).toBe('10-25T23:00')
    // The first hour of the next date is repeated in Havana, and skipped in Beirut: a date ends before that.
    expect(resolveLocal('2026-10-31', DAY_MS, 'America/Havana')).toMatchObject({ oddities: [] })
    expect(at(resolveLocal('2026-10-31', DAY_MS, 'America/Havana').lastMs)).toBe('11-01T04:00')
    expect(at(resolveLocal('2026-03-28', DAY_MS, 'Asia/Beirut').lastMs)).toBe('03-28T22:00')
  })

  test('[D11.6] an hour that comes twice is read so that the length of the row is right', async () => {
    const file = await read(
      'Start date,Start time,End date,End time,Duration\n2026-10-25,02:30:00,2026-10-25,02:45:00,01:15:00\n',
    )
    const { drafts, oddities } = draftImport(file, berlin)
    expect(drafts[0]?.content).toMatchObject({
      started_at: '2026-10-25T00:30:00.000Z',
      ended_at: '2026-10-25T01:45:00.000Z',
    })
    expect(oddities).toEqual([{ row: 2, oddity: 'clock_change_repeated_hour' }])
  })

  test('[D11.1] a row that ends before it begins ends the next day; begun and ended at once, it is empty', async () => {
    const file = await read('Date,Start,End\n2026-01-05,22:00,06:00\n2026-01-06,09:00,09:00\n2026-01-07,09:00,09:01\n')
    const { drafts, oddities } = draftImport(file, berlin)
    const lengths = drafts.map(({ content }) => Date.parse(content.ended_at as string) - Date.parse(content.started_at))
    expect(lengths).toEqual([8 * HOUR_MS, 0, MINUTE_MS])
    expect(oddities).toEqual([
      { row: 2, oddity: 'ends_next_day' },
      { row: 3, oddity: 'zero_length' },
    ])
  })

  test('text is read by its byte order mark, as UTF-8, or as Windows-1252', () => {
    const utf16 = new Uint8Array([0xff, 0xfe, 0xfc, 0, 0x0d, 0, 0x0a, 0])
    expect(decodeText(utf16)).toBe('ü\n')
    expect(decodeText(new Uint8Array([0x61, 0, 0x62, 0, 0x2c, 0x20]))).toBe('ab\u202c')
    expect(decodeText(new Uint8Array([0, 0x61, 0, 0x62]))).toBe('ab')
    expect(decodeText(new Uint8Array([0xef, 0xbb, 0xbf, 0xc3, 0xbc]))).toBe('ü')
    expect(decodeText(new Uint8Array([0xfc, 0x80]))).toBe('ü€')
    expect(decodeText(new Uint8Array([0xfe, 0xff, 0, 0xfc]))).toBe('ü')
    expect(decodeText(new Uint8Array([0xff, 0x41]))).toBe('ÿA')
    expect(decodeText(new Uint8Array([0xfe, 0x41]))).toBe('þA')
    expect(decodeText(new TextEncoder().encode('a\r\nb\rc'))).toBe('a\nb\nc')
  })
})

test('[D11.1] a task is written before the note, and once if it is the same', async () => {
  const file = await read(
    'Date,Start,End,Task,Description\n2026-01-05,9:00,10:00,Dach,Rinne\n2026-01-05,10:00,11:00,Dach,Dach\n2026-01-05,11:00,12:00,Dach,\n',
  )
  expect(draftImport(file, berlin).drafts.map(({ content }) => content.note)).toEqual(['Dach: Rinne', 'Dach', 'Dach'])
})

test('a CSV is from Kimai if it has customers and activities, and of no known tool without customers', async () => {
  const formatOf = async (header: string) => (await read(`${header}\n2026-01-05,9:00,10:00,a,b\n`)).format
  expect(await formatOf('Date,From,To,Customer,Activity')).toBe('kimai')
  expect(await formatOf('Date,From,To,Project,Activity')).toBe('csv')
})

test('[D11.5] the user of a row is that of its column, else first and last name, else the e-mail address', async () => {
  const usersOf = async (header: string, ...rows: string[]) => {
    const text = [`Date,Start,End,${header}`, ...rows.map((row) => `2026-01-05,9:00,10:00,${row}`)].join('\n')
    return findQuestions(await read(text), {}).flatMap((question) =>
      question.about === 'user' ? question.options : [],
    )
  }
  expect(await usersOf('Email', 'b@x.de', 'a@x.de')).toEqual(['a@x.de', 'b@x.de'])
  expect(await usersOf('First name,Last name,Email', 'Ada,Byron,a@x.de', ',Hopper,', ',,c@x.de')).toEqual([
    'Ada Byron',
    'Hopper',
    'c@x.de',
  ])
  expect(await usersOf('User,Email', 'Ada,a@x.de', ',b@x.de')).toEqual(['Ada', 'b@x.de'])
})

describe('a CSV whose columns nobody knows', () => {
  const bytesOf = (text: string) => new TextEncoder().encode(text)

  test('its header, first rows and known columns are shown to whoever maps them', () => {
    const text = 'Startdatum;Kam;Ende;Was\n05.01.2026;8:00;17:00;Garten\n\n06.01.2026;8:00;16:00;Hecke'
    expect(readTableHead({ name: 'a.csv', bytes: bytesOf(text) })).toEqual({
      header: ['Startdatum', 'Kam', 'Ende', 'Was'],
      samples: [
        ['05.01.2026', '8:00', '17:00', 'Garten'],
        ['06.01.2026', '8:00', '16:00', 'Hecke'],
      ],
      columns: { date: 'Startdatum', end: 'Ende' },
    })
  })

  test('a file that is no table has none', () => {
    for (const text of ['', 'one line', '{"a": 1}', 'BEGIN:VCALENDAR\nEND:VCALENDAR', 'a,b\n']) {
      expect(readTableHead({ name: 'a', bytes: bytesOf(text) }), text).toBeUndefined()
    }
  })

  test('a mapping reads the rows of such a file', async () => {
    const bytes = bytesOf('Tag,Kam,Ging\n05.01.2026,8:00,17:00')
    const columns = { date: 'Tag', start: 'Kam', end: 'Ging' }
    const file = await readImportFile({ name: 'a.csv', bytes }, { nowMs, columns })
    expect(draftImport(file, berlin).drafts[0]?.content).toMatchObject({
      started_at: '2026-01-05T07:00:00.000Z',
      ended_at: '2026-01-05T16:00:00.000Z',
    })
  })
})

test('[D11.3] batches are found by the source of entries, the latest first', () => {
  const at = (date: string, more: { source: string | null; created_at?: Instant }) =>
    aWork(Date.parse(`${date}T09:00:00Z`), null, more)
  const toggl = { source: 'toggl-0a1b2c3d-4e5f' }
  const batches = listBatches([
    at('2026-01-07', { ...toggl, created_at: '2026-11-02T10:00:01.000Z' }),
    at('2026-01-05', { ...toggl, created_at: '2026-11-02T10:00:00.000Z' }),
    { ...anAbsence('sick', '2026-02-01'), source: 'kimai-0a1b2c3d-4e5f', created_at: '2026-11-03T10:00:00.000Z' },
    at('2026-01-08', { source: null }),
    at('2026-01-08', { source: 'a program' }),
  ])
  expect(batches).toEqual([
    expect.objectContaining({ format: 'kimai', entries: 1, first: '2026-02-01', last: '2026-02-01' }),
    {
      batch: toggl.source,
      format: 'toggl',
      entries: 2,
      first: '2026-01-05',
      last: '2026-01-07',
      importedAt: '2026-11-02T10:00:00.000Z',
    },
  ])
})
