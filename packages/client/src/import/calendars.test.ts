import { describe, expect, test } from 'vitest'
import { draftImport } from './draft.ts'
import { findQuestions } from './questions.ts'
import { readImportFile } from './read.ts'

const nowMs = Date.UTC(2026, 10, 28)
const calendar = (...lines: string[]) => ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR']
const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']
const read = (lines: readonly string[]) =>
  readImportFile({ name: 'x.ics', bytes: new TextEncoder().encode(lines.join('\r\n')) }, { nowMs })

/** Returns the starts and ends of all entries in UTC, without the year, and the rows that are left out. */
async function importOf(lines: readonly string[]) {
  const file = await read(lines)
  expect(findQuestions(file, {})).toEqual([])
  const { drafts, skipped } = draftImport(file, { timeZone: 'Europe/Berlin' })
  return {
    entries: drafts.map(
      ({ content: { started_at, ended_at } }) => `${started_at.slice(5, 16)} ${ended_at.slice(11, 16)}`,
    ),
    skipped: skipped.map(({ row, reason }) => `${row} ${reason}`),
  }
}
const entriesOf = async (...lines: string[][]) => (await importOf(calendar(...lines.flat()))).entries

const berlin = (name: string, day: number) => `${name};TZID=Europe/Berlin:202608${day}T101500`
/** A meeting of half an hour on four Mondays, 10:15 in Berlin. */
const weekly = (...more: string[]) =>
  event('UID:s', berlin('DTSTART', 10), 'DURATION:PT30M', 'RRULE:FREQ=WEEKLY;COUNT=4', ...more)
const mondays = ['08-10T08:15 08:45', '08-17T08:15 08:45', '08-24T08:15 08:45', '08-31T08:15 08:45']
const without = (...removed: number[]) => mondays.filter((_, index) => !removed.includes(index))

test.each([
  ['TRANSP:TRANSPARENT', ['not_busy']],
  ['X-MICROSOFT-CDO-BUSYSTATUS:OOF', ['not_busy']],
  ['TRANSP:OPAQUE', []],
  ['X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE', []],
])('[D11.25] an event that the calendar shows as free or out of office is named: %s', async (line, odd) => {
  const file = await read(calendar(...event('UID:s', berlin('DTSTART', 10), 'DURATION:PT30M', line)))
  const { drafts, oddities } = draftImport(file, { timeZone: 'Europe/Berlin' })
  expect(drafts).toHaveLength(1)
  expect(oddities.map(({ oddity }) => oddity)).toEqual(odd)
})

describe('excluded, added and moved occurrences', () => {
  test.each([
    ['in the zone of the start', ['EXDATE;TZID=Europe/Berlin:20260817T101500']],
    ['in UTC', ['EXDATE:20260817T081500Z']],
    ['in another zone', ['EXDATE;TZID=Europe/London:20260817T091500']],
    ['in a zone of Windows', ['EXDATE;TZID=GMT Standard Time:20260817T091500']],
    ['without a zone', ['EXDATE:20260817T101500']],
    ['as a date', ['EXDATE;VALUE=DATE:20260817']],
    ['as a date that does not say so', ['EXDATE:20260817']],
    ['among others of the past', ['EXDATE:20260817T081500Z,20250101T000000Z']],
    ['by an excluding rule', ['EXRULE:FREQ=WEEKLY;COUNT=1', 'EXDATE:20260817T081500Z', 'RDATE:20260810T081500Z']],
  ])('[D11.21] an excluded date removes its occurrence, whatever its form: %s', async (what, lines) => {
    expect(await entriesOf(weekly(...lines))).toEqual(what.startsWith('by') ? without(0, 1) : without(1))
  })

  test('[D11.21] the excluded date of a start in UTC may be local', async () => {
    const utc = event(
      ...['UID:s', 'DTSTART:20260810T081500Z', 'DTEND:20260810T084500Z', 'RRULE:FREQ=WEEKLY;COUNT=4'],
      'EXDATE;TZID=Europe/Berlin:20260817T101500',
    )
    expect(await entriesOf(utc)).toEqual(without(1))
  })

  test.each([
    ['RECURRENCE-ID;TZID=Europe/Berlin:20260817T101500'],
    ['RECURRENCE-ID:20260817T081500Z'],
    ['RECURRENCE-ID;TZID=America/New_York:20260817T041500'],
    ['RECURRENCE-ID;VALUE=DATE:20260817'],
    ['RECURRENCE-ID:20260817T101500'],
  ])('[D11.21] an occurrence is moved or cancelled whatever form its id has: %s', async (id) => {
    const moved = event('UID:s', id, 'DTSTART:20260818T120000Z', 'DURATION:PT1H')
    expect(await entriesOf(weekly(), moved)).toEqual([...without(1), '08-18T12:00 13:00'])
    const cancelled = event('UID:s', id, 'STATUS:CANCELLED', berlin('DTSTART', 17), 'DURATION:PT30M')
    expect(await entriesOf(weekly(), cancelled)).toEqual(without(1))
  })

  test('[D11.21] a change of this and all later occurrences moves them', async () => {
    const later = event(
      ...['UID:s', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20260824T081500Z'],
      ...['DTSTART;TZID=Europe/Berlin:20260825T110000', 'DURATION:PT1H', 'SUMMARY:later'],
    )
    const lines = calendar(...weekly('SUMMARY:first'), ...later)
    expect((await importOf(lines)).entries.sort()).toEqual([
      ...mondays.slice(0, 2),
      '08-25T09:00 10:00',
      '09-01T09:00 10:00',
    ])
    const { drafts } = draftImport(await read(lines), { timeZone: 'Europe/Berlin' })
    expect(drafts.map(({ content }) => content.note).sort()).toEqual(['first', 'first', 'later', 'later'])
  })

  test('[D11.22] an instant counts once, whatever rules and dates give it, and the start is the first', async () => {
    expect(await entriesOf(weekly('RRULE:FREQ=WEEKLY;COUNT=4', 'RDATE:20260817T081500Z'))).toEqual(mondays)
    expect(await entriesOf(weekly('RDATE:20260817T081500Z', 'EXDATE:20260817T081500Z'))).toEqual(without(1))
    const dates = event('UID:d', berlin('DTSTART', 10), 'DURATION:PT30M', 'RDATE:20260817T081500Z,20260824T081500Z')
    expect(await entriesOf(dates)).toEqual(without(3))
    const two = event(
      'UID:t',
      berlin('DTSTART', 10),
      'DURATION:PT30M',
      'RRULE:FREQ=WEEKLY;COUNT=2',
      'RRULE:FREQ=DAILY;COUNT=3',
    )
    expect(await entriesOf(two)).toEqual([
      '08-10T08:15 08:45',
      '08-11T08:15 08:45',
      '08-12T08:15 08:45',
      '08-17T08:15 08:45',
    ])
  })

  test('[D11.22] an added period has its own length, and an added date the time of the start', async () => {
    const added = [
      'RDATE;VALUE=PERIOD:20260901T080000Z/20260901T110000Z,20260902T080000Z/PT2H',
      'RDATE;VALUE=DATE:20260903',
    ]
    expect(await entriesOf(weekly(...added))).toEqual([
      ...mondays,
      '09-01T08:00 11:00',
      '09-02T08:00 10:00',
      '09-03T08:15 08:45',
    ])
  })

  test('[D11.22] the end of a rule is an instant in UTC, and else in the zone of the start', async () => {
    const evening = (until: string) =>
      event(
        'UID:u',
        'DTSTART;TZID=America/New_York:20260810T210000',
        'DURATION:PT1H',
        `RRULE:FREQ=DAILY;UNTIL=${until}`,
      )
    expect(await entriesOf(evening('20260812T010000Z'))).toHaveLength(2)
    expect(await entriesOf(evening('20260812T005959Z'))).toHaveLength(1)
    expect(await entriesOf(evening('20260812T210000'))).toHaveLength(3)
    expect(await entriesOf(evening('20260812'))).toHaveLength(3)
  })

  test('[D11.23] of the versions of an event in a file, the one with the highest sequence counts', async () => {
    const version = (sequence: number | undefined, hour: number, ...more: string[]) =>
      event(
        'UID:v',
        ...(sequence === undefined ? [] : [`SEQUENCE:${sequence}`]),
        ...more,
        `DTSTART:20260810T${hour}0000Z`,
        'DURATION:PT1H',
      )
    const { entries, skipped } = await importOf(
      calendar(...version(2, 10), ...version(undefined, 12), ...version(1, 14)),
    )
    expect(entries).toEqual(['08-10T10:00 11:00'])
    expect(skipped).toEqual(['2 superseded', '3 superseded'])
    const id = 'RECURRENCE-ID:20260817T081500Z'
    const changes = [version(1, 12, id), version(3, 15, id)].map((lines) =>
      lines.map((line) => line.replace('UID:v', 'UID:s')),
    )
    expect(await entriesOf(weekly(), ...changes)).toEqual([...without(1), '08-10T15:00 16:00'])
    // Programs that give all events one id do not count their versions.
    expect(await entriesOf(version(0, 10), version(0, 12))).toHaveLength(2)
  })
})

describe('zones', () => {
  const inZone = async (zone: string, ...definition: string[]) =>
    importOf(calendar(...definition, ...event('UID:z', `DTSTART;TZID=${zone}:20260908T140000`, 'DURATION:PT30M')))

  test.each([
    ['Eastern Standard Time', '18:00'],
    ['Eastern Daylight Time', '18:00'],
    ['Eastern', '18:00'],
    ['"(UTC-05:00) Eastern Time (US & Canada)"', '18:00'],
    ['"(GMT-05.00) Eastern Time (US & Canada)"', '18:00'],
    ['Central Standard Time (Mexico)', '20:00'],
    ['"(UTC-06:00) Central Time (US and Canada)"', '19:00'],
    ['"(UTC-08:00) Pacific Time (US & Canada); Tijuana"', '21:00'],
    ['W. Europe Standard Time', '12:00'],
    ['"(UTC+01:00) Amsterdam, Berlin, Bern, Rom, Stockholm, Wien"', '12:00'],
    ['Mitteleuropäische Zeit', '12:00'],
    ['CEST', '12:00'],
    ['"(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi"', '08:30'],
    ['"(UTC) Dublin, Edinburgh, Lisbon, London"', '13:00'],
    ['/freeassociation.sourceforge.net/Europe/Vienna', '12:00'],
    ['/mozilla.org/20050126_1/America/Argentina/Buenos_Aires', '17:00'],
    ['/citadel.org/20210210_1/Europe/Berlin', '12:00'],
    ['America/New York', '18:00'],
    ['Europe/Berlin-1', '12:00'],
    ['UTC', '14:00'],
    ['GMT', '14:00'],
    ['tzone://Microsoft/Utc', '14:00'],
    ['GMT+0200', '12:00'],
    ['"(UTC+02:00)"', '12:00'],
    ['UTC-3', '17:00'],
    ['+05:30', '08:30'],
  ])('[D11.24] the zone that programs mean by %s', async (zone, time) => {
    expect(await inZone(zone)).toMatchObject({ entries: [expect.stringMatching(`09-08T${time} `)], skipped: [] })
  })

  test.each(['Custom Time', 'tzone://Microsoft/Custom', 'Europe/Atlantis', 'Customized Time Zone 1'])(
    '[D11.24] an event in a zone that nobody knows is named: %s',
    async (zone) => {
      expect(await inZone(zone)).toEqual({ entries: [], skipped: ['1 unknown_zone'] })
    },
  )

  const part = (name: string, start: string, from: string, to: string, ...more: string[]) => [
    ...[`BEGIN:${name}`, `DTSTART:${start}`, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, ...more, `END:${name}`],
  ]
  const zoneWith = (...parts: string[][]) => ['BEGIN:VTIMEZONE', 'TZID:Own', ...parts.flat(), 'END:VTIMEZONE']
  const yearly = (start: string) => [
    part('DAYLIGHT', start, '+0300', '+0430', 'RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU'),
    part('STANDARD', start, '+0430', '+0300', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=1SU'),
  ]

  test('[D11.24] a zone is as the file defines it, from whatever year on', async () => {
    for (const start of ['00010401T020000', '16010401T020000', '20200405T020000']) {
      const own = zoneWith(...yearly(start))
      expect((await inZone('Own', ...own)).entries, start).toEqual(['09-08T09:30 10:00'])
    }
    const dates = zoneWith(part('STANDARD', '20200101T000000', '+0100', '+0200', 'RDATE:20260901T000000'))
    expect((await inZone('Own', ...dates)).entries).toEqual(['09-08T12:00 12:30'])
    const ended = zoneWith(
      part(
        'DAYLIGHT',
        '20200405T020000',
        '+0300',
        '+0430',
        'RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;UNTIL=20250101T000000Z',
      ),
      part('STANDARD', '20201004T020000', '+0430', '+0300', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=1SU'),
    )
    expect((await inZone('Own', ...ended)).entries).toEqual(['09-08T11:00 11:30'])
    const later = zoneWith(part('STANDARD', '20300101T000000', '+0500', '+0600'))
    expect((await inZone('Own', ...later)).entries).toEqual(['09-08T09:00 09:30'])
  })

  test('[D11.24] of a time that such a zone skips or repeats, the first offset counts', async () => {
    const own = zoneWith(...yearly('20200401T020000'))
    const at = async (start: string) => entriesOf(own, event('UID:z', `DTSTART;TZID=Own:${start}`, 'DURATION:PT10M'))
    expect(await at('20260405T023000')).toEqual(['04-04T23:30 23:40'])
    expect(await at('20261004T013000')).toEqual(['10-03T21:00 21:10'])
  })

  test('[D11.24] a definition that cannot be read is none', async () => {
    const broken = [
      'BEGIN:VTIMEZONE',
      'TZID:Own',
      'BEGIN:STANDARD',
      'TZOFFSETTO:+0100',
      'END:STANDARD',
      'END:VTIMEZONE',
    ]
    expect((await inZone('Own', ...broken)).skipped).toEqual(['1 unknown_zone'])
  })

  test('[D11.24] times without a zone are in that of the calendar, each file of several its own', async () => {
    const local = event('UID:l', 'DTSTART:20260810T080000', 'DTEND:20260810T090000')
    expect(await entriesOf(['X-WR-TIMEZONE:America/New_York'], local)).toEqual(['08-10T12:00 13:00'])
    expect(await entriesOf(['X-WR-TIMEZONE:Eastern Standard Time'], local)).toEqual(['08-10T12:00 13:00'])
    const both = [...calendar('X-WR-TIMEZONE:America/New_York', ...local), ...calendar(...local)]
    expect((await importOf(both)).entries).toEqual(['08-10T12:00 13:00', '08-10T06:00 07:00'])
    const utc = event('UID:l', 'DTSTART;TZID=Z:20260810T080000Z', 'DTEND;TZID=Z:20260810T090000Z')
    expect(await entriesOf(utc)).toEqual(['08-10T08:00 09:00'])
  })
})

describe('damaged lines', () => {
  const good = event('UID:ok', 'DTSTART:20260810T080000Z', 'DTEND:20260810T090000Z')
  const bad = (...lines: string[]) => importOf(calendar(...event('UID:bad', ...lines), ...good))

  test.each([
    [
      'a quotation mark at the wrong place',
      ['DTSTART;TZID="W. Europe Standard Time:20260811T090000"', 'DURATION:PT1H'],
      'invalid_record',
    ],
    ['a date that does not exist', ['DTSTART:20260230T080000Z', 'DURATION:PT1H'], 'invalid_time'],
    ['a time of letters', ['DTSTART:tomorrow', 'DURATION:PT1H'], 'invalid_time'],
    ['a rule of letters', ['DTSTART:20260811T080000Z', 'DURATION:PT1H', 'RRULE:EACH=MONDAY'], 'invalid_record'],
    [
      'an excluded date of letters',
      ['DTSTART:20260811T080000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=2', 'EXDATE:x'],
      'invalid_time',
    ],
    ['a duration of letters', ['DTSTART:20260811T080000Z', 'DURATION:long'], 'invalid_record'],
  ])('[D11.25] one damaged line costs one event: %s', async (_, lines, reason) => {
    expect(await bad(...lines)).toEqual({ entries: ['08-10T08:00 09:00'], skipped: [`1 ${reason}`] })
  })

  test('[D11.25] a damaged line of which nothing is read costs nothing', async () => {
    const { entries } = await bad('DTSTART:20260811T080000Z', 'DURATION:PT1H', 'ATTENDEE;CN="Ada:mailto:x', 'X-A;B')
    expect(entries).toHaveLength(2)
  })

  test('[D11.25] a text that was not folded goes on in the next line', async () => {
    const lines = calendar(
      ...event('UID:a', 'DTSTART:20260810T080000Z', 'DURATION:PT1H', 'SUMMARY:first', 'second line', ' folded'),
    )
    const { drafts } = draftImport(await read(lines), { timeZone: 'Europe/Berlin' })
    expect(drafts[0]?.content.note).toBe('first\nsecond linefolded')
  })

  test('[D11.25] an event whose end is missing is named, at the end of the file and before another one', async () => {
    const open = ['BEGIN:VEVENT', 'UID:cut', 'DTSTART:20260811T080000Z', 'DURATION:PT1H']
    const expected = { entries: ['08-10T08:00 09:00'] }
    expect(await importOf(['BEGIN:VCALENDAR', ...good, ...open])).toEqual({
      ...expected,
      skipped: ['2 invalid_record'],
    })
    expect(await importOf(calendar(...open, ...good))).toEqual({ ...expected, skipped: ['1 invalid_record'] })
  })

  test('[D11.25] the times of a reminder are not those of its event', async () => {
    const alarm = ['BEGIN:VALARM', 'DTSTART:20200101T000000Z', 'DURATION:PT5M', 'END:VALARM']
    const withAlarm = event('UID:a', ...alarm, 'DTSTART:20260810T080000Z', 'DTEND:20260810T090000Z')
    expect(await entriesOf(withAlarm)).toEqual(['08-10T08:00 09:00'])
  })

  test('[D11.13] components in components without end are read in a moment', async () => {
    const deep = Array.from({ length: 200_000 }, (_, index) => `BEGIN:X${index}`)
    expect((await importOf([...calendar(...good), ...deep])).entries).toHaveLength(1)
  })
})

test('[D11.5] events of a calendar have real times, however many begin at once', async () => {
  const at = (uid: string) => event(`UID:${uid}`, 'DTSTART:20260810T070000', 'DURATION:PT30M')
  expect(await entriesOf(at('a'), at('b'), at('c'))).toHaveLength(3)
})
