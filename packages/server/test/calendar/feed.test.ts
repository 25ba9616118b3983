import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Entry, type EntryContent, type FeedRow, identifiedEntriesOf } from '@saldo/core'
import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { writeFeed } from '../../src/calendar/feed.ts'

const folder = join(import.meta.dirname, '../../../../fixtures/calendar-feed')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

interface Event {
  uid: string
  start: string
  end: string
  summary: string
  transp: string
}

const { feed, entries } = JSON.parse(read('entries.json')) as { feed: FeedRow; entries: EntryContent[] }
const records = entries.map(
  (entry, index) => ({ ...entry, id: `00000000-0000-4000-8000-00000000000${index}` }) as Entry,
)
const identified = identifiedEntriesOf(records)

/** Reads a calendar with ical.js: its name and its events, times as iCalendar writes them. */
function readWithIcalJs(text: string): { name: string; events: Event[] } {
  const calendar = new ICAL.Component(ICAL.parse(text))
  const textOf = (component: ICAL.Component, name: string) => String(component.getFirstPropertyValue(name))
  const timeOf = (component: ICAL.Component, name: string) =>
    (component.getFirstPropertyValue(name) as ICAL.Time).toICALString()
  return {
    name: textOf(calendar, 'x-wr-calname'),
    events: calendar.getAllSubcomponents('vevent').map((event) => ({
      uid: textOf(event, 'uid'),
      start: timeOf(event, 'dtstart'),
      end: timeOf(event, 'dtend'),
      summary: textOf(event, 'summary'),
      transp: textOf(event, 'transp'),
    })),
  }
}

describe('the calendar of a feed', () => {
  test('[D15.1] is the one of the vector, which other parsers have read', async () => {
    expect(await writeFeed(feed, identified)).toBe(read('feed.ics'))
  })

  test('[D15.1] means the same to ical.js and to the icalendar library of Debian', () => {
    const { name, events } = JSON.parse(read('read-by-icalendar.json')) as { name: string; events: Event[] }
    expect(readWithIcalJs(read('feed.ics'))).toEqual({ name, events })
    expect(events).toHaveLength(7)
  })
})
