import type { AuthenticatorKey, SecondFactorState, UserNumber } from '@saldo/core'
import { ownAddress } from '../host/platform.ts'
import { fetchTransport, type Transport } from '../host/transport.ts'
import { request } from './request.ts'

const PATH = '/api/me/second-factor'

/**
 * Returns the second factor of the signed-in user, at the page's own service: the codes of an authenticator app that
 * signing in asks for beside the password. All methods throw `OfflineError`, and `RejectedError` for a wrong password
 * or code.
 */
export function secondFactorOf(user: UserNumber, transport: Transport = fetchTransport({ url: ownAddress(), user })) {
  const recoveryCodes = async (path: string, body: object) =>
    (await request<{ recovery_codes: string[] }>(transport, 'POST', PATH + path, body)).recovery_codes
  return {
    /** `since` is null if signing in asks for no code. */
    state: () => request<SecondFactorState>(transport, 'GET', PATH),
    /** Makes a key, which `confirm` activates. */
    begin: (password: string) => request<AuthenticatorKey>(transport, 'POST', PATH, { password }),
    /** Activates the key and ends all other sessions. Returns the recovery codes, which cannot be shown again. */
    confirm: (code: string) => recoveryCodes('/confirmation', { code }),
    /** Replaces the recovery codes. */
    renewRecoveryCodes: (password: string) => recoveryCodes('/recovery-codes', { password }),
    /** Removes the second factor and ends all other sessions. */
    remove: (password: string) => request(transport, 'DELETE', PATH, { password }),
  }
}
