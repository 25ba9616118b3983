import type { Random } from '@saldo/core'

/** Chance that one seed decides: the same seed gives the same numbers in the same order. */
export interface Chance extends Random {
  /** In [0, 1). */
  fraction(): number
  /** A whole number in [0, below). */
  below(below: number): number
}

/** Mulberry32. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most: number) => Math.floor(fraction() * most)
  const bytes = (count: number) => Buffer.from(Array.from({ length: count }, () => below(256)))
  return {
    fraction,
    below,
    token: (count) => bytes(count).toString('base64url'),
    uuid: () => {
      const hex = bytes(16).toString('hex')
      const variant = '89ab'[below(4)]
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
    },
  }
}
