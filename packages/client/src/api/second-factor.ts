import type { Instant } from '@saldo/core'
import { ownAddress } from '../host/platform.ts'
import { fetchTransport, type Transport } from '../host/transport.ts'
import { ask } from './ask.ts'

/** Whether signing in asks for a code beside the password. */
export interface SecondFactorState {
  /** Since when; `null` where it does not. */
  since: Instant | null
  recovery_codes_left: number
}

/** The key that an authenticator app makes codes of: as text, and as the address that a QR code holds. */
export interface NewKey {
  key: string
  uri: string
}

/**
 * Codes of an authenticator app beside the password. All of it needs the service, and throws `OfflineError`, and
 * `RefusedError` for a wrong password or code.
 */
export interface SecondFactor {
  state(): Promise<SecondFactorState>
  /** Makes a key; nothing is asked for yet. */
  begin(password: string): Promise<NewKey>
  /** From now on codes are asked for. Ends all other sessions. Returns the recovery codes, which nobody can tell again. */
  confirm(code: string): Promise<string[]>
  /** Those that were left are worth nothing any more. */
  renewRecoveryCodes(password: string): Promise<string[]>
  /** The password alone is enough again. Ends all other sessions. */
  remove(password: string): Promise<void>
}

const PATH = '/api/me/second-factor'

/** The second factor of the signed-in user, whose number says that nobody else is meant. */
export function secondFactorOf(user: number): SecondFactor {
  return secondFactorOver(fetchTransport({ url: ownAddress(), user }))
}

export function secondFactorOver(transport: Transport): SecondFactor {
  const codesOf = async (path: string, body: object) =>
    (await ask<{ recovery_codes: string[] }>(transport, 'POST', PATH + path, body)).recovery_codes
  return {
    state: () => ask(transport, 'GET', PATH),
    begin: (password) => ask(transport, 'POST', PATH, { password }),
    confirm: (code) => codesOf('/confirmation', { code }),
    renewRecoveryCodes: (password) => codesOf('/recovery-codes', { password }),
    remove: (password) => ask(transport, 'DELETE', PATH, { password }),
  }
}
