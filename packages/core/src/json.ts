import type { InputError } from './errors.ts'

/** Any value that JSON can carry. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Deep equality of JSON values; the order of an object's keys does not count. */
export function jsonEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((item, index) => jsonEqual(item, b[index]))
  }
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key]))
}

const MAX_DEPTH = 32
/** Keys that would reach for an object's prototype; validators drop them without a word. */
const RESERVED_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * The first thing in `value` that could not be kept exactly by every store and every client, or `undefined`: text with
 * a lone surrogate or NUL, a number that a double cannot hold exactly, a key that reaches for the prototype or has a
 * backslash (V8 can read an escaped key as one that it read before, nodejs/node#63785), nesting deeper than 32.
 */
export function findUnstorable(value: Json, pointer = '', depth = 0): InputError | undefined {
  if (typeof value === 'string') return unstorableText(value, pointer)
  if (typeof value === 'number') {
    if (Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)) return undefined
    return { pointer, detail: 'must be a number that is kept exactly: at most 2^53 − 1 (send larger ones as text)' }
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === MAX_DEPTH) return { pointer, detail: `must not be nested deeper than ${MAX_DEPTH} levels` }
  // Pointers into the value are made only where something was found.
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const found = findUnstorable(value[index] as Json, '', depth + 1)
      if (found) return { ...found, pointer: `${pointer}/${index}${found.pointer}` }
    }
    return undefined
  }
  for (const key in value) {
    if (RESERVED_KEYS.has(key)) return { pointer, detail: `must not have a key named ${key}` }
    if (key.includes('\\') || unstorableText(key, pointer)) {
      return { pointer, detail: 'must not have a key with a backslash, a lone surrogate or NUL' }
    }
    const found = findUnstorable(value[key] as Json, '', depth + 1)
    if (found) return { ...found, pointer: `${pointer}/${escapePointer(key)}${found.pointer}` }
  }
  return undefined
}

function unstorableText(text: string, pointer: string): InputError | undefined {
  if (!text.isWellFormed()) return { pointer, detail: 'must not have a lone surrogate' }
  if (text.includes('\0')) return { pointer, detail: 'must not have a NUL character' }
  return undefined
}

/** One reference token of a JSON pointer (RFC 6901 §3). */
export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Returns the length of `text` in UTF-8, in bytes; lone surrogates count three, as encoders replace them. */
export function utf8Length(text: string): number {
  let bytes = 0
  for (const character of text) {
    const codePoint = character.codePointAt(0) as number
    bytes += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4
  }
  return bytes
}
