import type { DeviceClock } from '../src/host/environment.ts'

/** A clock that advances only when a test says so. */
export class ManualClock implements DeviceClock {
  #nowMs = Date.parse('2026-11-21T12:00:00.000Z')
  #timers: { atMs: number; work: () => void }[] = []

  now(): number {
    return this.#nowMs
  }

  after(ms: number, work: () => void): () => void {
    const timer = { atMs: this.#nowMs + ms, work }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }

  /** Advances the clock and runs due timers in order. */
  pass(ms: number): void {
    const endMs = this.#nowMs + ms
    for (;;) {
      const [next] = this.#timers.filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)
      if (!next) break
      this.#timers = this.#timers.filter((one) => one !== next)
      this.#nowMs = next.atMs
      next.work()
    }
    this.#nowMs = endMs
  }
}
