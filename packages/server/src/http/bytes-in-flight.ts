import { tooMany } from './throttle.ts'

/** Counts the bytes of bodies that are in memory, for each key and for all keys together, in this process. */
export class BytesInFlight {
  readonly #maxPerKey: number
  readonly #max: number
  readonly #bytesByKey = new Map<string | number, number>()
  #bytes = 0

  constructor(maxPerKey: number, max: number) {
    this.#maxPerKey = maxPerKey
    this.#max = max
  }

  /** Counts the body of a request of `key`, which has no bytes yet. */
  begin(key: string | number): HeldBytes {
    let held = 0
    const count = (bytes: number) => {
      held += bytes
      this.#bytes += bytes
      const ofKey = (this.#bytesByKey.get(key) ?? 0) + bytes
      if (ofKey === 0) this.#bytesByKey.delete(key)
      else this.#bytesByKey.set(key, ofKey)
    }
    return {
      add: (bytes) => {
        const ofKey = (this.#bytesByKey.get(key) ?? 0) + bytes
        if (ofKey > this.#maxPerKey || this.#bytes + bytes > this.#max) throw tooMany(1)
        count(bytes)
      },
      [Symbol.dispose]: () => count(-held),
    }
  }
}

/** The bytes of one body that are in memory, until it is disposed of. */
export interface HeldBytes extends Disposable {
  /** Counts bytes that arrived. Throws 429 where they are more than the key, or all keys together, may hold. */
  add(bytes: number): void
}
