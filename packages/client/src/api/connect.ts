import type { Signup, UserNumber, UserRole } from '@saldo/core'
import { ownAddress } from '../host/platform.ts'
import { fetchTransport, type Transport } from '../host/transport.ts'
import { request } from './request.ts'

/** The facts about a service that need no sign-in. */
export interface ServiceFacts {
  /** The number of its wire protocol. */
  protocol: number
  build: string
  /** Sign-up is for the first user with the set-up code, for anybody, or for nobody. */
  signup: Signup
  /** True for a demo: an account that all visitors share, which is reset every hour. */
  demo: boolean
  /** True if it mails links, also to whoever forgot the password. */
  mail: boolean
  /** The ways to sign in: by password and passkey or not, and at these OpenID providers. */
  sign_in: { password: boolean; providers: { id: string; label: string }[] }
}

/** The service before a device is open, to find out whose device to open. Throws `OfflineError`, `RejectedError`. */
export type Connection = ReturnType<typeof connectOver>

/** Connects to a service. Without a token, the browser's cookie counts; without an address, the page's own origin. */
export function connect({ url = ownAddress(), token }: { url?: string; token?: string } = {}): Connection {
  return connectOver(fetchTransport({ url, ...(token !== undefined && { token }) }))
}

export function connectOver(transport: Transport) {
  return {
    service: () => request<ServiceFacts>(transport, 'GET', '/api/version'),
    /** Returns the signed-in user, or the user of the token. Throws `NotSignedInError`. */
    async me() {
      type Me = { user_id: UserNumber; email: string; role: UserRole; has_password: boolean }
      const me = await request<Me>(transport, 'GET', '/api/me')
      return { user: me.user_id, email: me.email, role: me.role, hasPassword: me.has_password }
    },
    /** Signs up and in; the first user needs the set-up code that the service printed. Returns the user's number. */
    async signUp({ setupCode, ...person }: { email: string; name: string; password: string; setupCode?: string }) {
      const body = { ...person, ...(setupCode !== undefined && { setup_code: setupCode }) }
      return (await request<{ user_id: UserNumber }>(transport, 'POST', '/api/auth/sign-up', body)).user_id
    },
    /**
     * Returns the user's number. Throws `NotSignedInError` for a wrong address or password, `RejectedError` with
     * `second_factor_required` if a code of the second factor is missing or wrong.
     */
    async signIn(person: { email: string; password: string; code?: string | undefined }) {
      return (await request<{ user_id: UserNumber }>(transport, 'POST', '/api/auth/sign-in', person)).user_id
    },
    /**
     * Returns the address of an OpenID provider, to which the browser must go. It comes back to the path `returnTo`;
     * with `user`, nobody else is signed in. Throws `OfflineError` with `unavailable` if the provider does not respond.
     */
    async companySignIn(provider: string, { returnTo, user }: { returnTo: string; user?: UserNumber | undefined }) {
      const body = { return_to: returnTo, user_id: user }
      const path = `/api/auth/oidc/${encodeURIComponent(provider)}`
      return (await request<{ url: string }>(transport, 'POST', path, body)).url
    },
  }
}
