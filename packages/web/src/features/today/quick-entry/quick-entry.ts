import {
  addDays,
  DAY_MS,
  type EntryContent,
  type EpochMs,
  type Interval,
  instantOf,
  type LocalDate,
  parseDelta,
  type ZoneName,
} from '@saldo/core'
import type { AbsenceRecord } from '../../../domain/entries/parts.ts'
import { instantAt, readRange, readTime, type WallRange } from '../../../domain/wall-time.ts'
import { type QuickWords, readDate, weekdayOf } from './words.ts'

export interface QuickContext {
  today: LocalDate
  /** The date of a line that names none. */
  defaultDate: LocalDate
  zone: ZoneName
  words: QuickWords
  /** Names of projects that there are, to tell one from a note. */
  projects: readonly string[]
  /** Where a length of work without times belongs on a date. */
  place(date: LocalDate, lengthMs: number): Interval
}

/** The entry that a line of text describes. `placed`: the text has a duration only, which was placed in a gap. */
export type QuickEntry =
  | { ok: true; content: EntryContent; date: LocalDate; placed: boolean }
  | { ok: false; reason: 'empty' | 'noTime' | 'twoTimes' | 'tooLong' }

const LONGEST_MS = DAY_MS

interface Said {
  range?: WallRange
  lengthMs?: number
  date?: LocalDate
  isWeekday: boolean
  absence?: AbsenceRecord['kind']
  share?: number
  isBreak: boolean
  project?: string
  tags: string[]
  words: string[]
  times: number
}

/**
 * Reads `9-12:30 project #tag note`, `2h yesterday`, `22-6`, `9-`, `break 12-12:30`, `vacation mon`: parts in any
 * order.
 */
export function readQuickEntry(text: string, context: QuickContext): QuickEntry {
  const tokens = tokensOf(text, context.words)
  if (tokens.length === 0) return { ok: false, reason: 'empty' }
  const said: Said = { isWeekday: false, isBreak: false, tags: [], words: [], times: 0 }
  for (const token of tokens) take(token, said, context)

  if (said.absence) return absenceOf(said, said.absence, context)
  if (said.times > 1) return { ok: false, reason: 'twoTimes' }
  const span = spanOf(said, context)
  if (!span) return { ok: false, reason: 'noTime' }
  if (span.end !== null && span.end - span.start > LONGEST_MS) return { ok: false, reason: 'tooLong' }
  const { project, note } = projectAndNote(said, context.projects)
  return {
    ok: true,
    date: said.date ?? context.defaultDate,
    placed: said.range === undefined,
    content: {
      ...blank(context.zone),
      kind: said.isBreak ? 'break' : 'work',
      started_at: instantOf(span.start),
      ended_at: span.end === null ? null : instantOf(span.end),
      tags: said.tags,
      project,
      note,
    },
  }
}

/** Words, with «9 - 12», «9 to 12» and «2 h» drawn together. */
function tokensOf(text: string, { until }: QuickWords): string[] {
  const drawn = text
    .replace(/(\d(?:[ap]m)?)\s*[-–—]\s*(?=\d)/gi, '$1-')
    .replace(/(?<=\d[:.]?(?:[ap]m)?)\s+(\p{L}+)\s+(?=\d)/giu, (all, word) =>
      until.has(word.toLowerCase()) ? '-' : all,
    )
    .replace(/(\d)\s+(h|std|min|m)(?=\s|$)/gi, '$1$2')
  return drawn.match(/@"[^"]*"|\S+/g) ?? []
}

function take(token: string, said: Said, { words, today }: QuickContext): void {
  const word = token.toLowerCase()
  const range = readRange(token) ?? startOf(token, said)
  const lengthMs = readLength(word)
  const date = said.date === undefined ? readDate(token, today, words) : undefined
  if (token.startsWith('#') && token.length > 1) said.tags.push(token.slice(1))
  else if (token.startsWith('@') && token.length > 1) said.project = token.slice(1).replaceAll('"', '')
  else if (date !== undefined) {
    said.date = date
    said.isWeekday = weekdayOf(word, words) >= 0
  } else if (range) {
    said.range = range
    said.times += 1
  } else if (lengthMs !== undefined) {
    said.lengthMs = lengthMs
    said.times += 1
  } else if (words.breaks.has(word) && said.words.length === 0) said.isBreak = true
  else if (words.half.has(word)) said.share = 0.5
  else if (words.absences.has(word) && said.words.length === 0)
    said.absence = words.absences.get(word) as typeof said.absence & string
  else said.words.push(token)
}

/** A lone time with minutes, at the front, is when something began that goes on. */
function startOf(token: string, said: Said): WallRange | undefined {
  if (said.times > 0 || said.words.length > 0 || !/[:]|[ap]m$/i.test(token)) return undefined
  const start = readTime(token)
  return start === undefined ? undefined : { start, end: null }
}

const LENGTH = /^(?:\d+(?:[.,]\d+)?|\d+:\d\d)(?:h|std|min|m)(?:\d+(?:m|min)?)?$/

function readLength(word: string): number | undefined {
  if (!LENGTH.test(word)) return undefined
  const plain = word.replace('std', 'h').replace(/min/g, 'm')
  const clock = /^(\d+:\d\d)h$/.exec(plain)?.[1]
  const parsed = parseDelta(clock ?? plain.replace(/h(\d+)$/, 'h$1m'))
  return parsed.ok && parsed.deltaMs > 0 ? parsed.deltaMs : undefined
}

function spanOf({ range, lengthMs, date }: Said, { defaultDate, zone, place }: QuickContext): SpanSaid | undefined {
  const day = date ?? defaultDate
  if (range) {
    const end = range.end === null ? null : instantAt(day, range.end, zone)
    return { start: instantAt(day, range.start, zone), end }
  }
  return lengthMs === undefined ? undefined : place(day, lengthMs)
}

interface SpanSaid {
  start: EpochMs
  end: EpochMs | null
}

/** Leave is planned: its weekday is the next one. Nobody plans to be sick. */
function absenceOf(said: Said, kind: AbsenceRecord['kind'], { today, defaultDate, zone }: QuickContext): QuickEntry {
  const named = said.date ?? defaultDate
  const date = said.isWeekday && kind !== 'sick' && named < today ? addDays(named, 7) : named
  const note = said.words.join(' ')
  const content = { ...blank(zone), kind, date, day_share: said.share ?? 1, tags: said.tags, note }
  return { ok: true, date, placed: false, content }
}

/** A project that is known, however many words it has; else the first word. The rest is the note. */
function projectAndNote({ project, words }: Said, known: readonly string[]) {
  if (project !== undefined) return { project, note: words.join(' ') }
  const text = words.join(' ')
  const fitting = known.filter((name) => `${text} `.toLowerCase().startsWith(`${name.toLowerCase()} `))
  const longest = fitting.sort((a, b) => b.length - a.length)[0]
  if (longest !== undefined) return { project: longest, note: text.slice(longest.length).trim() }
  const [first = null, ...rest] = words
  return { project: first, note: rest.join(' ') }
}

function blank(zone: ZoneName) {
  return { time_zone: zone, note: '', tags: [] as string[], project: null, source: null, import_ref: null }
}
