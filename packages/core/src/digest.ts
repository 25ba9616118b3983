import { isJsonObject, type Json, type JsonObject } from './json.ts'
import { type RecordKind, recordKinds } from './record.ts'

/** How many live records of a kind there are, and what they are: 64 bits as 16 hexadecimal digits, whatever their order. */
export interface KindDigest {
  count: number
  digest: string
}

/** By kind. */
export type Digests = Record<RecordKind, KindDigest>

/** JSON in the one form that RFC 8785 gives it. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  let members = ''
  for (const key of Object.keys(value).sort()) {
    members += `${members && ','}${JSON.stringify(key)}:${canonicalJson(value[key] as Json)}`
  }
  return `{${members}}`
}

/** The two halves of a hash: 32 bits each, told apart by their odd factor. */
const FACTORS = [0x9e3779b1, 0x85ebca77] as const

/** 32 bits that tell texts apart that nobody made to look alike. It takes the text's UTF-16 code units one by one. */
function hashOf(text: string, factor: number): number {
  let hash = factor
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ (hash >>> 15) ^ text.charCodeAt(at), factor)
  }
  return hash ^ (hash >>> 15)
}

/**
 * Adds up what is live, record by record, in any order (D10). The digest of a kind is the exclusive or of its records'
 * hashes, so that a record is taken out as it was taken in.
 */
export class DigestSum {
  readonly #kinds = new Map<string, [count: number, high: number, low: number]>()

  /** Begins with what was added up before, or with nothing. */
  constructor(before: Partial<Digests> = {}) {
    for (const kind of recordKinds) {
      const { count = 0, digest = '' } = before[kind] ?? {}
      this.#kinds.set(kind, [count, Number(`0x0${digest.slice(0, 8)}`), Number(`0x0${digest.slice(8)}`)])
    }
  }

  /** Takes a live record in as it is served, `version` included; with −1, out again. */
  add(kind: RecordKind, record: JsonObject, times: 1 | -1 = 1): void {
    const [count, high, low] = this.#kinds.get(kind) as [number, number, number]
    const text = canonicalJson(record)
    this.#kinds.set(kind, [count + times, high ^ hashOf(text, FACTORS[0]), low ^ hashOf(text, FACTORS[1])])
  }

  digests(): Digests {
    const entries = [...this.#kinds].map(([kind, [count, ...halves]]) => {
      const digest = halves.map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
      return [kind, { count, digest }]
    })
    return Object.fromEntries(entries)
  }
}
