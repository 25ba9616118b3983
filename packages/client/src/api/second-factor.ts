import type { Instant, UserNumber } from '@saldo/core'
import { ownAddress } from '../host/platform.ts'
import { fetchTransport, type Transport } from '../host/transport.ts'
import { request } from './request.ts'

/** The key that an authenticator app makes codes of: as text, and as the address for a QR code. */
export interface NewKey {
  key: string
  uri: string
}

/**
 * The codes of an authenticator app that signing in asks for beside the password. All methods throw `OfflineError`,
 * and `RejectedError` for a wrong password or code.
 */
export interface SecondFactor {
  /** `since` is null if signing in asks for no code. */
  state(): Promise<{ since: Instant | null; recovery_codes_left: number }>
  /** Makes a key, which `confirm` activates. */
  begin(password: string): Promise<NewKey>
  /** Activates the key and ends all other sessions. Returns the recovery codes, which cannot be shown again. */
  confirm(code: string): Promise<string[]>
  /** Replaces the recovery codes. */
  renewRecoveryCodes(password: string): Promise<string[]>
  /** Removes the second factor and ends all other sessions. */
  remove(password: string): Promise<void>
}

const PATH = '/api/me/second-factor'

/** Returns the second factor of the signed-in user, at the page's own service. */
export function secondFactorOf(
  user: UserNumber,
  transport: Transport = fetchTransport({ url: ownAddress(), user }),
): SecondFactor {
  const recoveryCodes = async (path: string, body: object) =>
    (await request<{ recovery_codes: string[] }>(transport, 'POST', PATH + path, body)).recovery_codes
  return {
    state: () => request(transport, 'GET', PATH),
    begin: (password) => request(transport, 'POST', PATH, { password }),
    confirm: (code) => recoveryCodes('/confirmation', { code }),
    renewRecoveryCodes: (password) => recoveryCodes('/recovery-codes', { password }),
    remove: (password) => request(transport, 'DELETE', PATH, { password }),
  }
}
