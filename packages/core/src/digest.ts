import * as v from 'valibot'
import { isJsonObject } from './json.ts'
import { fieldsFor } from './list.ts'
import { type RecordKind, recordKinds } from './record-kinds.ts'
import { wholeNumber } from './validation.ts'

/**
 * The count of a kind's live records and a 64-bit hash of them as 16 hexadecimal digits, independent of their order.
 */
export const KindDigest = v.object({
  count: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  digest: v.pipe(
    v.string(),
    v.check((text) => /^[0-9a-f]{16}$/.test(text)),
    v.metadata({ pattern: '^[0-9a-f]{16}$' }),
  ),
})
export type KindDigest = v.InferOutput<typeof KindDigest>

/** The digest of the live records of each kind. */
export type Digests = Record<RecordKind, KindDigest>

/** Returns JSON in the canonical form of RFC 8785. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  let json = ''
  for (const key of Object.keys(value).sort()) json += `,${JSON.stringify(key)}:${canonicalJson(value[key])}`
  return `{${json.slice(1)}}`
}

const HIGH_FACTOR = 0x9e3779b1
const LOW_FACTOR = 0x85ebca77

/** Returns two halves of 32 bits. They distinguish texts unless somebody constructs two with the same hash. */
function hashOf(text: string): [high: number, low: number] {
  let [high, low] = [HIGH_FACTOR, LOW_FACTOR]
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ (high >>> 15) ^ unit, HIGH_FACTOR)
    low = Math.imul(low ^ (low >>> 15) ^ unit, LOW_FACTOR)
  }
  return [high ^ (high >>> 15), low ^ (low >>> 15)]
}

const hex = (word: number) => (word >>> 0).toString(16).padStart(8, '0')

/** Returns the hash of JSON in canonical form (D10.5), as 16 hexadecimal digits. */
export function digestOf(value: unknown): string {
  return hashOf(canonicalJson(value)).map(hex).join('')
}

/**
 * Computes the digests of live records (D10.3). The hash of a kind is the exclusive or of the hashes of its records, so
 * records can be added and removed one by one, in any order.
 */
export class DigestSum {
  readonly #sums: Record<RecordKind, { count: number; high: number; low: number }>

  /** Continues from `digests`; kinds that are not among them start empty. */
  constructor(digests: Partial<Digests> = {}) {
    this.#sums = fieldsFor(recordKinds, (kind) => {
      const { count, digest } = digests[kind] ?? { count: 0, digest: '0'.repeat(16) }
      const [high, low] = [Number.parseInt(digest.slice(0, 8), 16), Number.parseInt(digest.slice(8), 16)]
      return { count, high, low }
    })
  }

  /** Adds a live record as the service hands it out, `version` included. */
  add(kind: RecordKind, record: object): void {
    this.#apply(kind, record, 1)
  }

  /** Removes a record that was added. */
  remove(kind: RecordKind, record: object): void {
    this.#apply(kind, record, -1)
  }

  #apply(kind: RecordKind, record: object, count: 1 | -1): void {
    const sum = this.#sums[kind]
    const [high, low] = hashOf(canonicalJson(record))
    sum.count += count
    sum.high ^= high
    sum.low ^= low
  }

  /** Returns the digest of each kind. */
  digests(): Digests {
    return fieldsFor(recordKinds, (kind) => {
      const { count, high, low } = this.#sums[kind]
      return { count, digest: hex(high) + hex(low) }
    })
  }
}
