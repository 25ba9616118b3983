import { MAX_RECORD_BYTES } from './record.ts'

/** Limits that clients may rely on (D1.3, D5.3, D6.2). */
export const limits = {
  pull_default: 5_000,
  pull_max: 10_000,
  push_changes: 1_000,
  push_bytes: 4 * 1024 * 1024,
  record_bytes: MAX_RECORD_BYTES,
} as const
