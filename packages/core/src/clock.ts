import type { EpochMs } from './values.ts'

/** The source of the current time. Core never reads a clock; its callers pass one in, so that tests can stop time. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z, whole. */
  now(): EpochMs
}
