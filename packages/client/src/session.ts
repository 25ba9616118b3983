import type { Instant, IsoDate } from '@saldo/core'
import type { Device } from './device.ts'
import { ask } from './service-only.ts'
import type { Transport } from './transport.ts'

/** Signing out would leave changes that the service does not have. */
export class UnsentChangesError extends Error {
  /** How many records have such changes. */
  readonly pending: number

  constructor(pending: number) {
    super(`${pending} changes have not been sent yet`)
    this.name = 'UnsentChangesError'
    this.pending = pending
  }
}

/** A place where the user is signed in. */
export interface SessionRow {
  id: number
  created_at: Instant
  expires_at: Instant
  user_agent: string | null
  /** This one. */
  current: boolean
}

/** A program's token; the secret itself is told once. */
export interface TokenRow {
  id: string
  name: string
  created_at: Instant
  last_used_on: IsoDate | null
}

/** The user's account at the service. Everything here needs it, and throws `OfflineError` where it cannot be reached. */
export interface Session {
  /** Throws `NotSignedInError` for a wrong address or password. Sync goes on by itself. */
  signIn(email: string, password: string): Promise<void>
  /** Throws `UnsentChangesError` where changes are pending, unless forced: they stay here, for the next time. */
  signOut(options?: { force?: boolean }): Promise<void>
  /** Ends all other sessions. */
  changePassword(current: string, next: string): Promise<void>
  sessions(): Promise<SessionRow[]>
  endSession(id: number): Promise<void>
  tokens(): Promise<TokenRow[]>
  /** Returns the secret, which nobody can tell again. */
  createToken(name: string): Promise<string>
  revokeToken(id: string): Promise<void>
}

export function sessionOf(transport: Transport, device: Device): Session {
  const items = async <T>(path: string) => (await ask<{ items: T[] }>(transport, 'GET', path)).items

  return {
    async signIn(email, password) {
      await ask(transport, 'POST', '/api/auth/sign-in', { email, password })
      device.happen('signedIn')
    },
    async signOut({ force = false } = {}) {
      const { pending } = await device.status()
      if (pending > 0 && !force) throw new UnsentChangesError(pending)
      await ask(transport, 'POST', '/api/auth/sign-out')
      device.happen('unauthenticated')
    },
    changePassword: (current_password, new_password) =>
      ask(transport, 'POST', '/api/me/password', { current_password, new_password }),
    sessions: () => items('/api/me/sessions'),
    endSession: (id) => ask(transport, 'DELETE', `/api/me/sessions/${id}`),
    tokens: () => items('/api/me/tokens'),
    createToken: async (name) => (await ask<{ token: string }>(transport, 'POST', '/api/me/tokens', { name })).token,
    revokeToken: (id) => ask(transport, 'DELETE', `/api/me/tokens/${encodeURIComponent(id)}`),
  }
}
