import type { IncomingHttpHeaders } from 'node:http'
import { epochMs, MINUTE_MS, type UserNumber } from '@saldo/core'
import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import { COMMON_PASSWORD, isCommonPassword, Password } from '../users/credentials.ts'
import type { Identity } from '../users/identification.ts'
import type { Passkeys, RelyingParty } from '../users/passkeys.ts'
import { sessionLimits } from '../users/web-sessions.ts'
import { SignedChallenge } from '../users/webauthn-schemas.ts'
import { numberText } from './collection.ts'
import type { RouteContext } from './route-context.ts'

/** The number of a user in a path. */
export const UserId = v.object({
  id: v.pipe(
    numberText(0, Number.MAX_SAFE_INTEGER, 'must be the number of a user'),
    v.transform((number) => number as UserNumber),
  ),
})

/** For this time, signing in proves who somebody is who has no password (D20.15). */
const PROOF_MS = 10 * MINUTE_MS

/**
 * The password, repeated before a change that somebody at an unattended browser must not make. A user without a
 * password has just signed in instead.
 */
export const Confirmation = v.object({ password: v.optional(Password) })

type Proving = Pick<RouteContext, 'passwords' | 'passkeys' | 'users' | 'ownTries' | 'clock'>

/**
 * Checks the password of a signed-in user; one who has no password must have just signed in. Throws 400 if it is
 * missing, 403 if it is wrong or the sign-in is too long ago, and 429 after too many wrong ones.
 */
export async function requirePassword(
  { passwords, users, ownTries, clock }: Proving,
  identity: Identity,
  password: string | undefined,
): Promise<void> {
  const { user, by } = identity
  if ((await users.passwordHash(user)) === undefined) {
    const nowMs = clock.now()
    const sessions = by.kind === 'session' ? await users.sessions(user, sessionLimits(nowMs)) : []
    const begun = sessions.find(({ id }) => id === by.id)?.created_at
    if (begun !== undefined && nowMs - epochMs(begun) < PROOF_MS) return
    throw new ProblemError('forbidden', 'Sign in again, and repeat this within ten minutes.')
  }
  if (password === undefined) {
    const errors = [{ pointer: '/password', detail: 'must be given' }]
    throw new ProblemError('invalid_request', 'The body is not valid.', { errors })
  }
  await ownTries.attempt(identity, async () => {
    if ((await passwords.prove(user, password)) === undefined) throw wrongPassword()
  })
}

/** The password, or the answer of a passkey to a challenge of `POST /api/auth/passkey/options`. */
export const PasswordOrPasskey = v.object({
  password: v.optional(Password),
  credential: v.optional(SignedChallenge),
})

/** Throws 403 unless a passkey of the user has signed a challenge, and 429 after too many failures. */
async function requirePasskey(
  { passkeys, ownTries }: Pick<RouteContext, 'passkeys' | 'ownTries'>,
  identity: Identity,
  signed: v.InferOutput<typeof SignedChallenge>,
  headers: IncomingHttpHeaders,
): Promise<void> {
  await ownTries.attempt(identity, async () => {
    const checked = await passkeys.check(requireParty(passkeys, headers), signed)
    if (checked.outcome === 'right' && checked.user === identity.user) return
    throw new ProblemError('forbidden', 'This passkey is not yours, or its answer is not valid or came too late.')
  })
}

/**
 * Checks that a signed-in user proves with the password or a passkey that it is them. Throws what `requirePassword` and
 * `requirePasskey` throw.
 */
export async function requireProof(
  services: Proving,
  identity: Identity,
  { password, credential }: v.InferOutput<typeof PasswordOrPasskey>,
  headers: IncomingHttpHeaders,
): Promise<void> {
  return credential
    ? requirePasskey(services, identity, credential, headers)
    : requirePassword(services, identity, password)
}

/** The most tokens, feeds and passkeys of a user, each: they are outside of the quota, and lists show all (D8.46). */
const MAX_KEYS = 50

/** Throws 409 for a user who has all the keys of a kind that there may be. */
export function requireRoomFor(existing: readonly unknown[], kind: string): void {
  if (existing.length < MAX_KEYS) return
  throw new ProblemError('conflict', `You have ${MAX_KEYS} ${kind}. Remove one first.`)
}

/** Counts the mail to a user about a key that they are about to make. Throws 429 after too many. */
export async function takeOwnMail(
  { mailer, mailLimits }: Pick<RouteContext, 'mailer' | 'mailLimits'>,
  user: UserNumber,
): Promise<void> {
  if (mailer.isOn) await mailLimits.takeOwn(user)
}

export function wrongPassword(): ProblemError {
  return new ProblemError('forbidden', 'The password is wrong.')
}

export function lastAdmin(): ProblemError {
  return new ProblemError('conflict', 'This is the last admin. Make somebody else an admin first.')
}

/** Throws 400 for a common password; `pointer` says where the body contains it. */
export async function requireUncommon(password: string, pointer: string): Promise<void> {
  if (!(await isCommonPassword(password))) return
  const errors = [{ pointer, detail: COMMON_PASSWORD }]
  throw new ProblemError('invalid_request', 'Choose a password that is harder to guess.', { errors })
}

/** Returns the relying party of passkeys. Throws 409 if passkeys are impossible here. */
export function requireParty(passkeys: Passkeys, headers: IncomingHttpHeaders): RelyingParty {
  const party = passkeys.relyingParty(headers)
  if (party) return party
  throw new ProblemError('conflict', 'Passkeys need a public URL with a domain name. Ask the operator to configure it.')
}

/** Ends the sessions of a user but that of the request; false if there are no others. */
export function endOtherSessions({ users }: Pick<RouteContext, 'users'>, { user, by }: Identity): Promise<boolean> {
  return users.endOtherSessions(user, by.kind === 'session' ? by.id : undefined)
}
