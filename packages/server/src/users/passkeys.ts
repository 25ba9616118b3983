import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { type AccessKeyRow, instantOf, MINUTE_MS, type UserNumber } from '@saldo/core'
import type * as v from 'valibot'
import { UnavailableError } from '../errors.ts'
import { ChallengeStore, passkeyCreationOf } from '../store/users/challenges.ts'
import { PasskeyStore } from '../store/users/passkeys.ts'
import type { AuthOptions } from './auth-options.ts'
import type { CreatedCredential, CreationOptions, RequestOptions, SignedChallenge } from './webauthn-schemas.ts'

/** A challenge must be answered within this time, in which a person finds their security key. */
const CHALLENGE_MS = 5 * MINUTE_MS
const CHALLENGE_BYTES = 32
/** The COSE numbers of EdDSA, ES256 and RS256, which authenticators support. */
const ALGORITHMS = [-8, -7, -257]
const SIGN_IN = 'passkey_sign_in'

/** The domain that browsers bind passkeys to, and the origin whose pages may use them. */
export interface RelyingParty {
  id: string
  origin: string
}

type Options = Pick<AuthOptions, 'driver' | 'clock' | 'random' | 'publicUrl'>

export type AddOutcome = { outcome: 'added'; passkey: AccessKeyRow } | { outcome: 'refused' | 'taken' }
export type CheckOutcome = { outcome: 'right'; user: UserNumber } | { outcome: 'wrong_passkey' | 'copied_passkey' }

/**
 * Passkeys (WebAuthn): key pairs that an authenticator keeps. It signs a challenge once it has verified its owner, and
 * only for pages of one origin. Nobody has to enter a name to sign in: the authenticator knows whose key it is.
 */
export class Passkeys {
  /** The stored passkeys, to be listed, renamed and removed. */
  readonly store: PasskeyStore
  readonly #challenges: ChallengeStore
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
    this.store = new PasskeyStore(options.driver)
    this.#challenges = new ChallengeStore(options.driver)
  }

  /**
   * Returns the relying party of a request: the public URL, or `localhost` without one. Returns `undefined` if the
   * service is reached by an IP address, which WebAuthn forbids, or by a host name that is not configured.
   */
  relyingParty({ host }: IncomingHttpHeaders): RelyingParty | undefined {
    const address = this.#options.publicUrl ?? (/^localhost(:\d+)?$/.test(host ?? '') ? `http://${host}` : undefined)
    const url = address === undefined ? null : URL.parse(address)
    if (!url || isIP(url.hostname.replaceAll(/[[\]]/g, '')) !== 0) return undefined
    return { id: url.hostname, origin: url.origin }
  }

  /** Returns the options for signing in with any passkey of this service. */
  async requestOptions({ id }: RelyingParty): Promise<v.InferOutput<typeof RequestOptions>> {
    const challenge = await this.#newChallenge(SIGN_IN)
    return { challenge, rpId: id, timeout: CHALLENGE_MS, userVerification: 'required' }
  }

  /** Returns the options for creating a passkey on an authenticator that has none of the user's yet. */
  async creationOptions(
    { id }: RelyingParty,
    { user, email }: { user: UserNumber; email: string },
  ): Promise<v.InferOutput<typeof CreationOptions>> {
    const credentialIds = await this.store.credentialIds(user)
    return {
      rp: { id, name: 'Saldo' },
      user: { id: handleOf(user), name: email, displayName: email },
      challenge: await this.#newChallenge(passkeyCreationOf(user)),
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
      timeout: CHALLENGE_MS,
      excludeCredentials: credentialIds.map((credential) => ({ id: credential, type: 'public-key' })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    }
  }

  /** Stores a passkey that answers a challenge of `creationOptions`. */
  async add(
    { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
    user: UserNumber,
    name: string,
    credential: v.InferOutput<typeof CreatedCredential>,
  ): Promise<AddOutcome> {
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
    const created = await unlessInvalid(async () => {
      await requireNoAttestation(credential.response.attestationObject)
      const { registrationInfo } = await verifyRegistrationResponse({
        response: { ...credential, clientExtensionResults: {} },
        expectedChallenge: (challenge) => this.#challenges.take(challenge, passkeyCreationOf(user), this.#now()),
        expectedOrigin,
        expectedRPID,
        supportedAlgorithmIDs: ALGORITHMS,
      })
      return registrationInfo?.credential
    })
    if (!created) return { outcome: 'refused' }
    const passkey = { id: this.#options.random.uuid(), name, created_at: this.#now(), last_used_at: null }
    const isAdded = await this.store.add(user, passkey, {
      credentialId: created.id,
      publicKey: Buffer.from(created.publicKey).toString('base64url'),
      counter: created.counter,
    })
    return isAdded ? { outcome: 'added', passkey } : { outcome: 'taken' }
  }

  /** Finds out whose passkey signed a challenge. A known passkey uses up the challenge, whatever the outcome. */
  async check(
    { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
    signed: v.InferOutput<typeof SignedChallenge>,
  ): Promise<CheckOutcome> {
    const found = await this.store.byCredential(signed.id)
    if (!found || signed.response.userHandle !== handleOf(found.user)) return { outcome: 'wrong_passkey' }
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    const result = await unlessInvalid(() =>
      verifyAuthenticationResponse({
        response: { ...signed, clientExtensionResults: {} },
        expectedChallenge: (challenge) => this.#challenges.take(challenge, SIGN_IN, this.#now()),
        expectedOrigin,
        expectedRPID,
        // `noteUse` compares the counter as it stores it, so that of two concurrent uses of a copy one is detected.
        credential: { id: signed.id, publicKey: Buffer.from(found.publicKey, 'base64url'), counter: 0 },
      }),
    )
    if (!result?.verified) return { outcome: 'wrong_passkey' }
    const counter = result.authenticationInfo.newCounter
    const isNoted = await this.store.noteUse(found.user, found.id, { counter, at: this.#now() })
    return isNoted ? { outcome: 'right', user: found.user } : { outcome: 'copied_passkey' }
  }

  #now() {
    return instantOf(this.#options.clock.now())
  }

  async #newChallenge(purpose: string): Promise<string> {
    const challenge = this.#options.random.token(CHALLENGE_BYTES)
    const until = instantOf(this.#options.clock.now() + CHALLENGE_MS)
    await this.#challenges.keep(challenge, purpose, { at: this.#now(), until })
    return challenge
  }
}

/** Returns the user handle that an authenticator keeps. It contains nothing personal. */
function handleOf(user: UserNumber): string {
  return Buffer.from(String(user)).toString('base64url')
}

/** Throws for an attestation: the library would look up its issuers at addresses that the sender chooses. */
async function requireNoAttestation(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  if (decoded.get('fmt') !== 'none') throw new Error('unexpected attestation')
}

/** Returns the result of the library, or `undefined` if it throws, as it does for any invalid response. */
async function unlessInvalid<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify()
  } catch (error) {
    if (error instanceof UnavailableError) throw error
    return undefined
  }
}
