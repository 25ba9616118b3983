import * as v from 'valibot'
import { teamScopes, tokenScopes } from './choices.ts'
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

/** A key of a user, without its secret. The last use of a token or calendar feed is noted to a quarter of an hour. */
export const AccessKeyRow = v.object({
  id: Uuid,
  name: v.string(),
  created_at: InstantText,
  last_used_at: v.nullable(InstantText),
})
export type AccessKeyRow = v.InferOutput<typeof AccessKeyRow>

/** One of `tokenScopes`. */
export type TokenScope = (typeof tokenScopes)[number]

/** True if a token with the scope `granted` may do what needs the scope `needed`. */
export function includesScope(granted: TokenScope, needed: TokenScope): boolean {
  const isOfTeam = (scope: TokenScope) => teamScopes.some((one) => one === scope)
  if (isOfTeam(granted) || isOfTeam(needed)) return granted === needed
  return tokenScopes.indexOf(granted) >= tokenScopes.indexOf(needed)
}

/** A token of a program, without its secret. It is not valid from `expires_at` on; null means that it never expires. */
export const TokenRow = v.object({
  ...AccessKeyRow.entries,
  scope: v.picklist(tokenScopes),
  expires_at: v.nullable(InstantText),
})
export type TokenRow = v.InferOutput<typeof TokenRow>

/** The key of an authenticator app, as text and as the URI that a QR code holds. It cannot be shown again. */
export const AuthenticatorKey = v.object({ key: v.string(), uri: v.string() })
export type AuthenticatorKey = v.InferOutput<typeof AuthenticatorKey>

/** The state of a user's second factor: since when it is on, or null. */
export const SecondFactorState = v.object({
  since: v.nullable(InstantText),
  recovery_codes_left: v.pipe(v.number(), v.integer()),
})
export type SecondFactorState = v.InferOutput<typeof SecondFactorState>
