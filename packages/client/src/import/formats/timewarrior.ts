import { type EpochMs, fieldOf, isJsonObject, itemsOf } from '@saldo/core'
import type { ReadBudget } from '../budget.ts'
import { type FileRow, MAX_TAGS, newRow } from '../file.ts'

const INTERVAL = /^inc (\d{8}T\d{6}Z)(?: - (\d{8}T\d{6}Z))?(?: # ?(.*))?$/

/** True for a data file of Timewarrior, whose lines are intervals. */
export function isTimewarriorData(text: string): boolean {
  return /^inc \d{8}T\d{6}Z/m.test(text)
}

/** True for what `timew export` prints. */
export function isTimewarriorJson(json: unknown): boolean {
  const start = fieldOf(itemsOf(json)[0], 'start')
  return typeof start === 'string' && /^\d{8}T\d{6}Z$/.test(start)
}

/** Reads the lines of a data file: `inc start - end # tags # "annotation"`. */
export function readTimewarriorData(text: string, budget: ReadBudget): FileRow[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    budget.spend('rows')
    const [matched, start, end, rest = ''] = INTERVAL.exec(line.trim()) ?? []
    const row = newRow(index + 1)
    if (matched === undefined || start === undefined) return [{ ...row, skip: 'invalid_record' as const }]
    const { tags, note } = splitRest(rest)
    return [rowOf(row, start, end, tags, note)]
  })
}

/** Reads the array that `timew export` prints. */
export function readTimewarriorJson(json: unknown, budget: ReadBudget): FileRow[] {
  const intervals = itemsOf(json)
  budget.spend('rows', intervals.length)
  return intervals.map((interval, index) => {
    const row = newRow(index + 1)
    if (!isJsonObject(interval)) return { ...row, skip: 'invalid_record' as const }
    const { start, end, tags, annotation } = interval
    return rowOf(
      row,
      String(start),
      typeof end === 'string' ? end : undefined,
      Array.isArray(tags) ? tags.map(String) : [],
      typeof annotation === 'string' ? annotation : '',
    )
  })
}

function rowOf(row: FileRow, start: string, end: string | undefined, tags: string[], note: string): FileRow {
  const [startMs, endMs] = [instantOf(start), end === undefined ? undefined : instantOf(end)]
  if (startMs === undefined) return { ...row, skip: 'invalid_time' }
  return { ...row, start: { at: startMs }, ...(endMs !== undefined && { end: { at: endMs } }), tags, note }
}

/** Splits the tags, of which some are quoted, from the annotation behind the second #. */
function splitRest(rest: string): { tags: string[]; note: string } {
  const tags: string[] = []
  let at = 0
  const word = /\s*(?:"((?:[^"\\]|\\.)*)"|(\S+))/y
  for (;;) {
    word.lastIndex = at
    const [whole, quoted, plain = ''] = word.exec(rest) ?? []
    if (whole === undefined) return { tags, note: '' }
    at += whole.length
    if (plain === '#') return { tags, note: unquote(rest.slice(at).trim()) }
    if (tags.length < MAX_TAGS) tags.push(quoted === undefined ? plain : unescapeQuotes(quoted))
  }
}

function unquote(text: string): string {
  return /^".*"$/.test(text) ? unescapeQuotes(text.slice(1, -1)) : text
}

function unescapeQuotes(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1')
}

/** Returns an instant in the basic form of ISO 8601, `20260105T080000Z`. */
function instantOf(text: string): EpochMs | undefined {
  const extended = text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  const ms = Date.parse(extended)
  return Number.isNaN(ms) ? undefined : ms
}
