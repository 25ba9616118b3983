import { HOUR_MS, isJsonObject } from '@saldo/core'
import type { DeviceClock } from '../host/clock.ts'
import { authorized, type FetchOptions, piecesOf, whileHeard } from '../host/transport.ts'
import { backoffMs } from './backoff.ts'

/**
 * Listens for the service's hints (D5): calls `told` with the highest version there is, until the stream ends. `missing`
 * where this service has no such thing.
 */
export type Listen = (told: (version: number) => void, signal: AbortSignal) => Promise<'ended' | 'missing'>

/** A stream on which nothing comes for so long is dead, in milliseconds: the service sends a comment every 25 s. */
const SILENT_MS = 60_000

/** Hints by server-sent events: one line of data each, all that the service sends (D5). */
export function fetchHints(options: FetchOptions, clock: DeviceClock): Listen {
  const { url, fetch = globalThis.fetch } = options
  return (told, end) =>
    whileHeard(clock, SILENT_MS, end, 'ended', async (signal, heard) => {
      const response = await fetch(new URL('/api/sync/events', url), {
        ...authorized(options, { accept: 'text/event-stream' }),
        signal,
      })
      if (!response.headers.has('saldo-protocol')) return 'ended'
      if (response.status === 404) return 'missing'
      let begun = ''
      for await (const piece of piecesOf(response, heard)) {
        const lines = (begun + piece).split('\n')
        begun = lines.pop() as string
        for (const line of lines) if (line.startsWith('data:')) hintIn(line.slice('data:'.length), told)
      }
      return 'ended'
    })
}

function hintIn(data: string, told: (version: number) => void): void {
  let hint: unknown
  try {
    hint = JSON.parse(data)
  } catch {
    return
  }
  if (isJsonObject(hint) && typeof hint.version === 'number') told(hint.version)
}

/** How long to leave a service alone that has no hints, in milliseconds: it may be updated. */
const MISSING_MS = HOUR_MS

export interface HintsOptions {
  listen: Listen
  clock: DeviceClock
  random: { fraction(): number }
  told: (version: number) => void
  /** Is called when `isLive` changes. */
  changed: () => void
}

/** Keeps listening while that is wanted. */
export class Hints {
  readonly #options: HintsOptions
  #wanted: AbortController | undefined
  #isLive = false

  constructor(options: HintsOptions) {
    this.#options = options
  }

  /** Whether the service tells of news by itself. */
  get isLive(): boolean {
    return this.#isLive
  }

  want(isWanted: boolean): void {
    if (isWanted === (this.#wanted !== undefined)) return
    this.#wanted?.abort()
    this.#wanted = isWanted ? new AbortController() : undefined
    if (this.#wanted) void this.#listen(this.#wanted.signal)
    else this.#setLive(false)
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const { listen, clock, random, told } = this.#options
    let failures = 0
    while (!signal.aborted) {
      const outcome = await listen((version) => {
        if (signal.aborted) return
        failures = 0
        this.#setLive(true)
        told(version)
      }, signal)
      if (signal.aborted) return
      this.#setLive(false)
      failures += 1
      const ms = outcome === 'missing' ? MISSING_MS : backoffMs(failures, random.fraction())
      await new Promise<void>((resolve) => {
        const stopWaiting = clock.after(ms, resolve)
        signal.addEventListener('abort', () => {
          stopWaiting()
          resolve()
        })
      })
    }
  }

  #setLive(isLive: boolean): void {
    if (this.#isLive === isLive) return
    this.#isLive = isLive
    this.#options.changed()
  }
}
