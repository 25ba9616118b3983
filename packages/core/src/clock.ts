import type { EpochMs } from './values.ts'

/** Where "now" comes from. Core never reads a clock; shells pass one in, so that tests can hold time still. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z, whole. */
  now(): EpochMs
}
