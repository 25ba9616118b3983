import {
  type DurationMs,
  type EpochMs,
  HOUR_MS,
  instantOf,
  isZone,
  itemAt,
  MINUTE_MS,
  SECOND_MS,
  utcDate,
  type ZoneName,
} from '@saldo/core'
import type { ReadBudget } from '../budget.ts'
import { UnreadableFileError } from '../file.ts'
import { resolveLocal } from '../local-time.ts'
import { type CalendarComponent, propertiesOf, propertyOf } from './ical-lines.ts'
import { LAST_YEAR, type RepetitionRule, readRule, timesOf } from './ical-rules.ts'
import { windowsZones } from './windows-zones.ts'

/** The zone of a time: of the IANA database, a fixed offset, or one that the file defines by `VTIMEZONE`. */
export type CalendarZone = { name: ZoneName } | { offsetMs: DurationMs } | FileZone

export const utc: CalendarZone = { offsetMs: 0 }

/** Returns the instant of a local time such as `2026-01-05T08:00:00`, which RFC 5545 reads as `resolveLocal` does. */
export function instantIn(local: string, zone: CalendarZone): EpochMs {
  const localMs = Date.parse(`${local}Z`)
  if ('offsetMs' in zone) return localMs - zone.offsetMs
  if (zone instanceof FileZone) return localMs - zone.offsetAt(localMs)
  const date = utcDate(localMs)
  return resolveLocal(date, localMs - Date.parse(date), zone.name).firstMs
}

/** Returns what a clock on the wall shows at an instant, such as `2026-01-05T08:00:00`. */
export function localIn(ms: EpochMs, zone: CalendarZone): string {
  if ('name' in zone) {
    const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone.name).toPlainDateTime()
    return local.toString({ smallestUnit: 'second' })
  }
  const offsetMs = zone instanceof FileZone ? zone.offsetAt(ms + zone.offsetAt(ms)) : zone.offsetMs
  return instantOf(ms + offsetMs).slice(0, 19)
}

/** The zones that the times of a calendar name. */
export class CalendarZones {
  readonly #definitions = new Map<string, CalendarComponent>()
  readonly #zones = new Map<string, CalendarZone | undefined>()
  readonly #budget: ReadBudget

  constructor(definitions: readonly CalendarComponent[], budget: ReadBudget) {
    for (const definition of definitions) {
      const id = propertyOf(definition, 'TZID')?.value.trim()
      if (id !== undefined && !this.#definitions.has(id)) this.#definitions.set(id, definition)
    }
    this.#budget = budget
  }

  /** Returns the zone of a name; `undefined` if nobody knows it and the file does not define it. */
  named(id: string): CalendarZone | undefined {
    if (!this.#zones.has(id)) this.#zones.set(id, this.#find(id))
    return this.#zones.get(id)
  }

  #find(id: string): CalendarZone | undefined {
    if (isZone(id)) return { name: id }
    const definition = this.#definitions.get(id)
    return (definition && zoneOf(definition, this.#budget)) ?? knownZone(id)
  }
}

/** A change of the clocks, again and again: onsets are local times before the change, as milliseconds of UTC. */
interface Observance {
  fromMs: DurationMs
  toMs: DurationMs
  /** The onsets that the file lists, and those of the rule that were found; both in order. */
  listed: readonly EpochMs[]
  found: EpochMs[]
  /** The onsets that are still to be found, in order. */
  more: Iterator<string, undefined>
  /** The last onset that was found, infinite if there are no more. */
  reached: EpochMs
  until: EpochMs
}

/** A zone that a file defines. */
export class FileZone {
  readonly #observances: readonly Observance[]
  /** The offset before the first change. */
  readonly #firstMs: DurationMs

  constructor(observances: readonly Observance[]) {
    this.#observances = observances
    const [first] = observances.toSorted((a, b) => (a.listed[0] ?? 0) - (b.listed[0] ?? 0))
    this.#firstMs = first?.fromMs ?? 0
  }

  /** Returns the offset from UTC of a local time. Of a time that comes twice it is the first one. */
  offsetAt(localMs: EpochMs): DurationMs {
    let latest: { onset: EpochMs; observance: Observance } | undefined
    for (const observance of this.#observances) {
      findOnsets(observance, localMs)
      const onset = later(lastUpTo(observance.listed, localMs), lastUpTo(observance.found, localMs))
      if (onset !== undefined && (!latest || onset > latest.onset)) latest = { onset, observance }
    }
    if (latest) {
      const { onset, observance } = latest
      const isSkipped = localMs < onset + observance.toMs - observance.fromMs
      return isSkipped ? observance.fromMs : observance.toMs
    }
    return this.#firstMs
  }
}

function later(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one
}

/** Returns the last of ordered numbers that is not beyond another one. */
function lastUpTo(ordered: readonly number[], most: number): number | undefined {
  let [from, to] = [0, ordered.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (itemAt(ordered, middle) <= most) from = middle + 1
    else to = middle
  }
  return from === 0 ? undefined : ordered[from - 1]
}

function findOnsets(observance: Observance, localMs: EpochMs): void {
  while (observance.reached <= localMs) {
    const next = observance.more.next()
    const onset = next.done ? Number.POSITIVE_INFINITY : Date.parse(`${next.value}Z`)
    observance.reached = onset > observance.until ? Number.POSITIVE_INFINITY : onset
    if (observance.reached === Number.POSITIVE_INFINITY) return
    observance.found.push(onset)
  }
}

/** The year from which the clock changes of a zone are looked for that has the same ones each year. */
const FIRST_YEAR = '1970'

/** Two a year, for longer than there are clock changes. */
const MAX_OBSERVANCES = 500

/** Returns the zone that a file defines; `undefined` if the definition cannot be read. */
function zoneOf(definition: CalendarComponent, budget: ReadBudget): CalendarZone | undefined {
  const parts = definition.components.filter(({ name }) => name === 'STANDARD' || name === 'DAYLIGHT')
  if (parts.length > MAX_OBSERVANCES) return undefined
  try {
    const observances = parts.map((part) => observanceOf(part, budget))
    return observances.length === 0 ? undefined : new FileZone(observances)
  } catch (error) {
    if (error instanceof UnreadableFileError || !(error instanceof Error)) throw error
    return undefined
  }
}

function observanceOf(part: CalendarComponent, budget: ReadBudget): Observance {
  const [fromMs, toMs] = [offsetOf(part, 'TZOFFSETFROM'), offsetOf(part, 'TZOFFSETTO')]
  const start = localOf(propertyOf(part, 'DTSTART')?.value ?? '')
  const dates = propertiesOf(part, 'RDATE').flatMap(({ value }) => value.split(','))
  budget.spend('calendarSteps', dates.length)
  const listed = [start, ...dates.map(localOf)].map((local) => Date.parse(`${local}Z`)).sort((a, b) => a - b)
  const [rule] = propertiesOf(part, 'RRULE').map(({ value }) => readRule(value, budget))
  const reached = Number.NEGATIVE_INFINITY
  return { fromMs, toMs, listed, found: [], more: onsetsOf(rule, start, budget), reached, until: untilOf(rule, fromMs) }
}

function* onsetsOf(rule: RepetitionRule | undefined, start: string, budget: ReadBudget): Generator<string, undefined> {
  if (!rule) return undefined
  const { freq, interval, count } = rule.recur
  // Some programs begin in the year 1 or 1601: each year is the same.
  const isEachYear = freq === 'YEARLY' && interval === 1 && !count
  const from = isEachYear && start < FIRST_YEAR ? FIRST_YEAR + start.slice(4) : start
  for (const local of timesOf(rule, from, LAST_YEAR, budget)) if (local > start) yield local
  return undefined
}

function untilOf(rule: RepetitionRule | undefined, fromMs: DurationMs): EpochMs {
  if (!rule?.until) return Number.POSITIVE_INFINITY
  const { local, isUtc } = rule.until
  return Date.parse(`${local}Z`) + (isUtc ? fromMs : 0)
}

function localOf(text: string): string {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/.exec(text.trim()) ?? []
  if (year === undefined) throw new Error(`${text} is no time`)
  return `${year}-${month}-${day}T${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}`
}

function offsetOf(part: CalendarComponent, name: string): DurationMs {
  const offsetMs = readOffset(propertyOf(part, name)?.value ?? '')
  if (offsetMs === undefined) throw new Error(`there is no ${name}`)
  return offsetMs
}

/** Returns an offset from UTC, such as `+0100`, `-05:00` or `+2`. */
function readOffset(text: string): DurationMs | undefined {
  const [, sign, hours, minutes = '0', seconds = '0'] =
    /^([+-\u2212])(\d{1,2})(?::?(\d\d))?(?::?(\d\d))?$/.exec(text.trim()) ?? []
  if (hours === undefined) return undefined
  const ms = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS
  return sign === '+' ? ms : -ms
}

/** Words of Windows and Exchange for regions without a city of the IANA database, and the letters of other programs. */
const regions: readonly [RegExp, ZoneName][] = [
  [/^(coordinated universal time|utc|z|gmt|zulu|tzone:\/\/microsoft\/utc)$/, 'UTC'],
  [/^(greenwich mean time|edinburgh|bst$)/, 'Europe/London'],
  [/^(mez|mesz|cest|central europe|mitteleurop|w\. europe|west-?europ)/, 'Europe/Berlin'],
  [/^romance|^romanische/, 'Europe/Paris'],
  [/^(eastern|edt$|us.?eastern$)/, 'America/New_York'],
  [/^indiana/, 'America/Indiana/Indianapolis'],
  [/^central america/, 'America/Guatemala'],
  [/^(central time|central \(|central$|cst$|cdt$)/, 'America/Chicago'],
  [/^(mountain|mdt$)/, 'America/Denver'],
  [/^(pacific time|pacific \(|pacific$|pst$|pdt$)/, 'America/Los_Angeles'],
  [/^(atlantic time|atlantic \(|atlantic$|adt$)/, 'America/Halifax'],
  [/^newfoundland/, 'America/St_Johns'],
  [/^saskatchewan/, 'America/Regina'],
  [/^arizona/, 'America/Phoenix'],
  [/^alaska/, 'America/Anchorage'],
  [/^hawaii/, 'Pacific/Honolulu'],
  [/^baja california/, 'America/Tijuana'],
  [/^brasilia/, 'America/Sao_Paulo'],
  [/^greenland/, 'America/Nuuk'],
  [/^(cape verde|cabo verde)/, 'Atlantic/Cape_Verde'],
  [/^(chennai|mumbai|new delhi)/, 'Asia/Kolkata'],
  [/^sri jayawardenepura/, 'Asia/Colombo'],
  [/^(beijing|chongqing)/, 'Asia/Shanghai'],
  [/^(osaka|sapporo)/, 'Asia/Tokyo'],
  [/^(canberra)/, 'Australia/Sydney'],
  [/^(wellington)/, 'Pacific/Auckland'],
  [/^fiji/, 'Pacific/Fiji'],
  [/^midway island/, 'Pacific/Midway'],
  [/^international date line west/, 'Etc/GMT+12'],
  [/^solomon/, 'Pacific/Guadalcanal'],
  [/^islamabad/, 'Asia/Karachi'],
  [/^abu dhabi/, 'Asia/Dubai'],
  [/^ekaterinburg/, 'Asia/Yekaterinburg'],
  [/^(pretoria|harare)/, 'Africa/Johannesburg'],
  [/^west central africa/, 'Africa/Lagos'],
  [/^(bern|stockholm)\b/, 'Europe/Berlin'],
]

let byWindowsName: Map<string, ZoneName> | undefined
let byCity: Map<string, ZoneName> | undefined

/** No program writes a longer name, even one that lists cities. */
const MAX_ZONE_CHARACTERS = 200

/** Returns the zone that programs mean by a name that is not one of the IANA database; `undefined` if nobody knows. */
function knownZone(id: string): CalendarZone | undefined {
  if (id.length > MAX_ZONE_CHARACTERS) return undefined
  const name = id.replaceAll('"', '').trim()
  const offsetMs = readOffset(name.replace(/^\(?(?:UTC|GMT)\s*/i, '').replace(/\)$/, ''))
  if (offsetMs !== undefined) return { offsetMs }
  const zone = ianaWithin(name) ?? windowsZone(name)
  return zone === undefined ? undefined : { name: zone }
}

/** Returns the name of the IANA database at the end of a path, such as `/mozilla.org/20050126_1/Europe/Berlin`. */
function ianaWithin(name: string): ZoneName | undefined {
  const parts = name
    .replaceAll(' ', '_')
    .replace(/[_-]?\d{1,3}$/, '')
    .split('/')
    .filter(Boolean)
  return [3, 2, 1]
    .filter((count) => count <= parts.length && (count > 1 || parts.length === 1))
    .map((count) => parts.slice(-count).join('/'))
    .find((path) => isZone(path))
}

function windowsZone(name: string): ZoneName | undefined {
  byWindowsName ??= new Map(
    windowsZones
      .trim()
      .split('\n')
      .map((line) => line.trim().split(': '))
      .flatMap(([zone = '', names = '']) => names.split(' | ').map((one) => [one.toLowerCase(), zone] as const)),
  )
  byCity ??= new Map(
    Intl.supportedValuesOf('timeZone').map((zone) => [zone.slice(zone.lastIndexOf('/') + 1).toLowerCase(), zone]),
  )
  const plain = name
    .toLowerCase()
    .replace(/^\((?:utc|gmt)[^)]*\)\s*/, '')
    .replace(/ - new$/, '')
  const ofWindows = byWindowsName.get(plain.replace(/ (?:standard|daylight|summer) time(?=$| )/, ''))
  if (ofWindows !== undefined) return ofWindows
  for (const part of [plain, ...plain.split(/[,;:&]| and /).map((one) => one.trim())]) {
    const found = regions.find(([words]) => words.test(part))?.[1] ?? byCity.get(part.replaceAll(' ', '_'))
    if (found !== undefined && isZone(found)) return found
  }
  return undefined
}
