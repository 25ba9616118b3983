import type { AccessKeyRow, UserNumber } from '@saldo/core'
import { ownAddress } from '../host/platform.ts'
import { fetchTransport, type Transport } from '../host/transport.ts'
import { request } from './request.ts'

const PATH = '/api/me/passkeys'

/**
 * Returns the passkeys of the signed-in user, at the page's own service. All methods throw `OfflineError`, and
 * `RejectedError` for a wrong password or if the service has no passkeys.
 */
export function passkeysOf(user: UserNumber, transport: Transport = fetchTransport({ url: ownAddress(), user })) {
  const one = (id: string) => `${PATH}/${encodeURIComponent(id)}`
  return {
    /** Returns the newest first. */
    list: async () => (await request<{ items: AccessKeyRow[] }>(transport, 'GET', PATH)).items,
    /** Returns the options for `navigator.credentials`, as JSON. Its credential is valid once, for five minutes. */
    creationOptions: (password: string) => request<object>(transport, 'POST', '/api/me/passkey-options', { password }),
    /** Stores the credential of an authenticator. */
    add: (name: string, credential: object) => request<AccessKeyRow>(transport, 'POST', PATH, { name, credential }),
    rename: (id: string, name: string) => request<AccessKeyRow>(transport, 'PUT', one(id), { name }),
    /** Removes a passkey and ends all other sessions. */
    remove: (id: string, password: string) => request(transport, 'DELETE', one(id), { password }),
  }
}

/** Returns the sign-in with a passkey at the page's own service, without an address and without a code. */
export function passkeySignIn(transport: Transport = fetchTransport({ url: ownAddress() })) {
  return {
    /** Returns the options for `navigator.credentials`, as JSON. Its credential is valid once, for five minutes. */
    requestOptions: () => request<object>(transport, 'POST', '/api/auth/passkey/options'),
    /** Returns the user's number. Throws `NotSignedInError` if the service does not know the passkey. */
    signIn: async (credential: object) =>
      (await request<{ user_id: UserNumber }>(transport, 'POST', '/api/auth/passkey', { credential })).user_id,
  }
}
