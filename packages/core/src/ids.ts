import type { IsoWeek, LocalDate, RecordId, UserNumber } from './values.ts'

/** The namespace of all ids that Saldo derives (RFC 9562 §5.5), 6f1d0f1c-6a53-4d0e-9a7c-5a1d05a1d001, as bytes. */
const NAMESPACE = '\x6f\x1d\x0f\x1c\x6a\x53\x4d\x0e\x9a\x7c\x5a\x1d\x05\xa1\xd0\x01'

/**
 * The id of a closed day or week: the same on every node and after every restore, derived from the user and the date
 * or week (D2).
 */
export function closingId(user: UserNumber, dateOrWeek: LocalDate | IsoWeek): RecordId {
  return derivedId(`${user}/closing/${dateOrWeek}`)
}

/**
 * The UUID of a settings row that had an integer id before (R2.2): the service's migration and a client's outbox
 * derive the same one, so that a queued edit finds its record (D7).
 */
export function settingsIdOf(user: UserNumber, integerId: number): RecordId {
  return derivedId(`${user}/settings/${integerId}`)
}

/** The version 5 UUID of a name in ASCII (RFC 9562 §5.5). */
function derivedId(name: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = sha1(NAMESPACE + name)
  const marked = [a, (b & 0xffff0fff) | 0x5000, (c & 0x3fffffff) | 0x80000000, d]
  const hex = marked.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The five words of the SHA-1 of a text of which each character is a byte (RFC 3174). */
function sha1(text: string): number[] {
  const blocks = Math.ceil((text.length + 9) / 64)
  const words = Array<number>(blocks * 16).fill(0)
  for (const [at, byte] of [...`${text}\x80`].entries()) {
    words[at >> 2] = (words[at >> 2] as number) | (byte.charCodeAt(0) << (24 - 8 * (at % 4)))
  }
  words[words.length - 1] = 8 * text.length
  let state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]
  for (let block = 0; block < blocks; block += 1) {
    const w = words.slice(16 * block, 16 * (block + 1))
    const at = (t: number) => w[t] as number
    let [a = 0, b = 0, c = 0, d = 0, e = 0] = state
    for (let t = 0; t < 80; t += 1) {
      if (t >= 16) w[t] = turned(at(t - 3) ^ at(t - 8) ^ at(t - 14) ^ at(t - 16), 1)
      const next = (turned(a, 5) + mixed(t, b, c, d) + e + at(t)) | 0
      ;[a, b, c, d, e] = [next, a, turned(b, 30), c, d]
    }
    state = [a, b, c, d, e].map((word, index) => (word + (state[index] as number)) | 0)
  }
  return state
}

function mixed(t: number, b: number, c: number, d: number): number {
  if (t < 20) return ((b & c) | (~b & d)) + 0x5a827999
  if (t < 40) return (b ^ c ^ d) + 0x6ed9eba1
  if (t < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
  return (b ^ c ^ d) + 0xca62c1d6
}

/** A word of 32 bits, rotated to the left. */
function turned(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by))
}
