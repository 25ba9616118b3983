import type { EpochMs } from '@saldo/core'
import type { ReadBudget } from '../budget.ts'
import { propertiesOf } from './ical-lines.ts'
import { LAST_YEAR, lastYearBy, MOST_OCCURRENCES, readRule, timesOf } from './ical-rules.ts'
import {
  type CalendarEvent,
  type CalendarTime,
  EventError,
  type Length,
  lengthFrom,
  lengthUpTo,
  MAX_DURATION_MS,
  msOf,
  placed,
  placedAs,
  soundValue,
  timeOf,
  timesIn,
  valuesOf,
} from './ical-times.ts'
import { type CalendarZone, utc } from './ical-zones.ts'

/** An occurrence that has a row of its own. */
export interface Exception {
  event: CalendarEvent
  id: CalendarTime
  /** True if the occurrences after it change as it does. */
  isForFuture: boolean
}

export interface Occurrence {
  start: CalendarTime
  length: Length
}

/**
 * Returns the recurrence set of RFC 5545, section 3.8.5: the start, all rules and dates, each instant once, without the
 * excluded ones.
 */
export function occurrencesOf(
  event: CalendarEvent,
  start: CalendarTime,
  length: Length,
  nowMs: EpochMs,
  budget: ReadBudget,
): Occurrence[] {
  const { component } = event
  const rules = propertiesOf(component, 'RRULE').map((line) => readRule(soundValue(line), budget))
  const endMs = rules.every(({ hasEnd }) => hasEnd) ? Number.POSITIVE_INFINITY : nowMs
  const found = new Map<EpochMs, Occurrence>([[start.ms, { start, length }]])
  for (const rule of rules) {
    for (const one of timesByRule(rule, start, endMs, nowMs, budget)) found.set(one.ms, { start: one, length })
  }
  for (const one of datesOf(event, start, length, budget)) found.set(one.start.ms, one)
  for (const line of propertiesOf(component, 'EXRULE')) {
    for (const { ms } of timesByRule(readRule(soundValue(line), budget), start, nowMs, nowMs, budget)) found.delete(ms)
  }
  const excluded = propertiesOf(component, 'EXDATE').flatMap((line) => timesIn(event, line, start.zone, budget))
  return without([...found.values()], excluded, start.zone).sort((a, b) => a.start.ms - b.start.ms)
}

function* timesByRule(
  rule: ReturnType<typeof readRule>,
  start: CalendarTime,
  endMs: EpochMs,
  nowMs: EpochMs,
  budget: ReadBudget,
): Generator<CalendarTime> {
  const lastYear = rule.hasEnd ? LAST_YEAR : lastYearBy(nowMs)
  const { until } = rule
  const untilMs = until ? placed(until.local, until.isUtc ? utc : start.zone).ms : Number.POSITIVE_INFINITY
  let count = 0
  for (const local of timesOf(rule, start.local, lastYear, budget)) {
    const time = placed(local, start.zone)
    if (time.ms > Math.min(untilMs, endMs) || count >= MOST_OCCURRENCES) return
    count += 1
    yield time
  }
}

/** Returns the occurrences that `RDATE` adds. A period has a length of its own, a date the time of the start. */
function datesOf(event: CalendarEvent, start: CalendarTime, length: Length, budget: ReadBudget): Occurrence[] {
  return propertiesOf(event.component, 'RDATE').flatMap((line) =>
    valuesOf(line, budget).map((value): Occurrence => {
      const [from = '', to] = value.split('/')
      const at = timeOf(event, from, line.parameters.TZID, start.zone)
      if (at.isDate) return { start: placed(at.local.slice(0, 11) + start.local.slice(11), start.zone), length }
      if (to === undefined) return { start: at, length }
      const isLength = /^[+-]?P/i.test(to.trim())
      const own = isLength ? lengthFrom(to) : lengthUpTo(at, timeOf(event, to, line.parameters.TZID, start.zone))
      if (Math.abs(msOf(own)) > MAX_DURATION_MS) throw new EventError('too_long')
      return { start: at, length: own }
    }),
  )
}

/** Leaves out the occurrences that have a row of their own. */
export function withoutReplaced(
  occurrences: readonly Occurrence[],
  exceptions: readonly Exception[],
  zone: CalendarZone | undefined,
): Occurrence[] {
  return without(
    occurrences,
    exceptions.map(({ id }) => (id.zone ? id : placedAs(id, zone))),
    zone,
  )
}

/** Leaves out the occurrences at some instants or, where one is a date, on that date. */
function without(
  occurrences: readonly Occurrence[],
  excluded: readonly CalendarTime[],
  zone: CalendarZone | undefined,
): Occurrence[] {
  const instants = new Set(excluded.filter(({ isDate }) => !isDate).map((time) => placedAs(time, zone).ms))
  const dates = new Set(excluded.filter(({ isDate }) => isDate).map(({ local }) => local.slice(0, 10)))
  return occurrences.filter(({ start }) => !instants.has(start.ms) && !dates.has(start.local.slice(0, 10)))
}
