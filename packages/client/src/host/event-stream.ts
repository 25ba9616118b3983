import { isJsonObject } from '@saldo/core'
import type { DeviceClock } from './environment.ts'
import { faultIn, NetworkError, networkResult } from './exchange-failure.ts'
import { type FetchOptions, readChunks, requestInit, withIdleTimeout } from './transport.ts'

/**
 * Listens for change notifications: calls `onVersion` with the latest version of the user, until the stream ends
 * or `signal` aborts. Resolves to `missing` if the service has no change notifications.
 */
export type Listen = (onVersion: (version: number) => void, signal: AbortSignal) => Promise<'ended' | 'missing'>

/** A stream without a byte for this long is dead: the service sends a comment every 25 s. */
const IDLE_TIMEOUT_MS = 60_000

/** The longest line that is kept until its end arrives: those of the service have some 50 characters. */
const MAX_LINE_CHARACTERS = 65_536

/**
 * Reads change notifications by `fetch`: server-sent events with one line of data each. Calls `onTeamChange` when the
 * service says that an answer of the team has changed (D30.4).
 */
export function fetchNotifications(options: FetchOptions, clock: DeviceClock, onTeamChange?: () => void): Listen {
  const { url, fetch = globalThis.fetch } = options
  return async (onVersion, end) => {
    const address = new URL('/api/sync/events', url)
    const init = requestInit(options, { accept: 'text/event-stream' })
    const outcome = await withIdleTimeout(clock, IDLE_TIMEOUT_MS, end, async (signal, onProgress) => {
      const response = await networkResult(() => fetch(address, { ...init, signal }))
      if (faultIn(response, address)) return 'ended'
      if (response.status === 404) return 'missing'
      let rest = ''
      for await (const chunk of readChunks(response, onProgress)) {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        if (rest.length > MAX_LINE_CHARACTERS) return 'ended'
        for (const line of lines) {
          if (line === 'event: team') onTeamChange?.()
          const version = line.startsWith('data:') ? versionIn(line.slice('data:'.length)) : undefined
          if (version !== undefined) onVersion(version)
        }
      }
      return 'ended'
    })
    return outcome instanceof NetworkError ? 'ended' : outcome
  }
}

function versionIn(data: string): number | undefined {
  try {
    const notification: unknown = JSON.parse(data)
    return isJsonObject(notification) && typeof notification.version === 'number' ? notification.version : undefined
  } catch {
    return undefined
  }
}
