import { hash } from 'node:crypto'
import { base32 } from '@better-auth/utils/base32'
import { createOTP } from '@better-auth/utils/otp'
import { type Clock, instantOf, type Random } from '@saldo/core'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import type { SqlDriver } from '../store/sql.ts'
import type { UserId } from '../store/store.ts'
import { SecondFactorStore } from '../store/users/second-factors.ts'

/** How long a code is the one that an authenticator app shows, in milliseconds (RFC 6238). */
const STEP_MS = 30_000
/** By how many steps the clock of a telephone may be wrong, either way. */
const DRIFT_STEPS = 1
/** As long as the output of the hash that authenticator apps use (RFC 4226 §4). */
const KEY_BYTES = 20
const RECOVERY_CODES = 8
/** 128 bits of chance need no slow hash, and are 26 characters. */
const RECOVERY_CODE_BYTES = 16

/** An authenticator app's key, told once: as text, and as the address that a QR code holds. */
export interface NewKey {
  key: string
  uri: string
}

export interface SecondFactorOptions {
  driver: SqlDriver
  clock: Clock
  random: Random
  /** Seals keys in the database. */
  secret: string
}

/** Codes of an authenticator app (TOTP, RFC 6238) beside the password, and recovery codes for when it is lost. */
export function createSecondFactor({ driver, clock, random, secret }: SecondFactorOptions) {
  const store = new SecondFactorStore(driver)
  const now = () => instantOf(clock.now())
  const bytes = (count: number) => new Uint8Array(Buffer.from(random.token(count), 'base64url'))

  /** The time step whose code this is, of those that count now; `undefined` where it is none's, or the key was sealed by another secret. */
  const stepOf = async (code: string, sealedKey: string): Promise<number | undefined> => {
    const key = await symmetricDecrypt({ key: secret, data: sealedKey }).catch(() => undefined)
    if (key === undefined) return undefined
    const otp = createOTP(base32.decode(key))
    const current = Math.floor(clock.now() / STEP_MS)
    let found: number | undefined
    // All are looked at, so that the time taken does not tell which it was.
    for (let step = current - DRIFT_STEPS; step <= current + DRIFT_STEPS; step += 1) {
      if ((await otp.hotp(step)) === code) found = step
    }
    return found
  }

  const newCodes = () => {
    const codes = Array.from({ length: RECOVERY_CODES }, () => grouped(encoded(bytes(RECOVERY_CODE_BYTES))))
    return { codes, hashes: codes.map(hashOf) }
  }

  return {
    state: (user: UserId) => store.state(user),

    /** Makes a key that asks for nothing yet: the first code of it does that. */
    async begin(user: UserId, email: string): Promise<NewKey> {
      const raw = bytes(KEY_BYTES)
      const key = encoded(raw)
      await store.begin(user, await symmetricEncrypt({ key: secret, data: key }), now())
      return { key, uri: createOTP(raw).url('Saldo', email) }
    },

    /** The first code of the key that was begun puts it into force. Returns the recovery codes, which are kept by hash. */
    async confirm(user: UserId, code: string): Promise<string[] | undefined> {
      const sealedKey = await store.sealedKey(user, 'begun')
      if (sealedKey === undefined) return undefined
      const step = await stepOf(withoutSpaces(code), sealedKey)
      if (step === undefined) return undefined
      const { codes, hashes } = newCodes()
      return (await store.confirm(user, { sealedKey, step, hashes, at: now() })) ? codes : undefined
    },

    /** Whether what came with a right password is enough. A code is taken: no other sign-in has it again. */
    async check(user: UserId, code: string | undefined): Promise<'enough' | 'code_needed' | 'wrong_code'> {
      const sealedKey = await store.sealedKey(user, 'in_force')
      if (sealedKey === undefined) return 'enough'
      if (code === undefined) return 'code_needed'
      const given = withoutSpaces(code)
      if (!/^\d{6}$/.test(given)) return (await store.takeRecoveryCode(user, hashOf(given))) ? 'enough' : 'wrong_code'
      const step = await stepOf(given, sealedKey)
      return step !== undefined && (await store.takeStep(user, step)) ? 'enough' : 'wrong_code'
    },

    /** New recovery codes; those that were left are worth nothing any more. */
    async renewRecoveryCodes(user: UserId): Promise<string[]> {
      const { codes, hashes } = newCodes()
      await store.replaceRecoveryCodes(user, hashes, now())
      return codes
    },

    /** The password alone is enough again. False where it was. */
    remove: (user: UserId) => store.remove(user),
  }
}

function encoded(raw: Uint8Array<ArrayBuffer>): string {
  return base32.encode(raw, { padding: false })
}

function grouped(text: string): string {
  return text.replaceAll(/.{4}(?=.)/g, '$&-')
}

function withoutSpaces(code: string): string {
  return code.replaceAll(/\s/g, '')
}

/** Of a recovery code, however it was typed. */
function hashOf(code: string): string {
  return hash('sha256', code.replaceAll('-', '').toUpperCase(), 'base64url')
}
