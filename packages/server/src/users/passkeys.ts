import { isIP } from 'node:net'
import { type Clock, instantOf, MINUTE_MS, type Random } from '@saldo/core'
import * as v from 'valibot'
import type { RequestHeaders } from '../http/request-headers.ts'
import { type SqlDriver, UnavailableError } from '../store/sql.ts'
import type { UserId } from '../store/store.ts'
import { type PasskeyRow, PasskeyStore } from '../store/users/passkeys.ts'

/** How long a challenge can be answered: a person looks for their key meanwhile. */
const CHALLENGE_MS = 5 * MINUTE_MS
const CHALLENGE_BYTES = 32
/** EdDSA, ES256 and RS256, by their COSE numbers: what authenticators have. */
const ALGORITHMS = [-8, -7, -257]
const SIGN_IN = 'passkey_sign_in'

const base64url = (most: number) =>
  v.pipe(
    v.string('must be base64url'),
    v.regex(/^[\w-]+$/, 'must be base64url'),
    v.maxLength(most, `must be at most ${most} characters`),
  )
/** At most 1,023 bytes (WebAuthn §4). */
const CredentialId = base64url(1_364)
const ClientData = base64url(8_192)
const shell = { id: CredentialId, rawId: CredentialId, type: v.literal('public-key') }

/** What `navigator.credentials.create` made, as its `toJSON` writes it (WebAuthn level 3). */
export const CreatedCredential = v.object({
  ...shell,
  response: v.object({ clientDataJSON: ClientData, attestationObject: base64url(16_384) }),
})

/** What `navigator.credentials.get` got, likewise. */
export const SignedChallenge = v.object({
  ...shell,
  response: v.object({
    clientDataJSON: ClientData,
    authenticatorData: base64url(8_192),
    signature: base64url(2_048),
    userHandle: base64url(128),
  }),
})

const Descriptor = v.object({ id: v.string(), type: v.literal('public-key') })

/** For `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const CreationOptions = v.object({
  rp: v.object({ id: v.string(), name: v.string() }),
  user: v.object({ id: v.string(), name: v.string(), displayName: v.string() }),
  challenge: v.string(),
  pubKeyCredParams: v.array(v.object({ alg: v.pipe(v.number(), v.integer()), type: v.literal('public-key') })),
  timeout: v.pipe(v.number(), v.integer()),
  excludeCredentials: v.array(Descriptor),
  authenticatorSelection: v.object({
    residentKey: v.literal('required'),
    requireResidentKey: v.literal(true),
    userVerification: v.literal('required'),
  }),
  attestation: v.literal('none'),
})

/** For `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const RequestOptions = v.object({
  challenge: v.string(),
  rpId: v.string(),
  timeout: v.pipe(v.number(), v.integer()),
  userVerification: v.literal('required'),
})

/** For whom passkeys are made: the name that browsers bind them to, and the only pages that may use them. */
export interface RelyingParty {
  id: string
  origin: string
}

export type AddOutcome = { outcome: 'added'; passkey: PasskeyRow } | { outcome: 'refused' | 'taken' }
export type CheckOutcome = { outcome: 'right'; user: UserId } | { outcome: 'wrong_passkey' | 'copied_passkey' }

export interface PasskeysOptions {
  driver: SqlDriver
  clock: Clock
  random: Random
  publicUrl: string | undefined
}

/**
 * Passkeys (WebAuthn): keys that an authenticator keeps, that sign one challenge once its owner was verified, and for
 * the pages of one origin only. Nobody has to be named to sign in: the authenticator knows whose key it is.
 */
export function createPasskeys({ driver, clock, random, publicUrl }: PasskeysOptions) {
  const store = new PasskeyStore(driver)
  const now = () => instantOf(clock.now())

  const newChallenge = async (purpose: string) => {
    const challenge = random.token(CHALLENGE_BYTES)
    await store.keepChallenge(challenge, purpose, { at: now(), until: instantOf(clock.now() + CHALLENGE_MS) })
    return challenge
  }

  return {
    list: (user: UserId) => store.list(user),
    rename: (user: UserId, id: string, name: string) => store.rename(user, id, name),
    remove: (user: UserId, id: string) => store.remove(user, id),
    removeAll: (user: UserId) => store.removeAll(user),

    /**
     * Whose keys a page of this service can use: those of the public URL, or of `localhost` where there is none. Nobody's
     * where it is reached by a number or by a name that it was not told, which browsers or safety rule out.
     */
    relyingParty({ host }: RequestHeaders): RelyingParty | undefined {
      const address = publicUrl ?? (/^localhost(:\d+)?$/.test(host ?? '') ? `http://${host}` : undefined)
      const url = address === undefined ? null : URL.parse(address)
      if (!url || isIP(url.hostname.replaceAll(/[[\]]/g, '')) !== 0) return undefined
      return { id: url.hostname, origin: url.origin }
    },

    /** What to ask an authenticator for, to sign in with what it has. */
    async requestOptions({ id }: RelyingParty): Promise<v.InferOutput<typeof RequestOptions>> {
      const challenge = await newChallenge(SIGN_IN)
      return { challenge, rpId: id, timeout: CHALLENGE_MS, userVerification: 'required' }
    },

    /** What to ask an authenticator for, to make a new key that it has not made before. */
    async creationOptions(
      { id }: RelyingParty,
      { user, email }: { user: UserId; email: string },
    ): Promise<v.InferOutput<typeof CreationOptions>> {
      const known = await store.credentialIds(user)
      return {
        rp: { id, name: 'Saldo' },
        user: { id: handleOf(user), name: email, displayName: email },
        challenge: await newChallenge(creationOf(user)),
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
        timeout: CHALLENGE_MS,
        excludeCredentials: known.map((credential) => ({ id: credential, type: 'public-key' })),
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
      }
    },

    /** Keeps a key that answers the user's challenge. */
    async add(
      { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
      user: UserId,
      name: string,
      credential: v.InferOutput<typeof CreatedCredential>,
    ): Promise<AddOutcome> {
      const { verifyRegistrationResponse } = await import('./webauthn.ts')
      const made = await unlessHostile(async () => {
        await requireUnattested(credential.response.attestationObject)
        const { registrationInfo } = await verifyRegistrationResponse({
          response: { ...credential, clientExtensionResults: {} },
          expectedChallenge: (challenge) => store.takeChallenge(challenge, creationOf(user), now()),
          expectedOrigin,
          expectedRPID,
          supportedAlgorithmIDs: ALGORITHMS,
        })
        return registrationInfo?.credential
      })
      if (!made || made.id !== credential.id) return { outcome: 'refused' }
      const passkey = { id: random.uuid(), name, createdAt: now(), lastUsedAt: null }
      const kept = {
        credentialId: made.id,
        publicKey: Buffer.from(made.publicKey).toString('base64url'),
        counter: made.counter,
      }
      const isAdded = await store.add(user, { ...passkey, ...kept, at: passkey.createdAt })
      return isAdded ? { outcome: 'added', passkey } : { outcome: 'taken' }
    },

    /** Whether a credential is anybody's passkey. */
    async isKnown({ id }: Pick<v.InferOutput<typeof SignedChallenge>, 'id'>): Promise<boolean> {
      return (await store.byCredential(id)) !== undefined
    },

    /** Whose passkey has signed a challenge. By a passkey that there is, the challenge is taken, whatever comes of it. */
    async check(
      { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
      signed: v.InferOutput<typeof SignedChallenge>,
    ): Promise<CheckOutcome> {
      const found = await store.byCredential(signed.id)
      if (!found || signed.response.userHandle !== handleOf(found.user)) return { outcome: 'wrong_passkey' }
      const { verifyAuthenticationResponse } = await import('./webauthn.ts')
      const answer = await unlessHostile(() =>
        verifyAuthenticationResponse({
          response: { ...signed, clientExtensionResults: {} },
          expectedChallenge: (challenge) => store.takeChallenge(challenge, SIGN_IN, now()),
          expectedOrigin,
          expectedRPID,
          // Its counter is compared as it is noted, so that of two at once one is too late.
          credential: { id: signed.id, publicKey: Buffer.from(found.publicKey, 'base64url'), counter: 0 },
        }),
      )
      if (!answer?.verified) return { outcome: 'wrong_passkey' }
      const counter = answer.authenticationInfo.newCounter
      const isNoted = await store.noteUse(found.user, found.id, { counter, at: now() })
      return isNoted ? { outcome: 'right', user: found.user } : { outcome: 'copied_passkey' }
    },
  }
}

/** What a challenge is for that makes a passkey of a user. */
function creationOf(user: UserId): string {
  return `passkey_creation ${user}`
}

/** By what an authenticator tells users apart: nothing that says who they are. */
function handleOf(user: UserId): string {
  return Buffer.from(String(user)).toString('base64url')
}

/**
 * We ask for no statement of who made the authenticator, and read none: of certificates that came with one, the library
 * would ask their issuers, at addresses of the sender's choice.
 */
async function requireUnattested(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await import('./webauthn.ts')
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  if (decoded.get('fmt') !== 'none') throw new Error('an attestation that nobody asked for')
}

/** What the library makes of an answer, or `undefined` where it throws, as it does for whatever is wrong with it. */
async function unlessHostile<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify()
  } catch (error) {
    if (error instanceof UnavailableError) throw error
    return undefined
  }
}
