import type { Instant, LocalDate } from '@saldo/core'
import type { Device } from '../engine/sync-engine.ts'
import type { Transport } from '../host/transport.ts'
import { ask, askWhole, NotSignedInError } from './ask.ts'
import { connectionOver } from './connect.ts'

/** The address and password are another user's, who has a device of their own. */
export class OtherUserError extends Error {
  /** The service's number of that user, as whom the browser is signed in now. */
  readonly user: number

  constructor(user: number) {
    super('This is another user’s account.')
    this.name = 'OtherUserError'
    this.user = user
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
  last_used_on: LocalDate | null
}

/** Everything that the service has of a user. */
export interface Export {
  /** JSON text. */
  text: string
  /** Names this state of it: the account can be deleted as long as it is the last. */
  tag: string
}

/** The user's account at the service. Everything here needs it, and throws `OfflineError` where it cannot be reached. */
export interface Session {
  /** Throws what `Connection.signIn` throws, and `OtherUserError` for another user's account. Sync goes on by itself. */
  signIn(email: string, password: string, code?: string): Promise<void>
  /** The service has let the browser in by other means, as this user: throws `OtherUserError` for another. Sync goes on by itself. */
  cameIn(user: number): void
  /** Ends the session; what is kept here stays. `Saldo.signOut` asks before. */
  signOut(): Promise<void>
  /** Ends all other sessions. */
  changePassword(current: string, next: string): Promise<void>
  sessions(): Promise<SessionRow[]>
  endSession(id: number): Promise<void>
  tokens(): Promise<TokenRow[]>
  /** Returns the secret, which nobody can tell again. */
  createToken(name: string): Promise<string>
  revokeToken(id: string): Promise<void>
  export(): Promise<Export>
  /** Deletes the account at the service; it wants to be exported first. Throws `RefusedError` where `exported` is not all any more. */
  deleteAccount(password: string, exported: Pick<Export, 'tag'>): Promise<void>
}

/** `user` is the one whose device it is. */
export function sessionOf(transport: Transport, device: Device, user: number): Session {
  const cameIn = (signedIn: number) => {
    if (signedIn !== user) throw new OtherUserError(signedIn)
    device.happen('signedIn')
  }
  const items = async <T>(path: string) => (await ask<{ items: T[] }>(transport, 'GET', path)).items

  return {
    async signIn(email, password, code) {
      cameIn(await connectionOver(transport).signIn({ email, password, code }))
    },
    cameIn,
    async signOut() {
      await ask(transport, 'POST', '/api/auth/sign-out').catch((error: unknown) => {
        // The session has ended already.
        if (!(error instanceof NotSignedInError)) throw error
      })
      device.happen('unauthenticated')
    },
    changePassword: (current_password, new_password) =>
      ask(transport, 'POST', '/api/me/password', { current_password, new_password }),
    sessions: () => items('/api/me/sessions'),
    endSession: (id) => ask(transport, 'DELETE', `/api/me/sessions/${id}`),
    tokens: () => items('/api/me/tokens'),
    createToken: async (name) => (await ask<{ token: string }>(transport, 'POST', '/api/me/tokens', { name })).token,
    revokeToken: (id) => ask(transport, 'DELETE', `/api/me/tokens/${encodeURIComponent(id)}`),
    async export() {
      const { body, headers } = await askWhole(transport, { method: 'GET', path: '/api/me/export' })
      return { text: JSON.stringify(body), tag: headers.get('etag') ?? '' }
    },
    async deleteAccount(password, { tag }) {
      const headers = { 'if-match': tag }
      await askWhole(transport, { method: 'DELETE', path: '/api/me', body: { password }, headers })
      device.happen('unauthenticated')
    },
  }
}
