import { parseDelta } from '@saldo/core'

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
