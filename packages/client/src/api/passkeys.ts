import type { Instant, UserNumber } from '@saldo/core'
import { ownAddress } from '../host/platform.ts'
import { fetchTransport, type Transport } from '../host/transport.ts'
import { request } from './request.ts'

/** A key that the user signs in with instead of the password. */
export interface PasskeyRow {
  id: string
  name: string
  created_at: Instant
  last_used_at: Instant | null
}

/** The options of `navigator.credentials`, in JSON. */
interface Options {
  challenge: string
  timeout: number
}
interface RequestOptions extends Options {
  rpId: string
  userVerification: 'required'
}
interface CreationOptions extends Options {
  rp: { id: string; name: string }
  user: { id: string; name: string; displayName: string }
  pubKeyCredParams: { alg: number; type: 'public-key' }[]
  excludeCredentials: { id: string; type: 'public-key' }[]
  authenticatorSelection: { residentKey: 'required'; requireResidentKey: true; userVerification: 'required' }
  attestation: 'none'
}

/**
 * The passkeys of the signed-in user. All methods throw `OfflineError`, and `RejectedError` for a wrong password or
 * if the service has no passkeys.
 */
export interface Passkeys {
  /** Returns the newest first. */
  list(): Promise<PasskeyRow[]>
  /** Returns options for an authenticator. Its credential is valid once, for five minutes. */
  creationOptions(password: string): Promise<CreationOptions>
  /** Stores the credential of an authenticator. */
  add(name: string, credential: object): Promise<PasskeyRow>
  rename(id: string, name: string): Promise<PasskeyRow>
  /** Removes a passkey and ends all other sessions. */
  remove(id: string, password: string): Promise<void>
}

/** Signing in with a passkey, without an address and without a code. */
export interface PasskeySignIn {
  /** Returns options for an authenticator. Its credential is valid once, for five minutes. */
  requestOptions(): Promise<RequestOptions>
  /** Returns the user's number. Throws `NotSignedInError` if the service does not know the passkey. */
  signIn(credential: object): Promise<UserNumber>
}

const PATH = '/api/me/passkeys'

/** Returns the passkeys of the signed-in user, at the page's own service. */
export function passkeysOf(
  user: UserNumber,
  transport: Transport = fetchTransport({ url: ownAddress(), user }),
): Passkeys {
  const one = (id: string) => `${PATH}/${encodeURIComponent(id)}`
  return {
    list: async () => (await request<{ items: PasskeyRow[] }>(transport, 'GET', PATH)).items,
    creationOptions: (password) => request(transport, 'POST', '/api/me/passkey-options', { password }),
    add: (name, credential) => request(transport, 'POST', PATH, { name, credential }),
    rename: (id, name) => request(transport, 'PUT', one(id), { name }),
    remove: (id, password) => request(transport, 'DELETE', one(id), { password }),
  }
}

/** Returns the sign-in at the page's own service. */
export function passkeySignIn(transport: Transport = fetchTransport({ url: ownAddress() })): PasskeySignIn {
  return {
    requestOptions: () => request(transport, 'POST', '/api/auth/passkey/options'),
    signIn: async (credential) =>
      (await request<{ user_id: UserNumber }>(transport, 'POST', '/api/auth/passkey', { credential })).user_id,
  }
}
