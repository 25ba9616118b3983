import { itemAt } from '@saldo/core'
/** A source of whole numbers that a seed determines. */
export interface RandomNumbers {
  /** Returns a number from `min` to `max`, both included. */
  between(min: number, max: number): number
  /** Returns an item of a list that is not empty. */
  oneOf<T>(items: readonly T[]): T
}

/** Returns the numbers of a seed: the generator mulberry32, which is fair enough for a demo and nothing else. */
export function randomNumbers(seed: number): RandomNumbers {
  let state = seed
  const between = (min: number, max: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return min + (((mixed ^ (mixed >>> 14)) >>> 0) % (max - min + 1))
  }
  return { between, oneOf: <T>(items: readonly T[]) => itemAt(items, between(0, items.length - 1)) }
}
