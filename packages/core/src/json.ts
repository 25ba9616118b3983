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

/** What JSON writes longest: a control character, as an escape, and a double such as -1.2345678901234567e-100. */
const MAX_UNIT_BYTES = 6
const MAX_NUMBER_BYTES = 25

/** An upper bound of what `value` takes as JSON in UTF-8, in bytes: quicker than writing it. */
export function jsonBytesAtMost(value: Json): number {
  if (typeof value === 'string') return textBytesAtMost(value)
  if (typeof value !== 'object' || value === null) return MAX_NUMBER_BYTES
  let bytes = 2
  if (Array.isArray(value)) for (const item of value) bytes += jsonBytesAtMost(item) + 1
  else for (const key in value) bytes += textBytesAtMost(key) + jsonBytesAtMost(value[key] as Json) + 2
  return bytes
}

function textBytesAtMost(text: string): number {
  return MAX_UNIT_BYTES * text.length + 2
}

/** Length of `text` in UTF-8, in bytes; lone surrogates count three, as encoders replace them. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    if (unit < 0x800) bytes += 1
    else if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(index + 1))) {
      bytes += 2
      index += 1
    } else bytes += 2
  }
  return bytes
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000
}
