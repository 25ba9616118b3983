import type { InputError } from './errors.ts'

/** Any value that JSON can represent. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
/** A JSON object. */
export type JsonObject = { [key: string]: Json }

/** True if a parsed JSON value is an object: not null and not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True if two JSON values are deeply equal; the order of an object's keys does not count. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => jsonEqual(item, b[index]))
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key]))
}

const MAX_DEPTH = 32
const MAX_KEYS = 1_000
/** Keys that access the prototype of an object; validators drop them silently. */
const RESERVED_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Returns the first error where `value` cannot be kept exactly by every store and client (D1.11 to D1.14): text with a
 * lone surrogate or NUL, a number that a double cannot hold exactly, a reserved key, a key with a backslash (V8 can
 * confuse an escaped key with an earlier one, nodejs/node#63785), nesting deeper than 32 levels, an object of more than
 * 1,000 keys (D1.31). `undefined` if there is none.
 */
export function findUnstorable(value: Json, depth = 0): InputError | undefined {
  if (typeof value === 'string') return findUnstorableText(value)
  if (typeof value === 'number') {
    if (Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)) return undefined
    const detail = 'must be a number that is kept exactly: at most 2^53 − 1 (send larger ones as text)'
    return { pointer: '', detail }
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === MAX_DEPTH) return { pointer: '', detail: `must not be nested deeper than ${MAX_DEPTH} levels` }
  const entries = Object.entries(value)
  if (!Array.isArray(value) && entries.length > MAX_KEYS) {
    return { pointer: '', detail: `must have at most ${MAX_KEYS} keys` }
  }
  for (const [key, item] of entries) {
    if (RESERVED_KEYS.has(key)) return { pointer: '', detail: `must not have a key named ${key}` }
    if (key.includes('\\') || findUnstorableText(key)) {
      return { pointer: '', detail: 'must not have a key with a backslash, a lone surrogate or NUL' }
    }
    const found = findUnstorable(item, depth + 1)
    if (found) return { ...found, pointer: `/${escapePointer(key)}${found.pointer}` }
  }
  return undefined
}

function findUnstorableText(text: string): InputError | undefined {
  if (!text.isWellFormed()) return { pointer: '', detail: 'must not have a lone surrogate' }
  if (text.includes('\0')) return { pointer: '', detail: 'must not have a NUL character' }
  return undefined
}

/** Returns a key as a reference token of a JSON pointer (RFC 6901 §3). */
export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Returns the text of a JSON object with one more member, of a name that it does not have; `value` is JSON. */
export function appendMember(object: string, name: string, value: string): string {
  const separator = object === '{}' ? '' : ','
  return `${object.slice(0, -1)}${separator}${JSON.stringify(name)}:${value}}`
}

/** Returns the length of `text` in UTF-8, in bytes; lone surrogates count three, as encoders replace them. */
export function utf8Length(text: string): number {
  let bytes = 0
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0
    bytes += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4
  }
  return bytes
}

/** Returns the items of a parsed array; none of anything else. */
export function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns a field of an object of unknown shape, such as an error; `undefined` if there is none. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** Returns a record or content that was checked as the JSON object that it is; the types of records name no others. */
export function jsonOf(fields: object): JsonObject {
  return fields as JsonObject
}
