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

/** 64 bits that tell texts apart that nobody made to look alike: two halves, each with an odd factor of its own. */
function hashOf(text: string): [high: number, low: number] {
  let [high, low] = [HIGH_FACTOR, LOW_FACTOR]
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ (high >>> 15) ^ unit, HIGH_FACTOR)
    low = Math.imul(low ^ (low >>> 15) ^ unit, LOW_FACTOR)
  }
  return [high ^ (high >>> 15), low ^ (low >>> 15)]
}

const HIGH_FACTOR = 0x9e3779b1
const LOW_FACTOR = 0x85ebca77

/**
 * Adds up what is live, record by record, in any order (D10). The digest of a kind is the exclusive or of its records'
 * hashes, so that a record is taken out as it was taken in.
 */
export class DigestSum {
  readonly #before: Partial<Digests>
  readonly #added = new Map<RecordKind, [count: number, high: number, low: number]>()

  /** Begins with what was added up before, or with nothing. */
  constructor(before: Partial<Digests> = {}) {
    this.#before = before
  }

  /** Takes a live record in as it is served, `version` included; with −1, out again. */
  add(kind: RecordKind, record: JsonObject, times: 1 | -1 = 1): void {
    const [count, high, low] = this.#added.get(kind) ?? [0, 0, 0]
    const hash = hashOf(canonicalJson(record))
    this.#added.set(kind, [count + times, high ^ hash[0], low ^ hash[1]])
  }

  digests(): Digests {
    const sums = recordKinds.map((kind) => {
      const { count, digest } = this.#before[kind] ?? { count: 0, digest: '0'.repeat(16) }
      const [more, ...halves] = this.#added.get(kind) ?? [0, 0, 0]
      const sum = halves.map((half, index) => {
        const word = half ^ Number(`0x${digest.slice(8 * index, 8 * index + 8)}`)
        return (word >>> 0).toString(16).padStart(8, '0')
      })
      return [kind, { count: count + more, digest: sum.join('') }]
    })
    return Object.fromEntries(sums)
  }
}
