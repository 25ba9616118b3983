import { itemAt } from '@saldo/core'
import { durationAt } from '../../reading/durations.ts'
import { type Line, lineOf, type Match } from '../../reading/line.ts'
import { numberAt } from '../../reading/numbers.ts'
import { type PartOfDay, rangeAt } from '../../reading/times.ts'
import * as time from '../../reading/words.ts'
import {
  type Days,
  dateOrders,
  dayAt,
  dayNumberAt,
  daysAt,
  daysOfMonthAt,
  type PhraseDay,
  weeksAt,
} from '../../reading/written-days.ts'
import { type FoundPiece, isLetters, isWord, one, type PhrasePart, type Token } from './phrase-parts.ts'
import * as words from './words.ts'

/** Reads `Urlaub`, `off sick`, `50%`, `half a day`, `3 days`. */
export function absences(line: Line, at: number, before: Token | undefined): FoundPiece | undefined {
  const absence = line.phrase(at, words.ABSENCES)
  if (absence) {
    const { kinds, isNoted, isMaybe, isSick } = absence.value
    const text = line.slice(at, absence.next)
    const alternatives = kinds.map((kind): PhrasePart[] => [
      { is: 'absence', kind, note: isNoted ? text : '', ...(isMaybe && { isMaybe }), ...(isSick && { isSick }) },
    ])
    return { alternatives: isMaybe ? [...alternatives, [{ is: 'word', text }]] : alternatives, next: absence.next }
  }
  const isFor = line.text(at) === 'for' || line.text(at) === 'fuer'
  const number = numberAt(line, isFor ? at + 1 : at)
  if (number && line.text(number.next) === '%' && number.value > 0 && number.value <= 100) {
    return one({ is: 'share', share: number.value / 100 }, number.next + 1)
  }
  const share = line.phrase(at, words.SHARES)
  // The "a day" of "8 hours a day" is none.
  const isOfEach = before?.alternatives.some((parts) => parts.some(({ is }) => is === 'length' || is === 'range'))
  if (isOfEach && line.phrase(at, words.EACH)) return undefined
  const span = number && line.phrase(number.next, time.SPANS)
  if (span && number.value > 0 && !daysAt(line, at)) {
    if (number.value < 1) return one({ is: 'share', share: number.value }, span.next)
    return one({ is: 'span', count: number.value, unit: span.value }, span.next)
  }
  return share && one({ is: 'share', share: share.value }, share.next)
}

/** Reads days with their part of the day, a part of the day alone, and what looks like a week and is none. */
export function dates(line: Line, at: number, before: Token | undefined): FoundPiece | undefined {
  const excepted = exceptedAt(line, at) ?? nearDaysAt(line, at)
  if (excepted) return excepted
  const each = line.phrase(at, words.EACH)
  const isOfWord =
    words.RISKY_EACH.has(line.slice(at, each?.next ?? at).toLowerCase()) && isLetters(line, each?.next ?? at)
  if (each && !(isOfWord && !daysAt(line, each.next))) return eachDay(line, at, each.next)
  const listed = daysOfMonthAt(line, at)
  if (listed) {
    const [from, to] = listed.value
    const isPair = listed.value.length === 2 && line.slice(at, listed.next).includes('/') && isNextDay(from, to)
    const all = listed.value.map((day): PhrasePart => ({ is: 'dates', days: { from: day, to: day } }))
    return { alternatives: [isPair && from && to ? [{ is: 'dates', days: { from, to } }] : all], next: listed.next }
  }
  const inMonth = listedInMonthAt(line, at) ?? listedBeforeMonthAt(line, at, before)
  if (inMonth) return inMonth
  const pair = pairAt(line, at)
  if (pair) return pair
  const spaced = spacedDateAt(line, at)
  if (spaced) return spaced
  const weeks = weeksAt(line, at)
  if (weeks) return { alternatives: [weeks.value.map((days) => ({ is: 'dates', days }))], next: weeks.next }
  const days = daysAt(line, at)
  if (days) {
    const inDay = partOfDayAt(line, days.next) ?? partInDay(line, at, days.next)
    const isNight = line.phrase(at, time.LAST_NIGHTS)?.next === days.next
    const part: PhrasePart = { is: 'dates', days: days.value, ...(isNight && { isNight }) }
    return { alternatives: [inDay ? [part, inDay.value] : [part]], next: inDay?.next ?? days.next }
  }
  const part = partOfDayAt(line, at)
  if (part) {
    const isFollowed = isLetters(line, part.next)
    const isNoun = part.next === at + 1 && words.PARTS_AS_NOUNS.has(line.text(at))
    const isNote = isFollowed && (isNoun || isWord(before))
    return one(isNote ? { is: 'word', text: part.value.text } : { ...part.value, isName: isNoun }, part.next)
  }
  const isNoWeek = ['kw', 'cw'].includes(line.text(at)) && line.digits(at + 1, 1, 4) !== undefined
  return isNoWeek ? one({ is: 'noDate' }, at + 2) : undefined
}

/** In "Mo 3. Stock", where the number is not that of the weekday, it is of the word behind it. */
export function beforeOrdinal(line: Line, days: Days, next: number): PhrasePart[] | undefined {
  const day = 'to' in days ? days.to : undefined
  if (day?.is !== 'date' || day.weekday === undefined || day.month !== undefined || !isLetters(line, next)) {
    return undefined
  }
  const weekday: PhraseDay = { is: 'weekday', weekday: day.weekday }
  return [
    { is: 'dates', days: { from: weekday, to: weekday } },
    { is: 'word', text: line.slice(next - 2, next) },
  ]
}

/** Reads `7. 8.`, a date or two days. */
function spacedDateAt(line: Line, at: number): FoundPiece | undefined {
  const from = line.skip(at, time.ON)
  const found = line.match(from, /(\d\d?)\. (\d\d?)\.(?! ?(?:\d\d?\.(?!\d)|\d{4}))/y)
  const [, first = '', second = ''] = found?.value ?? []
  const date = daysAt(lineOf(`${first}.${second}.`), 0)
  if (!found || !date || isLetters(line, found.next)) return undefined
  const days = [first, second].map((day): PhrasePart => {
    const number: PhraseDay = { is: 'date', day: Number(day) }
    return { is: 'dates', days: { from: number, to: number } }
  })
  return { alternatives: [[{ is: 'dates', days: date.value }], days], next: found.next }
}

/**
 * Reads `the last 3 days`, `die letzten zwei Wochen` and `next 2 weeks`: days that end or begin with today or beside
 * it, or whole weeks.
 */
function nearDaysAt(line: Line, at: number): FoundPiece | undefined {
  const last = line.phrase(at, time.LAST_SPANS)
  const opened = last ?? line.phrase(at, time.NEXT_SPANS)
  const count = opened && numberAt(line, opened.next)
  const span = count && line.phrase(count.next, time.SPANS)
  // The next three days of a vacation are working days.
  const isAhead = !last && span?.value === 'day'
  if (!span || isAhead || !Number.isInteger(count.value) || count.value < 2) return undefined
  const sign = last ? -1 : 1
  const near = (from: number, to: number): PhrasePart[] => {
    const [first, end] = [from, to]
      .toSorted((a, b) => a - b)
      .map((days): PhraseDay => ({ is: 'days', from: days, isCounted: true }))
    return first && end ? [{ is: 'dates', days: { from: first, to: end } }] : []
  }
  if (span.value === 'day') return { alternatives: [near(1 - count.value, 0), near(-count.value, -1)], next: span.next }
  const weeks = Array.from({ length: count.value }, (_, index) => sign * (index + 1)).toSorted((a, b) => a - b)
  const whole = weeks.map((week): PhrasePart => ({ is: 'dates', days: { week } }))
  return { alternatives: [whole, near(sign * (7 * count.value - 1), 0)], next: span.next }
}

/** Reads `Nov 16, 17 and 19`: days behind the month that they share. */
function listedInMonthAt(line: Line, at: number): FoundPiece | undefined {
  const month = line.phrase(line.skip(at, time.ON), time.MONTHS)
  const first = month && dayNumberAt(line, month.next)
  if (!month || first?.value.is !== 'date') return undefined
  const days = [first.value.day]
  let next = first.next
  let last = first.next
  for (let more = nextNumberAt(line, next); more && more.value > itemAt(days, -1); more = nextNumberAt(line, next)) {
    days.push(more.value)
    last = next
    next = more.next
  }
  // In "vacation Dec 7, 8" the second number can be a length.
  if (days.length < 3 && !(days.length === 2 && time.AND.has(line.text(next - 2)))) return undefined
  const all = days.map((day): PhrasePart => {
    const date: PhraseDay = { is: 'date', day, month: month.value }
    return { is: 'dates', days: { from: date, to: date } }
  })
  const isTime = (rangeAt(line, next) ?? line.phrase(next, time.OPENERS)) !== undefined
  // In "Nov 16 and 17 tickets" the last number counts something.
  const isCount = isLetters(line, next) && !isTime
  const word: PhrasePart = { is: 'word', text: line.slice(behindJoin(line, last), next) }
  return { alternatives: isCount ? [all, [...all.slice(0, -1), word]] : [all], next }
}

/** Reads the `, 17` and `and 19` of a list: a number that is no time or length. */
function nextNumberAt(line: Line, at: number): Match<number> | undefined {
  const joined = behindJoin(line, at)
  const number = joined === at ? undefined : dayNumberAt(line, joined)
  if (number?.value.is !== 'date' || !line.isEnd(number.next)) return undefined
  if (rangeAt(line, joined) ?? durationAt(line, joined) ?? dayAt(line, joined)) return undefined
  return { value: number.value.day, next: number.next }
}

/** The index behind a comma, an "and" or both, or the same index. */
function behindJoin(line: Line, at: number): number {
  return line.skip(line.text(at) === ',' ? at + 1 : at, time.AND)
}

/** Reads `16 and 17 Nov`, `16, 17 und 18. November`, `Mon 7, Tue 8 Dec`: days before the month that they share. */
function listedBeforeMonthAt(line: Line, at: number, before: Token | undefined): FoundPiece | undefined {
  const days: { day: number; weekday?: number }[] = []
  let next = at
  for (;;) {
    const named = line.phrase(next, time.WEEKDAYS)
    const number = line.digits(named?.next ?? next, 1, 2)
    if (number === undefined) return undefined
    const date = dayAt(line, next)
    if (date?.value.is === 'date' && date.value.month !== undefined && line.phrase(date.next - 1, time.MONTHS)) {
      const { weekday: _, ...last } = date.value
      const isListed = days.length > 1 || time.AND.has(line.text(next - 1)) || days[0]?.weekday !== undefined
      if (days.length === 0 || !isListed || !isRising([...days.map(({ day }) => day), last.day])) return undefined
      const dates = [...days.map((each) => ({ ...last, ...each })), date.value]
      const all = dates.map((each): PhrasePart => ({ is: 'dates', days: { from: each, to: each } }))
      const word: PhrasePart = { is: 'word', text: line.slice(at, next) }
      return { alternatives: isWord(before) ? [all, [word, ...all.slice(-1)]] : [all], next: date.next }
    }
    const end = (named?.next ?? next) + 1
    const joined = behindJoin(line, end)
    if (joined === end) return undefined
    days.push({ day: Number(number), ...(named && { weekday: named.value }) })
    next = joined
  }
}

const isRising = (days: readonly number[]) => days.every((day, index) => day > (days[index - 1] ?? 0) && day <= 31)

/** Reads `Mi/Do` and `18.11./19.11.`, of which one can mean the night between. */
function pairAt(line: Line, at: number): FoundPiece | undefined {
  const from = dayAt(line, at)
  const slash = from && line.text(from.next) === '/' && line.isGlued(from.next) ? from.next + 1 : undefined
  const to = slash && line.isGlued(slash) ? dayAt(line, slash) : undefined
  if (!from || !to || !isNextDay(from.value, to.value)) return undefined
  return one({ is: 'dates', days: { from: from.value, to: to.value } }, to.next)
}

/** True for two days of which one can mean the night between. */
function isNextDay(from: PhraseDay | undefined, to: PhraseDay | undefined): boolean {
  if (from?.is === 'weekday' && to?.is === 'weekday' && !from.week && !to.week)
    return (from.weekday + 1) % 7 === to.weekday
  return from?.is === 'date' && to?.is === 'date' && from.month === to.month && from.day + 1 === to.day
}

/** Days behind which "Morgen" is the morning. */
const MORNING_DAYS: readonly ReadonlyMap<string, unknown>[] = [
  time.phraseSet('heute, gestern, vorgestern'),
  time.WEEKDAYS,
]

type PartOfDayPart = Extract<PhrasePart, { is: 'partOfDay' }>

function partOfDayAt(line: Line, at: number): Match<PartOfDayPart> | undefined {
  // The "Morgen" of "gestern Morgen" and "Montag Morgen" is not tomorrow.
  const isMorning = line.text(at) === 'morgen' && MORNING_DAYS.some((days) => days.has(line.text(at - 1)))
  const found = isMorning ? { value: 'morning' as const, next: at + 1 } : line.phrase(at, time.PARTS_OF_DAY)
  if (!found) return undefined
  const isHalf = found.value !== 'night' && line.text(found.next - 1) !== 'frueh'
  return { value: { is: 'partOfDay', part: found.value, isHalf, text: line.slice(at, found.next) }, next: found.next }
}

/** Reads `außer Mittwoch`, `except Mon and Wed`, `aber nicht am 24.12.`. */
function exceptedAt(line: Line, at: number): FoundPiece | undefined {
  const named = line.phrase(at, words.EXCEPT)
  const days = named && listedDaysAt(line, named.next)
  return days && one({ is: 'except', days: days.value }, days.next)
}

function listedDaysAt(line: Line, at: number): Match<Days[]> | undefined {
  const first = daysAt(line, at)
  if (!first || !line.isEnd(first.next)) return undefined
  const joined = line.text(first.next) === ',' ? first.next + 1 : line.skip(first.next, time.AND)
  const more = joined > first.next ? listedDaysAt(line, joined) : undefined
  return { value: [first.value, ...(more?.value ?? [])], next: more?.next ?? first.next }
}

/** A "daily" is also a meeting. */
function eachDay(line: Line, at: number, next: number): FoundPiece {
  const text = line.slice(at, next)
  const isMeeting = time.fold(text) === 'daily'
  return { alternatives: [[{ is: 'each' }], ...(isMeeting ? [[{ is: 'word', text } as const]] : [])], next }
}

/** The part of the day of words that name it with the day. */
const PARTS_IN_DAYS: Record<string, PartOfDay> = { tonight: 'evening', 'last night': 'night', 'letzte nacht': 'night' }

function partInDay(line: Line, at: number, next: number): Match<PartOfDayPart> | undefined {
  const text = line.slice(at, next)
  const part = PARTS_IN_DAYS[time.fold(text)]
  return part && { value: { is: 'partOfDay', part, isHalf: part !== 'night', text }, next }
}

/** Behind slashes, the order of day and month is not the same everywhere, but the same in all of a range. */
export function slashedDates(line: Line, at: number, before: Token | undefined): FoundPiece | undefined {
  const ways = dateOrders.flatMap((order) => daysAt(line, at, order) ?? [])
  const next = Math.max(at, ...ways.map((way) => way.next))
  const whole = ways.filter((way) => way.next === next)
  const opened = line.skip(line.skip(line.skip(at, time.SINCE), time.UNTIL), time.ON)
  const short = line.match(opened, /\d\d?\/\d\d?(?![\d/.])/y)?.value[0]
  // Parts of a whole and of a week are no dates.
  const isShort = short !== undefined && !/^(?:[13]\/[24]|2\/3|24\/7)$/.test(short)
  const text = line.slice(at, next)
  if (next === at || !(isShort || /\d[-/]\d\d?[-/]\d{4}|\d\/\d\d?\/\d\d(?!\d)/.test(text))) return undefined
  const isInNote = isWord(before) || isLetters(line, next)
  const word: PhrasePart[][] = isShort && isInNote ? [[{ is: 'word', text }]] : []
  return { alternatives: [...whole.map(({ value }): PhrasePart[] => [{ is: 'dates', days: value }]), ...word], next }
}
