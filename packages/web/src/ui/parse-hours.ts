import { type DurationMs, parseDelta } from '@saldo/core'

/**
 * Reads a length as people write hours: all that `parseDelta` reads, and `8`, `7.7`, `7,7` as hours. In
 * milliseconds.
 */
export function parseHours(text: string): number | undefined {
  const trimmed = text.trim()
  const isPlain = /^[+−-]?\d+([.,]\d+)?$/.test(trimmed)
  const parsed = parseDelta(isPlain ? `${trimmed}h` : trimmed)
  return parsed.ok ? parsed.deltaMs : undefined
}

/** Returns a duration that lies between two others, which are both included; else `undefined`. */
export function within(ms: DurationMs | undefined, minMs: DurationMs, maxMs: DurationMs): DurationMs | undefined {
  return ms !== undefined && ms >= minMs && ms <= maxMs ? ms : undefined
}
