import { HOUR_MS } from '@saldo/core'
import type { DeviceClock } from '../host/environment.ts'
import type { Listen } from '../host/event-stream.ts'
import { backoffMs } from './backoff.ts'

/** The delay before a service without change notifications is asked again: it may be upgraded. */
const MISSING_MS = HOUR_MS

export interface ChangeNotificationsOptions {
  listen: Listen
  clock: DeviceClock
  random: { fraction(): number }
  onVersion: (version: number) => void
  onConnectionChange: () => void
  /** `listen` threw, which it must not. */
  onDefect: (error: unknown) => void
}

/** Keeps a stream of change notifications open while the engine wants one. */
export class ChangeNotifications {
  readonly #options: ChangeNotificationsOptions
  #listening: AbortController | undefined
  #isConnected = false

  constructor(options: ChangeNotificationsOptions) {
    this.#options = options
  }

  get isConnected(): boolean {
    return this.#isConnected
  }

  setWanted(isWanted: boolean): void {
    if (isWanted === (this.#listening !== undefined)) return
    this.#listening?.abort()
    this.#listening = isWanted ? new AbortController() : undefined
    if (this.#listening) void this.#listen(this.#listening.signal)
    else this.#setConnected(false)
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const { listen, random, onVersion, onDefect } = this.#options
    let failures = 0
    while (!signal.aborted) {
      const outcome = await listen((version) => {
        if (signal.aborted) return
        failures = 0
        this.#setConnected(true)
        onVersion(version)
      }, signal).catch(onDefect)
      if (signal.aborted) return
      this.#setConnected(false)
      failures += 1
      await this.#wait(outcome === 'missing' ? MISSING_MS : backoffMs(failures, random.fraction()), signal)
    }
  }

  #wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(ms, resolve)
      signal.addEventListener('abort', () => {
        cancel()
        resolve()
      })
    })
  }

  #setConnected(isConnected: boolean): void {
    if (this.#isConnected === isConnected) return
    this.#isConnected = isConnected
    this.#options.onConnectionChange()
  }
}
