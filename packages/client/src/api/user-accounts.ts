/** The accounts of other users, for admins. @module */
import type {
  LinkTarget,
  ServiceState,
  UserAccountFilter,
  UserAccountLink,
  UserAccountOrder,
  UserAccountRow,
  UserNumber,
  UserRole,
} from '@saldo/core'
import { ownAddress } from '../host/platform.ts'
import { fetchTransport, type Transport } from '../host/transport.ts'
import { request } from './request.ts'

const PATH = '/api/admin/users'

/**
 * The proof that it is the admin who acts: the password, or what a passkey made of the options of `passkeySignIn`.
 * Empty for an admin without a password, who has just signed in.
 */
export type Proof = { password?: string } | { credential: object }

/** The accounts that an admin manages. */
export type UserAccounts = ReturnType<typeof userAccountsOf>

/**
 * Returns the accounts of the page's own service, for a user who is an admin. All methods throw `OfflineError`, and
 * `RejectedError`: `forbidden` for a user who is no admin or a wrong proof, `conflict` for an address that is taken or
 * the last admin.
 */
export function userAccountsOf(user: UserNumber, transport: Transport = fetchTransport({ url: ownAddress(), user })) {
  const one = (id: number) => `${PATH}/${id}`
  return {
    /** Returns a page of the accounts that are shown and whose name or address has all words, and their number. */
    find: (page: {
      search: string
      offset: number
      limit: number
      show?: UserAccountFilter
      order?: UserAccountOrder
    }) => request<{ items: UserAccountRow[]; count: number }>(transport, 'POST', '/api/admin/user-search', page),
    service: () => request<ServiceState>(transport, 'GET', '/api/admin/service'),
    /** Adds a user, who sets a password by the link. */
    invite: (person: { email: string; name: string }, proof: Proof) =>
      request<{ account: UserAccountRow; link: UserAccountLink }>(transport, 'POST', PATH, { ...person, ...proof }),
    /**
     * Makes a new invitation, or a link to reset the password; an earlier link is no longer valid. With `show`, the
     * link is returned and not mailed.
     */
    createLink: (id: number, proof: Proof, { show = false }: { show?: boolean } = {}) =>
      request<UserAccountLink>(transport, 'POST', `${one(id)}/link`, { show, ...proof }),
    /** Changes an account. Address, role and reactivating need a proof. */
    change: (id: number, change: { name?: string; email?: string; role?: UserRole; active?: boolean }, proof?: Proof) =>
      request<UserAccountRow>(transport, 'PATCH', one(id), { ...change, ...proof }),
    /** Removes the account of somebody who has not used an invitation. */
    withdraw: (id: number) => request(transport, 'DELETE', `${one(id)}/invitation`),
    endSessions: (id: number) => request(transport, 'DELETE', `${one(id)}/sessions`),
    /** Deactivates a user, and erases them with all their data in 14 days. */
    erase: (id: number) => request<UserAccountRow>(transport, 'DELETE', one(id)),
  }
}

/** A link that sets a password. */
export type PasswordLink = ReturnType<typeof passwordLink>

/** Returns the link with a secret, of the page's own service. Both methods throw `RejectedError` if it is not valid. */
export function passwordLink(secret: string, transport: Transport = fetchTransport({ url: ownAddress() })) {
  return {
    read: () => request<LinkTarget>(transport, 'POST', '/api/auth/link', { secret }),
    /** Sets the password and uses the link up. */
    setPassword: (password: string) => request(transport, 'POST', '/api/auth/link/password', { secret, password }),
  }
}

/** Asks for a mail with a link to set a new password. Resolves alike whether the address has an account or not. */
export function forgotPassword(email: string, transport: Transport = fetchTransport({ url: ownAddress() })) {
  return request(transport, 'POST', '/api/auth/forgotten-password', { email })
}

/**
 * Confirms an address of the signed-in user by its link's secret. Throws `RejectedError`: `not_found`, also if another
 * user asked for the link, or `conflict` if the address is taken.
 */
export function confirmEmail(
  user: UserNumber,
  secret: string,
  transport: Transport = fetchTransport({ url: ownAddress(), user }),
) {
  return request<{ email: string }>(transport, 'POST', '/api/auth/email', { secret })
}

/** Returns false while nobody has shown that the address of the signed-in user is theirs. */
export async function isEmailConfirmed(
  user: UserNumber,
  transport: Transport = fetchTransport({ url: ownAddress(), user }),
): Promise<boolean> {
  return (await request<{ email_confirmed: boolean }>(transport, 'GET', '/api/me')).email_confirmed
}

/** Asks for a mail with a link that confirms the address of the signed-in user. Throws `RejectedError`: `conflict`. */
export function mailConfirmation(
  user: UserNumber,
  transport: Transport = fetchTransport({ url: ownAddress(), user }),
): Promise<unknown> {
  return request(transport, 'POST', '/api/me/email-confirmation')
}

/**
 * Asks for another address of the signed-in user. Throws `RejectedError`: `forbidden` for a wrong password, `conflict`
 * for an address that is taken, where that shows.
 */
export function changeEmail(
  user: UserNumber,
  change: { email: string; password: string },
  transport: Transport = fetchTransport({ url: ownAddress(), user }),
) {
  return request<{ outcome: 'changed' | 'confirmation_sent' }>(transport, 'POST', '/api/me/email', change)
}

/** Returns false if the service no longer has a user, such as one who was erased. Throws `OfflineError`. */
export async function userAccountExists(
  user: UserNumber,
  transport: Transport = fetchTransport({ url: ownAddress() }),
): Promise<boolean> {
  return (await request<{ exists: boolean }>(transport, 'GET', `/api/auth/accounts/${user}`)).exists
}
