import { hash } from 'node:crypto'
import { base32 } from '@better-auth/utils/base32'
import { createOTP } from '@better-auth/utils/otp'
import { type AuthenticatorKey, instantOf, MINUTE_MS, type UserNumber } from '@saldo/core'
import { ChallengeStore, secondFactorCreationOf } from '../store/users/challenges.ts'
import { SecondFactorStore } from '../store/users/second-factors.ts'
import type { AuthOptions } from './auth-options.ts'
import { type Identity, nameOfKey } from './identification.ts'
import { seal, unseal } from './sealing.ts'

/** An authenticator app shows a new code after this time (RFC 6238). */
const STEP_MS = 30_000
/** The clock of a phone may be wrong by this many steps, either way. */
const DRIFT_STEPS = 1
/** The output size of SHA-1, which authenticator apps use (RFC 4226 §4). */
const KEY_BYTES = 20
/** A key must be confirmed within this time, by the session that proved who its user is. */
const CONFIRMATION_MS = 15 * MINUTE_MS
const RECOVERY_CODES = 8
/** 128 random bits, which need no slow hash and take 26 characters. */
const RECOVERY_CODE_BYTES = 16

/** The outcome of a first code. `expired`: the key is too old, another session made it, or the password has changed. */
export type FactorConfirmation = { outcome: 'confirmed'; codes: string[] } | { outcome: 'wrong_code' | 'expired' }

type Options = Pick<AuthOptions, 'driver' | 'clock' | 'random' | 'secret'>

/** Codes of an authenticator app (TOTP, RFC 6238) in addition to the password, and recovery codes. */
export class SecondFactor {
  /** The stored state, to be read and removed. */
  readonly store: SecondFactorStore
  readonly #options: Options
  readonly #challenges: ChallengeStore

  constructor(options: Options) {
    this.#options = options
    this.store = new SecondFactorStore(options.driver)
    this.#challenges = new ChallengeStore(options.driver)
  }

  /** Creates a key; `undefined` if one is in force. Signing in needs codes only after `confirm`. */
  async begin(identity: Identity, email: string): Promise<AuthenticatorKey | undefined> {
    const bytes = this.#bytes(KEY_BYTES)
    const key = encode(bytes)
    const sealedKey = seal(this.#options.secret, key)
    if (!(await this.store.begin(identity.user, sealedKey))) return undefined
    const nowMs = this.#options.clock.now()
    await this.#challenges.keep(challengeOf(sealedKey, identity), secondFactorCreationOf(identity.user), {
      at: instantOf(nowMs),
      until: instantOf(nowMs + CONFIRMATION_MS),
    })
    return { key, uri: createOTP(bytes).url('Saldo', email) }
  }

  /** Turns codes on with a first code of the new key, and makes the recovery codes. */
  async confirm(identity: Identity, code: string): Promise<FactorConfirmation> {
    const { user } = identity
    const key = await this.store.key(user)
    const step = key && (await this.#stepOf(withoutSpaces(code), key.sealedKey))
    if (!key || step === undefined) return { outcome: 'wrong_code' }
    const at = instantOf(this.#options.clock.now())
    const challenge = challengeOf(key.sealedKey, identity)
    if (!(await this.#challenges.take(challenge, secondFactorCreationOf(user), at))) return { outcome: 'expired' }
    const { codes, hashes } = this.#newCodes()
    const isConfirmed = await this.store.confirm(user, { sealedKey: key.sealedKey, step, hashes, at })
    return isConfirmed ? { outcome: 'confirmed', codes } : { outcome: 'expired' }
  }

  /** Returns the sealed key whose codes signing in needs; `undefined` if it needs none. */
  async keyInForce(user: UserNumber): Promise<string | undefined> {
    const key = await this.store.key(user)
    return key?.isInForce ? key.sealedKey : undefined
  }

  /** Checks the code that came with a correct password, by `keyInForce`. Each code is accepted once. */
  async check(
    user: UserNumber,
    sealedKey: string | undefined,
    code: string | undefined,
  ): Promise<'enough' | 'code_needed' | 'wrong_code'> {
    if (sealedKey === undefined) return 'enough'
    if (code === undefined) return 'code_needed'
    return (await this.#takeCode(user, withoutSpaces(code), sealedKey)) ? 'enough' : 'wrong_code'
  }

  /** Replaces all recovery codes; `undefined` if no key is in force. */
  async renewRecoveryCodes(user: UserNumber): Promise<string[] | undefined> {
    const { codes, hashes } = this.#newCodes()
    return (await this.store.replaceRecoveryCodes(user, hashes)) ? codes : undefined
  }

  async #takeCode(user: UserNumber, code: string, sealedKey: string): Promise<boolean> {
    if (!/^\d{6}$/.test(code)) return this.store.takeRecoveryCode(user, hashOf(code))
    const step = await this.#stepOf(code, sealedKey)
    return step !== undefined && this.store.takeStep(user, step)
  }

  /** Returns the current time step that has this code; `undefined` if none has, or another secret sealed the key. */
  async #stepOf(code: string, sealedKey: string): Promise<number | undefined> {
    const key = unseal(this.#options.secret, sealedKey)
    if (key === undefined) return undefined
    const otp = createOTP(base32.decode(key))
    const current = Math.floor(this.#options.clock.now() / STEP_MS)
    let found: number | undefined
    // Compares all steps, so that the time taken does not reveal which one matched.
    for (let step = current - DRIFT_STEPS; step <= current + DRIFT_STEPS; step += 1) {
      if ((await otp.hotp(step)) === code) found = step
    }
    return found
  }

  #newCodes() {
    const codes = Array.from({ length: RECOVERY_CODES }, () => grouped(encode(this.#bytes(RECOVERY_CODE_BYTES))))
    return { codes, hashes: codes.map(hashOf) }
  }

  #bytes(count: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(Buffer.from(this.#options.random.token(count), 'base64url'))
  }
}

/** Returns the challenge that only the session that began a key can take. */
function challengeOf(sealedKey: string, { by }: Identity): string {
  return hash('sha256', `${sealedKey} ${nameOfKey(by)}`, 'base64url')
}

function encode(bytes: Uint8Array<ArrayBuffer>): string {
  return base32.encode(bytes, { padding: false })
}

function grouped(text: string): string {
  return text.replaceAll(/.{4}(?=.)/g, '$&-')
}

function withoutSpaces(code: string): string {
  return code.replaceAll(/\s/g, '')
}

/** Returns the hash of a recovery code, with or without hyphens and in any case. */
function hashOf(code: string): string {
  return hash('sha256', code.replaceAll('-', '').toUpperCase(), 'base64url')
}
