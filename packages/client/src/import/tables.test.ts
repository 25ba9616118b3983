import { describe, expect, test, vi } from 'vitest'
import { draftImport } from './draft.ts'
import { guessColumns, splitUnit } from './headers.ts'
import { findQuestions, type ImportAnswers } from './questions.ts'
import { readImportFile, readTableHead } from './read.ts'

const berlin = { timeZone: 'Europe/Berlin' }
const read = (lines: readonly string[]) =>
  readImportFile(
    { name: 'x.csv', bytes: new TextEncoder().encode(lines.join('\n')) },
    { nowMs: Date.UTC(2026, 10, 28) },
  )

/** Returns what a table becomes: entries as kind and times in UTC, what is odd and what is left out. */
async function importOf(lines: readonly string[], answers: Partial<ImportAnswers> = {}) {
  const file = await read(lines)
  const { drafts, skipped, oddities } = draftImport(file, { ...berlin, ...answers })
  return {
    asked: findQuestions(file, answers).map(({ about }) => about),
    entries: drafts.map(({ content: { kind, started_at, ended_at } }) =>
      [kind === 'work' ? '' : `${kind} `, started_at.slice(5, 16), ' ', ended_at.slice(5, 16)].join(''),
    ),
    odd: oddities.map(({ row, oddity }) => `${row} ${oddity}`),
    skipped: skipped.map(({ row, reason }) => `${row} ${reason}`),
  }
}

describe('decimals', () => {
  test('[D11.15] dates with points say nothing about the decimal sign of hours', async () => {
    const comma = await importOf(['Datum;Stunden;Betrag', '05.01.2026;7,5;1.200', '06.01.2026;0,25;3.10'], {
      durations: 'sequential',
    })
    expect(comma.entries).toEqual(['01-05T08:00 01-05T15:30', '01-06T08:00 01-06T08:15'])
    const point = await importOf(['Date,Hours,Note', '2026-01-05,7.5,"1,50"', '2026-01-06,0.25,"3,10"'], {
      durations: 'sequential',
    })
    expect(point.entries).toEqual(comma.entries)
  })

  test('[D11.15] numbers that can be decimals or a clock are asked', async () => {
    const lines = ['Datum;Stunden', '05.01.2026;7.30', '06.01.2026;8.00']
    expect((await importOf(lines)).asked).toEqual(['durationUnit', 'durations'])
    const as = async (durationUnit: 'hours' | 'clock') =>
      (await importOf(lines, { durations: 'sequential', durationUnit })).entries[0]
    expect(await as('hours')).toBe('01-05T08:00 01-05T15:18')
    expect(await as('clock')).toBe('01-05T08:00 01-05T15:30')
  })
})

test('[D11.15] the number of a sum says nothing about the unit', async () => {
  const rows = ['05.01.2026;8', '06.01.2026;8', 'Gesamt;16', 'Arbeitstage;160']
  expect((await importOf(['Datum;Stunden', ...rows.slice(0, 3)])).asked).toEqual(['durations'])
  expect((await importOf(['Datum;Stunden', ...rows])).asked).toEqual(['durationUnit', 'durations'])
})

describe('breaks', () => {
  const withBreak = async (cell: string, header = 'Pause', answers: Partial<ImportAnswers> = {}) => {
    const { entries, odd, asked } = await importOf(
      [`Datum;Beginn;Ende;${header}`, `05.01.2026;08:00;16:00;${cell}`],
      answers,
    )
    const pause = entries.find((entry) => entry.startsWith('break '))
    const [from = '', to = ''] = pause?.slice('break '.length).split(' ') ?? []
    const minutes = (Date.parse(`2026-${to}Z`) - Date.parse(`2026-${from}Z`)) / 60_000
    return { minutes: pause === undefined ? 0 : minutes, odd: odd.map((one) => one.slice(2)), asked }
  }

  test.each([
    ['30', 30],
    ['0,5', 30],
    ['0:30', 30],
    ['00:30:00', 30],
    ['30 min', 30],
    ['45 min (Mittag)', 45],
    ['Mittag 0:45', 45],
    ['1800', 30],
  ])('[D11.16] a break of %s is %i minutes', async (cell, minutes) => {
    expect(await withBreak(cell)).toEqual({ minutes, odd: ['break_placed'], asked: [] })
  })

  test.each(['Pause (Minuten)', 'Pausen in Min.', 'Mittagspause [min]', 'Break Duration (minutes)', 'Lunch min'])(
    '[D11.16] the name %s says the unit',
    async (header) => {
      expect(await withBreak('3', header)).toMatchObject({ minutes: 3, asked: [] })
    },
  )

  test('[D11.16] a small number is asked, and the answer counts', async () => {
    expect((await withBreak('1')).asked).toEqual(['breakUnit'])
    expect((await withBreak('1', 'Pause', { breakUnit: 'hours' })).minutes).toBe(60)
    expect((await withBreak('1', 'Pause', { breakUnit: 'minutes' })).minutes).toBe(1)
  })

  test.each(['Kantine', '30 + 15', '-5', '9:00', '8:00', '17:00-17:30', '12:30-12:00', '12:00-12:30 (2 x)'])(
    '[D11.16] a break that cannot be used is named: %s',
    async (cell) => {
      expect(await withBreak(cell)).toMatchObject({ minutes: 0, odd: ['break_not_used'] })
    },
  )

  test.each([
    ['Pause', '12:00-12:30', ['12:00 12:30']],
    ['Pause', '12:00-12:30 (Mittag)', ['12:00 12:30']],
    ['Pause', '12.00 – 12.30, 15:00-15:15', ['12:00 12:30', '15:00 15:15']],
    ['Pause von;Pause bis', '12:00;12:45', ['12:00 12:45']],
    [
      'Pausenbeginn 1;Pausenende 1;Pausenbeginn 2;Pausenende 2',
      '9:00;9:15;12:00;12:30',
      ['09:00 09:15', '12:00 12:30'],
    ],
    ['Pause von;Pause bis', ';', []],
  ])('[D11.16] breaks with times of day are entries at these: %s, %s', async (header, cells, times) => {
    const { entries, odd } = await importOf([`Datum;Beginn;Ende;${header}`, `06.07.2026;8:00;16:30;${cells}`])
    const inUtc = (text: string) => text.replace(/\d\d(?=:)/g, (hour) => String(Number(hour) - 2).padStart(2, '0'))
    const breaks = times.map((text) => inUtc(text).replace(/(\S+) (\S+)/, 'break 07-06T$1 07-06T$2'))
    expect(entries).toEqual(['07-06T06:00 07-06T14:30', ...breaks])
    expect(odd).toEqual([])
  })

  test('[D11.16] a break with times of day after midnight, or half of one, is named', async () => {
    const rows = [
      '06.07.2026;22:00;6:00;1:00;1:30',
      '07.07.2026;22:00;6:00;23:00;23:30',
      '08.07.2026;8:00;16:00;12:00;',
    ]
    const { entries, odd } = await importOf(['Datum;Beginn;Ende;Pause von;Pause bis', ...rows])
    expect(entries.filter((entry) => entry.startsWith('break'))).toEqual(['break 07-07T21:00 07-07T21:30'])
    expect(odd.filter((one) => one.endsWith('break_not_used'))).toEqual(['2 break_not_used', '4 break_not_used'])
  })

  test('[D11.16] [D11.18] a break with times of day between two pairs is there already', async () => {
    const header = 'Datum;Kommen;Gehen;Kommen;Gehen;Pause von;Pause bis'
    const { entries, odd } = await importOf([header, '06.07.2026;8:00;12:00;12:30;16:00;12:00;12:30'])
    expect(entries).toHaveLength(2)
    expect(odd).toEqual([])
  })

  test.each(['', '-', '0', '0:00', 'keine', 'n/a'])('[D11.16] no break is none, and not odd: "%s"', async (cell) => {
    expect(await withBreak(cell)).toEqual({ minutes: 0, odd: [], asked: [] })
  })
})

describe('times and lengths', () => {
  test('[D11.17] a row with start and end never goes for its length, which is named if it cannot be read', async () => {
    const rows = ['18:25 min', 'PT30M', '30 Min.', '-', 'n/a', ''].map(
      (text, day) => `2026-01-0${day + 1},8:00,8:30,${text}`,
    )
    const found = await importOf(['Date,Start,End,Duration', ...rows, '2026-01-07,8:00,8:30,soon'])
    expect(found.entries).toHaveLength(7)
    expect(found.odd).toEqual(['2 duration_differs', '8 duration_not_read'])
    expect(found.skipped).toEqual([])
    expect((await importOf(['Date,Start,Duration', '2026-01-05,8:00,half'])).skipped).toEqual(['2 invalid_duration'])
  })

  test('[D11.17] a stated length of whole days more, or of twelve hours less, says when a row ends', async () => {
    const times = async (from: string, to: string, length: string) =>
      (await importOf(['Datum;Von;Bis;Dauer', `09.06.2025;${from};${to};${length}`])).entries[0]
    expect(await times('11:30', '13:11', '73:41')).toBe('06-09T09:30 06-12T11:11')
    expect(await times('22:00', '06:00', '32:00')).toBe('06-09T20:00 06-11T04:00')
    expect(await times('11:30', '13:11', '1:41')).toBe('06-09T09:30 06-09T11:11')
    expect(await times('11:30', '13:11', '30:00')).toBe('06-09T09:30 06-09T11:11')
    expect(await times('8:00', '5:00', '9:00')).toBe('06-09T06:00 06-09T15:00')
    expect(await times('8:00', '5:00 AM', '9:00')).toBe('06-09T06:00 06-10T03:00')
  })

  test('[D11.17] a row without a start says so', async () => {
    const found = await importOf(['Datum;Von;Bis', '05.01.2026;;12:00', '06.01.2026;8:00;'])
    expect(found.skipped).toEqual(['2 no_start', '3 no_end'])
  })

  test('[D11.18] all pairs of times of a row are read, with the same names or with numbers', async () => {
    const both = ['01-05T07:00 01-05T11:00', '01-05T12:00 01-05T16:00', '01-06T07:00 01-06T11:00']
    const rows = ['05.01.2026;8:00;12:00;13:00;17:00', '06.01.2026;8:00;12:00;;']
    for (const header of ['Datum;Kommen;Gehen;Kommen;Gehen', 'Datum;Kommen 1;Gehen 1;Kommen 2;Gehen 2']) {
      expect((await importOf([header, ...rows])).entries).toEqual(both)
    }
    const three = await importOf(['Date,In1,Out1,In2,Out2,In3,Out3', '2026-01-05,8:00,9:00,10:00,11:00,12:00,'])
    expect(three.entries).toEqual(['01-05T07:00 01-05T08:00', '01-05T09:00 01-05T10:00'])
    expect(three.skipped).toEqual(['2 no_end'])
  })

  test.each([
    ['20:45;01:30;02:15;06:30', ['01-05T19:45 01-06T00:30', '01-06T01:15 01-06T05:30'], ['ends', 'begins']],
    ['20:45;23:30;00:15;06:30', ['01-05T19:45 01-05T22:30', '01-05T23:15 01-06T05:30'], ['begins']],
    ['13:00;17:00;8:00;12:00', ['01-05T12:00 01-05T16:00', '01-05T07:00 01-05T11:00'], []],
  ])(
    '[D11.18] a pair of times goes on after the one ahead of it, if both are a night: %s',
    async (cells, entries, odd) => {
      const found = await importOf(['Datum;Von;Bis;Von;Bis;Pause', `05.01.2026;${cells};`])
      expect(found).toMatchObject({ entries, odd: odd.map((one) => `2 ${one}_next_day`) })
    },
  )

  test('[D11.18] ranges and breaks of a row go on after midnight too', async () => {
    expect((await importOf(['Datum;Zeit', '05.01.2026;22:00-02:00, 02:30-06:00'])).entries).toEqual([
      '01-05T21:00 01-06T01:00',
      '01-06T01:30 01-06T05:00',
    ])
    const header = 'Datum;Von;Bis;Von;Bis;Pause von;Pause bis'
    const late = await importOf([header, '05.01.2026;20:45;01:30;02:15;06:30;04:00;04:15'])
    expect(late.entries.at(-1)).toBe('break 01-06T03:00 01-06T03:15')
  })

  test('[D11.18] the break of a row with pairs lies between them, or is named once', async () => {
    const header = 'Datum;Kommen;Gehen;Kommen;Gehen;Pause'
    const between = await importOf([header, '05.01.2026;8:00;12:00;13:00;17:00;60'])
    expect(between.odd).toEqual([])
    const other = await importOf([header, '05.01.2026;8:00;12:00;13:00;17:00;90'])
    expect(other.odd).toEqual(['2 break_not_used'])
    const one = await importOf([header, '05.01.2026;8:00;17:00;;;60'])
    expect(one.entries).toEqual(['01-05T07:00 01-05T16:00', 'break 01-05T11:00 01-05T12:00'])
  })

  test('[D11.19] a whole day is left out where the file says so, and named where its times do', async () => {
    const outlook = ['Subject,Start Date,Start Time,End Date,End Time,All day event']
    const found = await importOf([
      ...outlook,
      'Off,11/17/2026,12:00:00 AM,11/18/2026,12:00:00 AM,True',
      'Talk,11/18/2026,9:00:00 AM,11/18/2026,10:00:00 AM,False',
      'Long,11/19/2026,12:00:00 AM,11/20/2026,12:00:00 AM,False',
    ])
    expect(found.skipped).toEqual(['2 all_day'])
    expect(found.odd).toEqual(['4 whole_day'])
    const german = 'Betreff;Beginnt am;Beginnt um;Endet am;Endet um;Ganztägiges Ereignis'
    const off = await importOf([
      german,
      'Frei;17.11.2026;00:00:00;18.11.2026;00:00:00;Ein',
      'X;17.11.2026;8:00;17.11.2026;9:00;Aus',
    ])
    expect(off.skipped).toEqual(['2 all_day'])
    expect(off.entries).toEqual(['11-17T07:00 11-17T08:00'])
  })
})

describe('titles, days and absences', () => {
  test('[D11.18] the lines of a title above the header are no rows', async () => {
    const lines = [
      'Bericht Oktober 2026',
      '',
      'Mitarbeiterin:;Ada;;',
      'Von;01.10.2026;Bis;31.10.2026',
      'Datum;Beginn;Ende;Notiz',
      '05.10.2026;8:00;9:00;x',
    ]
    const found = await importOf([...lines, '06.10.2026;8:00;9:00;y', 'Summe;;2:00;'])
    expect(found.entries).toHaveLength(2)
    expect(found.skipped).toEqual(['8 subtotal'])
    // Without a second name of a column it is a row like others.
    expect((await importOf(['Datum;Wert', 'Start;Projekt', '05.10.2026;1'])).skipped).toHaveLength(2)
  })

  const withBreaks = ['01-05T07:00 01-05T16:00', 'break 01-05T11:00 01-05T11:30']
  test.each([
    [['', ';Arbeitszeit;;Pause;', 'Datum;Beginn;Ende;Beginn;Ende']],
    [['Monat: Januar;;;;', 'Datum;Arbeitszeit;;Pause;', ';von;bis;von;bis']],
    // The title of the break is not above its columns, or there is none: times inside others are a break.
    [['Arbeitszeit;;Pause;;', 'Datum;Beginn;Ende;Beginn;Ende']],
    [['Datum;In;Out;In;Out']],
    [['Datum;Beginn;Ende;Meal Start;Meal End']],
  ])('[D11.18] a header of two lines names the times of breaks: %j', async (header) => {
    expect((await importOf([...header, '05.01.2026;8:00;17:00;12:00;12:30'])).entries).toEqual(withBreaks)
  })

  test('[D11.18] the lines of a header complete each other, with units in brackets', async () => {
    const pairs = ['01-05T07:00 01-05T11:00', '01-05T12:00 01-05T16:00']
    const row = '05.01.2026;8:00;12:00;13:00;17:00'
    expect((await importOf(['Datum;Vormittag;;Nachmittag;', ';Von;Bis;Von;Bis', row])).entries).toEqual(pairs)
    const units = await importOf(['Datum;Beginn;Ende;Pause;Summe', ';;;(min);(h)', '05.01.2026;8:00;17:00;60;8'])
    expect(units).toMatchObject({ asked: [], skipped: [], odd: ['3 break_placed'] })
    const night = await importOf(['Datum;In;Out;In;Out', '05.01.2026;22:00;06:00;02:00;02:30'])
    expect(night).toMatchObject({ entries: ['01-05T21:00 01-06T05:00'], odd: ['2 ends_next_day', '2 break_not_used'] })
  })

  test.each([
    [['Arbeitszeitnachweis Januar 2026', 'Tag;Von;Bis', '05.;8:00;16:00', '06.;8:00;16:00', 'Summe;;']],
    [['Monat:;01/2026;', 'Datum;Von;Bis', 'Mo 5;8:00;16:00', 'Di 6;8:00;16:00']],
    [['Timesheet January;2026', 'Day;In;Out', '5;8:00;16:00', '6;8:00;16:00']],
  ])('[D11.18] numbers of days are dates of the month that the title names: %j', async (lines) => {
    expect((await importOf(lines)).entries).toEqual(['01-05T07:00 01-05T15:00', '01-06T07:00 01-06T15:00'])
  })

  test('[D11.18] numbers of days are no dates without one month and year', async () => {
    const rows = ['Tag;Von;Bis', '5;8:00;16:00', '6;8:00;16:00']
    for (const title of ['Januar', '2026', 'Januar bis Februar 2026', 'Januar 2025/2026']) {
      await expect(importOf([title, ...rows])).resolves.toMatchObject({ skipped: ['3 no_date', '4 no_date'] })
    }
    const other = await importOf(['Januar 2026', 'Datum;Von;Bis', 'Mo 5;8:00;16:00', 'Mi 6;8:00;16:00'])
    expect(other.skipped).toEqual(['4 invalid_date'])
    const leap = await importOf(['Februar 2026', 'Tag;Von;Bis', '28;8:00;16:00', '29;8:00;16:00'])
    expect(leap.skipped).toEqual(['4 invalid_date'])
  })

  test('[D11.19] the sum of a day, and letters for time off, are left out', async () => {
    const header = 'Datum;Von;Bis;Std;Projekt;Art'
    const half = ['05.01.2026;8:00;12:00;4;;', '05.01.2026;13:00;17:00;4;;']
    const { skipped } = await importOf(
      [header, ...half, '05.01.2026;;;8;;', '06.01.2026;;;8;;U', '07.01.2026;;;8;K;', '05.01.2026;;;8;Haus;'],
      { durations: 'sequential' },
    )
    expect(skipped).toEqual(['4 subtotal', '5 time_off'])
  })

  test('[D11.20] a column `Tag` holds days or tags, as its cells do, but no names of days', async () => {
    const german = await importOf(['Tag;Kommt;Geht', 'Mo 05.10.26;7:30;12:00', '06.10.2026;7:30;12:00'])
    expect(german.entries).toEqual(['10-05T05:30 10-05T10:00', '10-06T05:30 10-06T10:00'])
    const file = await read(['Start,End,Tag', '2026-10-05 08:00,2026-10-05 09:00,home'])
    expect(file).toMatchObject({ rows: [{ tags: ['home'] }] })
    const named = await read(['Tag;Datum;Kommt;Geht', 'Mo;05.10.2026;7:30;12:00', 'Di.;06.10.2026;7:30;12:00'])
    expect(named).toMatchObject({ rows: [{ tags: [] }, { tags: [] }], columns: { unused: ['Tag'] } })
    const summed = await read(['Tag;Datum;Von;Bis', 'Mo;05.10.2026;7:30;12:00', 'Summe;;;4:30'])
    expect(summed).toMatchObject({ columns: { unused: ['Tag'] } })
    const weeks = ['Summe KW 41:;;4:30', '12.10.2026;8:00;12:00', 'Gesamt;;8:30']
    const dated = await importOf(['Tag;Von;Bis', '05.10.2026;7:30;12:00', ...weeks])
    expect(dated.entries).toHaveLength(2)
    expect(dated.skipped).toEqual(['3 subtotal', '5 subtotal'])
  })

  test('[D11.19] an absence is left out as one, with a remark too', async () => {
    const kinds = ['Urlaub', 'Urlaub (halber Tag)', 'Krank', 'sick leave', 'Sick: flu', 'Arbeit']
    const rows = kinds.map((kind, index) => `0${index + 5}.10.2026;;;${kind}`)
    const { skipped } = await importOf(['Datum;Beginn;Ende;Art', ...rows])
    expect(skipped.map((one) => one.slice(2))).toEqual([...Array<string>(5).fill('time_off'), 'no_time'])
  })

  test('[D11.19] time off, sums and empty days in a monthly sheet are no work, and ask nothing', async () => {
    const sheet = await importOf([
      'Datum;Tag;Kommen;Gehen;Ist;Soll;Bemerkung',
      '01.11.2026;So;;;0:00;0:00;',
      '02.11.2026;Mo;08:00;16:00;8:00;8:00;',
      '03.11.2026;Di;;;8:00;8:00;Urlaub',
      '04.11.2026;Mi;;;8:00;8:00;Krank (AU)',
      '05.11.2026;Do;08:00;16:00;8:00;8:00;Feiertag',
      '06.11.2026;Fr;08:00;12:00;4:00;8:00;Urlaub geplant',
      '25.12.2026;Fr;;;8:00;8:00;1. Weihnachtstag',
      '30.12.2026;Mi;;;4:00;8:00;halber Tag Urlaub',
      '31.12.2026;Do;08:00;12:00;4:00;8:00;Total',
      'Summe KW 45;;;;28:00;40:00;',
    ])
    expect(sheet).toEqual({
      asked: [],
      entries: ['11-02T07:00 11-02T15:00', '11-06T07:00 11-06T11:00', '12-31T07:00 12-31T11:00'],
      odd: [],
      skipped: ['2 no_time', ...[4, 5, 6, 8, 9].map((row) => `${row} time_off`), '11 subtotal'],
    })
  })
})

describe('times in other places', () => {
  /** Two pieces of a Monday, 8:00 to 12:00 and 12:30 to 17:00 in Berlin. */
  const monday = ['11-02T07:00 11-02T11:00', '11-02T11:30 11-02T16:00']

  test.each([
    [['Datum;Zeit;Projekt', '02.11.2026;08:00-12:00;x', '02.11.2026;12:30 – 17:00 Uhr;y']],
    [['Datum;Arbeitszeit', '02.11.2026;8-12, 12:30 bis 17:00']],
    [['Datum;Von;Bis', '02.11.2026;08:00 h;12:00 h', '02.11.2026;12:30 h;17:00 h']],
    [
      [
        'Datum;Uhrzeit;Buchung',
        ...['08:00;Kommen', '12:00;Pause Anfang', '12:30;Pause Ende', '17:00;Gehen'].map((row) => `02.11.2026;${row}`),
      ],
    ],
    [
      [
        'Datum;Uhrzeit;Buchung',
        ...['08:00;Arbeitsbeginn', '12:00;Pause', '12:30;Pause', '17:00;Arbeitsende'].map((row) => `02.11.2026;${row}`),
      ],
    ],
    [
      [
        'time,event',
        ...['17:00:00,Clock out', '12:30:00,Clock in', '12:00:00,Clock out', '08:00:00,Clock in'].map(
          (row) => `2026-11-02 ${row}`,
        ),
      ],
    ],
    [['start,end', '1793602800,1793617200', '1793619000000,1793635200000']],
    [
      [
        'start,end',
        '2026-11-02T07:00+0000,2026-11-02 12:00:00 +0100',
        '2026-11-02 11:30:00 UTC,2026-11-02 16:00:00 GMT',
      ],
    ],
    [
      [
        'Clock In,Clock Out',
        '"Nov 2, 2026, 8:00 AM","Nov 2, 2026 12:00 PM"',
        '11/02/2026 12:30 PM,11/02/2026 5:00 PM',
        '11/13/2026 5:00 PM,',
      ],
    ],
    [['date,start,end,timezone', '2026-11-02,02:00,06:00,America/New_York', '2026-11-02,06:30,11:00,America/New_York']],
    [['Date,Start,Hours', '2026-11-02,8:00,4.0', '2026-11-02,12:30,4.5']],
    [['Date,Start,Duration', '46328,0.333333,0.166666', '46328,0.520833,0.1875']],
    [['Date,Start,Duration', '2026-11-02,8:00,0.166666666666667', '2026-11-02,12:30,0.1875']],
  ])('[D11.26] %j', async (lines) => {
    const { entries, asked } = await importOf(lines)
    expect({ entries: entries.sort(), asked }).toEqual({ entries: monday, asked: [] })
  })

  test.each(['1899-12-30', '30.12.1899', '00.01.1900', '1/0/1900', '1900-01-01', '1904-01-01', '1970-01-01'])(
    '[D11.26] a time of day is one beside %s, the date 0 of programs, too',
    async (zero) => {
      const row = ['08:00:00', '16:30:00', '00:30:00', '08:00:00'].map((time) => `${zero} ${time}`)
      const found = await importOf(['Datum;Von;Bis;Pause;Dauer', ['02.11.2026', ...row].join(';')])
      expect(found.entries).toEqual(['11-02T07:00 11-02T15:30', 'break 11-02T11:00 11-02T11:30'])
      expect(found.odd).toEqual(['2 break_placed'])
    },
  )

  test('[D11.26] a start with another date than its row counts, and is named', async () => {
    const other = '2026-11-02,2026-11-03 8:00,2026-11-03 9:00'
    const found = await importOf(['Date,Start,End', other, '2026-11-13,11/13/2026 8:00,11/13/2026 9:00'])
    expect(found.entries).toEqual(['11-03T07:00 11-03T08:00', '11-13T07:00 11-13T08:00'])
    expect(found.odd).toEqual(['2 date_differs'])
  })

  test.each([
    [['Datum;Von;Bis', '02.11.2026;08:00;12:00', ';12:30;17:00']],
    [['Von;Bis', 'Montag, 02.11.2026;', '08:00;12:00', '12:30;17:00']],
  ])('[D11.26] a row without a date has that of a row above, and is named: %j', async (lines) => {
    const { entries, odd } = await importOf(lines)
    expect(entries).toEqual(monday)
    expect(odd.at(-1)).toMatch('date_above')
  })

  test('[D11.15] minutes in a column of their own belong to the hours', async () => {
    const rows = ['02.11.2026;7;30', '03.11.2026;;90', '04.11.2026;8;480', '05.11.2026;;1.020', '06.11.2026;;bald']
    const { entries, skipped } = await importOf(['Datum;Stunden;Minuten', ...rows], { durations: 'sequential' })
    const sized = ['11-02T08:00 11-02T15:30', '11-03T08:00 11-03T09:30', '11-04T08:00 11-04T16:00']
    expect(entries).toEqual([...sized, '11-05T08:00 11-06T01:00'])
    expect(skipped).toEqual(['6 invalid_duration'])
  })

  test('[D11.26] a stamp without its counterpart is named', async () => {
    const rows = ['08:00;Kommen', '12:00;Kommen', '13:00;Gehen', '17:00;Gehen'].map((row) => `02.11.2026;${row}`)
    const found = await importOf(['Datum;Uhrzeit;Buchung', ...rows])
    expect(found.entries).toEqual(['11-02T11:00 11-02T12:00'])
    expect(found.skipped).toEqual(['2 no_end', '5 no_start'])
    const head = readTableHead({
      name: 'x.csv',
      bytes: new TextEncoder().encode(['D;Uhrzeit;Buchung', ...rows].join('\n')),
    })
    expect(head?.columns).toEqual({ start: 'Uhrzeit', end: 'Buchung' })
    const late = await importOf(['Datum;Uhrzeit;Buchung', '02.11.2026;22:00;Kommen', '04.11.2026;06:00;Gehen'])
    expect(late).toMatchObject({ entries: ['11-02T21:00 11-04T05:00'], odd: ['2 longer_than_a_day'] })
  })
})

describe('durations only', () => {
  const day = (index: number) => new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10)
  const own = Array.from({ length: 100 }, (_, index) => `${day(index)},8:0${index % 10},16:00,`)

  test('[D11.5] three rows with one start among many with their own ask nothing', async () => {
    const same = ['9:30', '10:00', '11:00'].map((to) => `2026-01-05,9:00,${to},`)
    expect((await importOf(['Date,Start,End,Note', ...own, ...same])).asked).toEqual([])
    expect((await importOf(['Date,Start,End,Note', ...own.slice(0, 3), ...same])).asked).toEqual(['durations'])
  })

  test('[D11.5] times that do not fit the stated length are real', async () => {
    const rows = (length: string) => ['9:30', '10:00', '11:00'].map((to) => `2026-01-05,9:00,${to},${length}`)
    const header = 'Date,Start,End,Duration'
    expect((await importOf([header, ...rows('0:10')])).asked).toEqual([])
    expect((await importOf([header, ...rows('')])).asked).toEqual(['durations'])
  })
})

describe('delimiters and names', () => {
  test.each([
    [['Datum;Stunden', '05.01.2024;7,5']],
    [['Datum\tStunden', '05.01.2024\t7,5', '']],
    [['Datum|Stunden|Betrag', '05.01.2024|7,5|1,00', '']],
    [['Nr;Datum;Stunden;Betrag', '1;05.01.2024;7,50;382,40', '2;06.01.2024;1,50;90,00', '']],
  ])('[D11.20] a short table has the delimiter that makes equal rows: %j', async (lines) => {
    const { entries } = await importOf(lines, { durations: 'sequential' })
    expect(entries[0]).toBe('01-05T08:00 01-05T15:30')
  })

  test('[D11.20] a table tells the meaning and unit of its columns, and which are not read', async () => {
    const file = await read(['Datum;Kommen;Gehen;Pause (Min);Kostenstelle', '05.01.2026;8:00;12:00;30;4711'])
    expect(file).toMatchObject({
      columns: {
        used: [
          { field: 'date', name: 'Datum' },
          { field: 'start', name: 'Kommen' },
          { field: 'end', name: 'Gehen' },
          { field: 'break', name: 'Pause (Min)', unit: 'minutes' },
        ],
        unused: ['Kostenstelle'],
      },
    })
  })

  test('[D11.20] rows that are named have the text of the file', async () => {
    const file = await read(['Datum;Von;Bis;Notiz', '05.01.2026;8:00;;Garten'])
    expect(draftImport(file, berlin).texts.get(2)).toBe('05.01.2026 · 8:00 · Garten')
  })

  test('units and numbers are no part of a name', () => {
    expect(splitUnit('Break Duration (minutes)')).toEqual({ base: 'Break Duration', unit: 'minutes' })
    expect(splitUnit('Pause in Min.')).toEqual({ base: 'Pause', unit: 'minutes' })
    expect(splitUnit('Dauer [h]')).toEqual({ base: 'Dauer', unit: 'hours' })
    expect(splitUnit('Hours')).toEqual({ base: 'Hours', unit: undefined })
    expect(guessColumns(['Date', 'Start 1', 'End 1', 'Break (min)'])).toMatchObject({
      start: 'Start 1',
      end: 'End 1',
      break: 'Break (min)',
    })
  })
})

test('[D11.13] each name of a column is folded once, and a long one not at all', () => {
  const folded = vi.spyOn(String.prototype, 'toLowerCase')
  try {
    const others = Array.from({ length: 100 }, (_, n) => `Other ${'x'.repeat(n % 2 ? 100 : 10)}`)
    expect(guessColumns([...others, 'Date', 'Start 1'])).toEqual({ date: 'Date', start: 'Start 1' })
    expect(folded.mock.contexts.filter((name) => `${name}`.length > 100)).toEqual([])
    expect(folded.mock.calls.length).toBeLessThan(500)
  } finally {
    folded.mockRestore()
  }
})

const clock = (minutes: number) => `${8 + Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
const minutesOf = <T>(count: number, each: (n: number) => T) => Array.from({ length: count }, (_, n) => each(n))

test('[D11.13] the pair of each break of a row is looked for once', async () => {
  const header = ['Date', ...minutesOf(60, () => ['Start', 'End', 'Break start', 'Break end']).flat()].join(',')
  const times = (n: number) => [clock(2 * n), clock(2 * n + 1)]
  const row = ['2026-01-05', ...minutesOf(60, (n) => [...times(n), ...times(n)]).flat()].join(',')
  const lookups = vi.spyOn(Map.prototype, 'get')
  try {
    expect(await read([header, row])).toMatchObject({ rows: { length: 120 } })
    expect(lookups.mock.calls.length).toBeLessThan(10_000)
  } finally {
    lookups.mockRestore()
  }
})

test('[D11.13] a cell of thousands of characters has no times, and no length', async () => {
  const ranges = minutesOf(300, (n) => `${clock(2 * n)}-${clock(2 * n + 1)}`)
  const file = (pause: string, start: string) => read(['Date,Start,Break,Notes', `2026-01-05,"${start}",${pause},x`])
  expect(await file('', ranges.slice(0, 100).join(','))).toMatchObject({ rows: { length: 100 } })
  expect(await file('', ranges.join(','))).toMatchObject({ rows: { length: 1 } })
  expect(await file(`Lunch${' '.repeat(9)}0:45`, '8:00-17:00')).toMatchObject({ rows: [{ breakMs: 45 * 60_000 }] })
  const [long] = await file(`Lunch${' '.repeat(999)}0:45`, '8:00-17:00').then((found) =>
    'rows' in found ? found.rows : [],
  )
  expect(long).not.toHaveProperty('breakMs')
})

test('[D11.13] the pairs of a row share its texts', async () => {
  const file = await read(['Date,Start,End,Start,End,Tags', '2026-01-05,8:00,9:00,10:00,11:00,"a,b"'])
  const [first, second] = 'rows' in file ? file.rows : []
  expect(second?.tags).toEqual(['a', 'b'])
  expect(second?.tags).toBe(first?.tags)
})

test('[D11.13] of a long cell above a table, the beginning is read', async () => {
  const dates = async (title: string) => {
    const file = await read([title, 'Tag;Von;Bis', '5;8:00;9:00', '6;8:00;9:00'])
    return 'rows' in file ? file.rows.map(({ start }) => start && 'date' in start && start.date) : []
  }
  expect(await dates('Stundenzettel November 2026;;')).toEqual(['2026-11-05', '2026-11-06'])
  expect(await dates(`${'Stundenzettel '.repeat(20)}November 2026;;`)).not.toContain('2026-11-05')
})

test('[D11.13] pairs of times count as rows of the budget', async () => {
  const header = ['Date', ...Array.from({ length: 500 }, () => ['Start', 'End']).flat()].join(',')
  const row = ['2026-01-05', ...Array.from({ length: 500 }, () => ['8:00', '9:00']).flat()].join(',')
  await expect(read([header, ...Array<string>(201).fill(row)])).rejects.toMatchObject({ code: 'too_large' })
})
