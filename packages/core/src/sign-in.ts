import * as v from 'valibot'
import { InstantText, Uuid } from './validation.ts'

/** A session of the web app, without its secret; `current` is true for that of the request. */
export const SessionRow = v.object({
  id: v.pipe(v.number(), v.integer()),
  created_at: InstantText,
  expires_at: InstantText,
  user_agent: v.nullable(v.string()),
  current: v.boolean(),
})
export type SessionRow = v.InferOutput<typeof SessionRow>

/** A token of a program or a passkey, without its secret. The last use of a token is noted to a quarter of an hour. */
export const AccessKeyRow = v.object({
  id: Uuid,
  name: v.string(),
  created_at: InstantText,
  last_used_at: v.nullable(InstantText),
})
export type AccessKeyRow = v.InferOutput<typeof AccessKeyRow>

/** The key of an authenticator app, as text and as the URI that a QR code holds. It cannot be shown again. */
export const NewKey = v.object({ key: v.string(), uri: v.string() })
export type NewKey = v.InferOutput<typeof NewKey>

/** The state of a user's second factor: since when it is on, or null. */
export const SecondFactorState = v.object({
  since: v.nullable(InstantText),
  recovery_codes_left: v.pipe(v.number(), v.integer()),
})
export type SecondFactorState = v.InferOutput<typeof SecondFactorState>
