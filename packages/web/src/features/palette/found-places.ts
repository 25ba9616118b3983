import { type Timeline, type ZoneName, zoneOn } from '@saldo/core'
import { emptyQuery, type Found, search } from '../../domain/entries/search.ts'

/** The entries that the palette shows. */
const MOST = 6

/** An entry that was found, with the time zone of its date, in which it is shown and edited. */
export interface FoundPlace {
  entry: Found
  zone: ZoneName
}

/** Returns the newest entries with all words. */
export function newestWith(words: string, index: readonly Found[], timeline: Timeline): FoundPlace[] {
  const found = search(index, { ...emptyQuery, words }).slice(0, MOST)
  return found.map((entry) => ({ entry, zone: zoneOn(timeline, entry.date) }))
}
