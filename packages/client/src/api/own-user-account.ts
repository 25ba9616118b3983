import type {
  FeedInput,
  FeedRow,
  Preferences,
  Profile,
  SessionRow,
  TeamSummary,
  TokenRow,
  UserAccountPatch,
  UserNumber,
} from '@saldo/core'
import type { Transport } from '../host/transport.ts'
import { connectOver } from './connect.ts'
import { OtherUserError } from './errors.ts'
import { NotSignedInError, request, requestResponse } from './request.ts'

/** A user's address and what they tell of themselves; `preferences` are null until they have chosen some. */
export interface OwnProfile extends Profile {
  email: string
  preferences: Preferences | null
}

/** Everything that the service has of a user. */
export interface Export {
  /** JSON text. */
  text: string
  /** The version of this content: while it is the latest, the account can be deleted. */
  tag: string
}

/** The user's account at the service. All methods need the service and throw `OfflineError` without it. */
export type UserAccount = ReturnType<typeof userAccountOf>

/** Returns the account of the user of a device; `onEvent` passes events to its engine. */
export function userAccountOf(
  transport: Transport,
  user: UserNumber,
  onEvent: (event: 'syncRequested' | 'unauthenticated') => void,
) {
  /** Tells that another way, such as a passkey, signed the browser in. Throws `OtherUserError`. Sync continues. */
  const onSignedIn = (signedIn: UserNumber): void => {
    if (signedIn !== user) throw new OtherUserError(signedIn)
    onEvent('syncRequested')
  }
  const items = async <T>(path: string) => (await request<{ items: T[] }>(transport, 'GET', path)).items

  return {
    /** Throws what `Connection.signIn` throws, and `OtherUserError`. Sync continues. */
    async signIn(email: string, password: string, code?: string): Promise<void> {
      onSignedIn(await connectOver(transport).signIn({ email, password, code }))
    },
    onSignedIn,
    /**
     * Ends the session without asking; the local store stays. `Saldo.signOut` asks first. Returns the address where an
     * OpenID provider ends its own session, if there is one.
     */
    async signOut(): Promise<string | undefined> {
      const path = '/api/auth/sign-out'
      const ended = request<{ provider_sign_out_url: string } | undefined>(transport, 'POST', path)
      const answer = await ended.catch((error: unknown) => {
        // The session has ended already.
        if (!(error instanceof NotSignedInError)) throw error
      })
      onEvent('unauthenticated')
      return answer?.provider_sign_out_url
    },
    /** Ends all other sessions, and revokes all tokens and calendar feeds unless `keepTokens` is set. */
    changePassword: (
      current_password: string,
      new_password: string,
      { keepTokens: keep_tokens = false }: { keepTokens?: boolean } = {},
    ) => request(transport, 'POST', '/api/me/password', { current_password, new_password, keep_tokens }),
    profile: async () => profileOf(await request<OwnProfile>(transport, 'GET', '/api/me')),
    /** Replaces the fields and preferences that the patch has; returns the whole profile. Throws `RejectedError`. */
    changeProfile: async (patch: UserAccountPatch) =>
      profileOf(await request<OwnProfile>(transport, 'PATCH', '/api/me', patch)),
    /** Returns the company that concerns the user; `undefined` without one. */
    async team(): Promise<TeamSummary | undefined> {
      // Without a company, routes of the team are not found (D24.1), which browsers log as an error.
      const { has_company } = await request<{ has_company?: boolean }>(transport, 'GET', '/api/me')
      return has_company ? request<TeamSummary>(transport, 'GET', '/api/team') : undefined
    },
    sessions: () => items<SessionRow>('/api/me/sessions'),
    endSession: (id: number) => request(transport, 'DELETE', `/api/me/sessions/${id}`),
    tokens: () => items<TokenRow>('/api/me/tokens'),
    /**
     * Returns the secret, which cannot be shown again. `proof` is the password, or what a passkey made of the options
     * of `passkeySignIn`. Throws `RejectedError` (`forbidden`) if it is wrong.
     */
    createToken: async (
      token: Pick<TokenRow, 'name' | 'scope' | 'expires_at'>,
      proof: { password: string } | { credential: object },
    ): Promise<string> =>
      (await request<{ token: string }>(transport, 'POST', '/api/me/tokens', { ...token, ...proof })).token,
    revokeToken: (id: string) => request(transport, 'DELETE', `/api/me/tokens/${encodeURIComponent(id)}`),
    feeds: () => items<FeedRow>('/api/me/feeds'),
    /** Returns the path of the feed's address, which cannot be shown again. `proof` and errors as of `createToken`. */
    createFeed: async (
      feed: FeedInput & { name: string },
      proof: { password: string } | { credential: object },
    ): Promise<string> =>
      (await request<{ path: string }>(transport, 'POST', '/api/me/feeds', { ...feed, ...proof })).path,
    revokeFeed: (id: string) => request(transport, 'DELETE', `/api/me/feeds/${encodeURIComponent(id)}`),
    async export(): Promise<Export> {
      const { body, headers } = await requestResponse(transport, { method: 'GET', path: '/api/me/export' })
      return { text: JSON.stringify(body), tag: headers.get('etag') ?? '' }
    },
    /** Deletes the account at the service. Throws `RejectedError` if `tag` is not that of the latest content. */
    async deleteAccount(password: string, { tag }: Pick<Export, 'tag'>): Promise<void> {
      const headers = { 'if-match': tag }
      await requestResponse(transport, { method: 'DELETE', path: '/api/me', body: { password }, headers })
      onEvent('unauthenticated')
    },
  }
}

function profileOf({ name, personnel_number, employer, email, preferences }: OwnProfile): OwnProfile {
  return { name, personnel_number, employer, email, preferences }
}
