import type { RecordId } from './values.ts'

/** Where chance comes from. A seeded twin of this makes a whole run repeatable. */
export interface Random {
  /** A new random (version 4) UUID in lower-case text. */
  uuid(): RecordId
  /** `bytes` random bytes as base64url text without padding; for tags, codes and secrets. */
  token(bytes: number): string
}
