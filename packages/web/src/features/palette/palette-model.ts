import { folded, hasWords, type Timeline, wordsOf, type ZoneName, zoneOn } from '@saldo/core'
import { emptyQuery, type Found, search } from '../../domain/entries/search.ts'
import type { Icon } from '../../ui/icon.tsx'

export interface Command {
  id: string
  label: string
  detail?: string
  icon: Icon
  run(): void
}

/** A view that the palette can open. */
export interface PaletteView {
  /** The i18n key of its title. */
  title: string
  icon: Icon
  /** Its paths; the palette opens the first. */
  paths: readonly [string, ...string[]]
}

export interface CommandGroup {
  label: string
  commands: readonly Command[]
}

/** Returns the commands whose labels contain all words of the query, without empty groups. */
export function matching(groups: readonly CommandGroup[], query: string): CommandGroup[] {
  const words = wordsOf(query)
  return groups
    .map(({ label, commands }) => ({
      label,
      commands: commands.filter((command) => hasWords(folded(command.label), words)),
    }))
    .filter(({ commands }) => commands.length > 0)
}

/** A single letter is in most entries. */
const LEAST_LETTERS = 2

/** Returns the words by which a query finds entries; `undefined` if it is too short for that. */
export function searchedWords(query: string): string | undefined {
  const words = query.trim()
  return words.length >= LEAST_LETTERS ? words : undefined
}

/** The entries that the palette shows. */
const MAX_FOUND = 6

/** An entry that was found, with the time zone of its date, in which it is shown and edited. */
interface FoundPlace {
  entry: Found
  zone: ZoneName
}

/** Returns the newest entries with all words. */
export function newestWith(words: string, index: readonly Found[], timeline: Timeline): FoundPlace[] {
  const found = search(index, { ...emptyQuery, words }).slice(0, MAX_FOUND)
  return found.map((entry) => ({ entry, zone: zoneOn(timeline, entry.date) }))
}
