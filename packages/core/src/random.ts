import type { RecordId } from './values.ts'

/** The source of randomness. A seeded implementation makes a whole run repeatable. */
export interface Random {
  /** Returns a new random (version 4) UUID in lower-case text. */
  uuid(): RecordId
  /** Returns `bytes` random bytes as base64url text without padding, for tags, codes and secrets. */
  token(bytes: number): string
}
