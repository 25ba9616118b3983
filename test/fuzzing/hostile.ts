import { DAY_MS, type Json } from '@saldo/core'
import type { Chance } from '../simulation/chance.ts'

export function pick<T>(chance: Chance, values: readonly T[]): T {
  return values[chance.below(values.length)] as T
}

/** True so many times in a hundred. */
export function percent(chance: Chance, share: number): boolean {
  return chance.fraction() * 100 < share
}

export const dates = [
  '2026-02-30', '2026-02-29', '2024-02-29', '1900-02-29', '2026-13-01', '2026-00-10', '2026-11-31', '0000-01-01', '0001-01-01',
  '9999-12-31', '10000-01-01', '-000001-01-01', '+002026-11-21', '20261121', '2026-1-2', '2026-11-21T00:00:00Z', '2026-11-21 ',
  '２０２６-11-20', '2011-12-30', '1752-09-03', '1899-12-31', '1900-01-01', '2026-11-21\n',
] // biome-ignore format: a table

export const weeks = [
  '2026-W53', '2026-W54', '2020-W53', '2026-W00', '0001-W01', '9999-W52', '9999-W53', '2026-W1', '2026W47', '2026-w47', '10000-W01',
] // biome-ignore format: a table

export const instants = [
  '2016-12-31T23:59:60Z', '2026-06-30T23:59:60.5Z', '2026-11-20T24:00:00Z', '2026-11-20T23:60:00Z', '2026-11-20T08:00Z',
  '2026-11-20T08:00:00', '2026-11-20 08:00:00Z', '2026-11-20T08:00:00+25:00', '2026-03-29T02:30:00+01:00', '2026-10-25T02:30:00+02:00',
  '0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999-23:59',
  '+275760-09-13T00:00:00Z', '1969-12-31T23:59:59.999Z', '2026-11-20T08:00:00.1234567890123Z', '2026-11-20t08:00:00z',
  '2026-11-20T08:00:00Z[Europe/Berlin]', '2026-02-30T08:00:00Z', '2026-11-20T08:00:00+00:60', '2026-11-21T12:01:00.001Z', '2026-11-21T12:00:59Z',
] // biome-ignore format: a table

export const zones = [
  '', 'Mars/Olympus', '+01:00', 'Z', 'utc', 'UTC', 'europe/berlin', 'Europe/Berlin ', 'Etc/GMT-14', 'Etc/GMT+12', 'Pacific/Apia', 'Factory',
  'localtime', '../UTC', 'America/Havana', 'Antarctica/Troll', 'Asia/Kathmandu', 'GMT0', 'EST5EDT', 'Africa/Casablanca', 'x'.repeat(65),
] // biome-ignore format: a table

/** Texts that somebody might take for more than text. */
export const texts = [
  '', ' ', 'x', '\0', 'a\0b', '\ud800', 'a\udfff', '\udc00\ud800', '\u2028', '\ufeff', '\u202e', '\x7f', '\x1b[2J', 'e\u0301\u0327', 'ﷺ', '🙂',
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'null', 'undefined', 'NaN', 'true', '0', '-1', '1e308', '%00', '%', '%zz',
  '../../../../etc/passwd', '..\\..\\', '<script>alert(1)</script>', `'; DROP TABLE records; --`, `' OR 1=1 --`, '\x24{7*7}', '{{7*7}}', '$(id)', '`id`',
  '\r\nset-cookie: a=b', 'http://169.254.169.254/', 'file:///etc/passwd', '*', 'W/"1"', '"', '\\', ',', ';', '=', '&', '?', '#', '/', 'a'.repeat(201),
  'a'.repeat(501), 'a'.repeat(5_001), '🙂'.repeat(5_000), 'ä€🙂'.repeat(30_000), '(a+)+$'.repeat(50), `${'a'.repeat(60_000)}!`,
] // biome-ignore format: a table

/** Numbers as JSON can write them, and JavaScript cannot say all of them. */
export const numbers = [
  '0', '-0', '1', '-1', '0.5', '-0.5', '1.000001', '5e-324', '1e308', '-1e308', '1e400', '-1e400', '2147483647', '2147483648', '-2147483649',
  '4294967296', '86400000', '86400001', '172800001', '9007199254740991', '-9007199254740991', '9007199254740992', '9223372036854775807',
  '9223372036854775808', '1E+2', '1.0', '0.1e1', '1e-7', '7'.repeat(400), `0.${'3'.repeat(400)}`,
] // biome-ignore format: a table

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const nestedObjects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

/** Other JSON, as text. */
const structures = [
  'null', 'true', 'false', '[]', '{}', '[[]]', '[null]', '{"":""}',
  nested(31), nested(32), nested(1_000), nestedObjects(33), nestedObjects(5_000),
  '{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}', '{"toString":1,"valueOf":2}', '{"a":1,"a":2}', '{"length":-1}',
  '{"then":1}', `[${Array(2_000).fill('0').join()}]`, `{${Array.from({ length: 1_000 }, (_, n) => `"k${n}":${n}`).join()}}`, '{"$ref":"#"}', '[1,"a",{}]',
] // biome-ignore format: a table

/** Texts that are not JSON. */
export const noJson = [
  '', ' ', '{', '}', '{"a":', '{"a":1,}', "{'a':1}", 'undefined', 'NaN', 'Infinity', '01', '+1', '.5', '1.', '"\\x41"', '"\\u12"', '"a\nb"', '{} {}',
  '\ufeff{}', '/* */{}', '[1,]', nested(50_000).slice(0, 50_000), '"', '\0', '{"a":1}}', 'tru',
] // biome-ignore format: a table

const daysAround = (chance: Chance, nowMs: number) => nowMs + (chance.below(60) - 45) * DAY_MS

/** A date that is one, in the weeks before now. */
export function someDate(chance: Chance, nowMs: number): string {
  return new Date(daysAround(chance, nowMs)).toISOString().slice(0, 10)
}

/** An instant that is one, in the weeks before now. */
export function someInstant(chance: Chance, nowMs: number): string {
  const ms = daysAround(chance, nowMs) + chance.below(DAY_MS)
  return new Date(percent(chance, 70) ? ms - (ms % 60_000) : ms).toISOString()
}

/** A JSON value, as text, that a field is not meant for. */
export function hostileJson(chance: Chance): string {
  const roll = chance.below(10)
  if (roll < 2) return pick(chance, numbers)
  if (roll < 4) return pick(chance, structures)
  if (roll < 7) return JSON.stringify(pick(chance, texts))
  if (roll < 8) return JSON.stringify(pick(chance, [...dates, ...weeks]))
  if (roll < 9) return JSON.stringify(pick(chance, instants))
  return JSON.stringify(pick(chance, zones))
}

/** A text that a field of a query or path is not meant for. */
export function hostileText(chance: Chance): string {
  const roll = chance.below(10)
  if (roll < 5) return pick(chance, texts)
  if (roll < 7) return pick(chance, numbers)
  if (roll < 8) return pick(chance, [...dates, ...weeks])
  if (roll < 9) return pick(chance, instants)
  return pick(chance, zones)
}

type Holder = Record<string, Json>

/** Every place of a value: what holds it, and its key or index. */
function placesOf(value: Json): [Holder, string][] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Holder
  return Object.keys(holder).flatMap((key) => [[holder, key] as [Holder, string], ...placesOf(holder[key] as Json)])
}

/** A value as JSON, changed in so many places: values replaced, fields removed, renamed, doubled or added. */
export function mutatedJson(chance: Chance, value: Json, times: number): string {
  const copy = structuredClone(value)
  const literals: string[] = []
  /** Stands for JSON that no value of JavaScript is written as. */
  const mark = (json: string) => `«${literals.push(json) - 1}»`
  for (let time = 0; time < times; time += 1) {
    const places = placesOf(copy)
    const [holder, key] = pick(chance, places.length > 0 ? places : [[{}, ''] as [Holder, string]])
    const roll = chance.below(10)
    if (roll < 6) set(holder, key, mark(hostileJson(chance)))
    else if (roll < 7) delete holder[key]
    else if (roll < 8 && !Array.isArray(holder)) {
      set(holder, mark(JSON.stringify(pick(chance, texts))), holder[key] as Json)
      delete holder[key]
    } else if (roll < 9 && Array.isArray(holder)) holder.push(structuredClone(holder[0]))
    else set(holder, mark(JSON.stringify(percent(chance, 50) ? key : pick(chance, texts))), mark(hostileJson(chance)))
  }
  const text = JSON.stringify(copy)
  return text.replaceAll(/"«(\d+)»"/g, (_all, index) => literals[Number(index)] as string)
}

/** Also names such as `__proto__` become fields of their own. */
function set(holder: Holder, key: string, value: Json): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}
