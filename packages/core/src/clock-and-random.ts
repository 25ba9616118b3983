import type { EpochMs, RecordId } from './values.ts'

/** The source of the current time. Core never reads a clock; its callers pass one in, so that tests can stop time. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z, whole. */
  now(): EpochMs
}

/** The source of randomness. A seeded implementation makes a whole run repeatable. */
export interface Random {
  /** Returns a new random (version 4) UUID in lower-case text. */
  uuid(): RecordId
  /** Returns `bytes` random bytes as base64url text without padding, for tags, codes and secrets. */
  token(bytes: number): string
}
