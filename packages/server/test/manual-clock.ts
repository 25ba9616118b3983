import type { Clock } from '@saldo/core'

/** A clock that stands still until it is moved. */
export class ManualClock implements Clock {
  #ms: number

  constructor(instant: string) {
    this.#ms = Date.parse(instant)
  }

  now(): number {
    return this.#ms
  }

  advance(ms: number): void {
    this.#ms += ms
  }

  set(instant: string): void {
    this.#ms = Date.parse(instant)
  }
}
