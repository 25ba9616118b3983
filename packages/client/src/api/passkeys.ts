import type { Instant } from '@saldo/core'
import { ownAddress } from '../host/platform.ts'
import { fetchTransport, type Transport } from '../host/transport.ts'
import { ask } from './ask.ts'

/** A key with which the user signs in instead of the password. */
export interface PasskeyRow {
  id: string
  name: string
  created_at: Instant
  last_used_at: Instant | null
}

/** What `navigator.credentials` is asked, in JSON. */
interface Options {
  challenge: string
  timeout: number
}
export interface RequestOptions extends Options {
  rpId: string
  userVerification: 'required'
}
export interface CreationOptions extends Options {
  rp: { id: string; name: string }
  user: { id: string; name: string; displayName: string }
  pubKeyCredParams: { alg: number; type: 'public-key' }[]
  excludeCredentials: { id: string; type: 'public-key' }[]
  authenticatorSelection: { residentKey: 'required'; requireResidentKey: true; userVerification: 'required' }
  attestation: 'none'
}

/**
 * The passkeys of the signed-in user. All of it needs the service, and throws `OfflineError`, and `RefusedError` for a
 * wrong password or where the service has no passkeys.
 */
export interface Passkeys {
  /** The newest first. */
  list(): Promise<PasskeyRow[]>
  /** What to ask an authenticator for; its answer is good once, for five minutes. */
  creationOptions(password: string): Promise<CreationOptions>
  /** Keeps what an authenticator made. */
  add(name: string, credential: object): Promise<PasskeyRow>
  rename(id: string, name: string): Promise<PasskeyRow>
  /** Nobody signs in with it any more. Ends all other sessions. */
  remove(id: string, password: string): Promise<void>
}

/** Signing in with a passkey: nobody is named, and no code is asked for. */
export interface PasskeySignIn {
  /** What to ask an authenticator for; its answer is good once, for five minutes. */
  requestOptions(): Promise<RequestOptions>
  /** Returns the user's number. Throws `NotSignedInError` where the service does not know the passkey. */
  signIn(credential: object): Promise<number>
}

const PATH = '/api/me/passkeys'

/** The passkeys of the signed-in user, whose number says that nobody else is meant. */
export function passkeysOf(user: number): Passkeys {
  return passkeysOver(fetchTransport({ url: ownAddress(), user }))
}

export function passkeysOver(transport: Transport): Passkeys {
  const one = (id: string) => `${PATH}/${encodeURIComponent(id)}`
  return {
    list: async () => (await ask<{ items: PasskeyRow[] }>(transport, 'GET', PATH)).items,
    creationOptions: (password) => ask(transport, 'POST', '/api/me/passkey-options', { password }),
    add: (name, credential) => ask(transport, 'POST', PATH, { name, credential }),
    rename: (id, name) => ask(transport, 'PUT', one(id), { name }),
    remove: (id, password) => ask(transport, 'DELETE', one(id), { password }),
  }
}

/** At the page's own service, by the browser's cookie. */
export function passkeySignIn(): PasskeySignIn {
  return passkeySignInOver(fetchTransport({ url: ownAddress() }))
}

export function passkeySignInOver(transport: Transport): PasskeySignIn {
  return {
    requestOptions: () => ask(transport, 'POST', '/api/auth/passkey/options'),
    signIn: async (credential) =>
      (await ask<{ user_id: number }>(transport, 'POST', '/api/auth/passkey', { credential })).user_id,
  }
}
