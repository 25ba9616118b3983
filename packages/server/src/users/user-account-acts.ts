import type { MailLanguage, UserNumber } from '@saldo/core'
import type { AccountNotice } from '../mail/notices.ts'
import type { StoredServiceState } from '../store/service-state.ts'
import type { UserAccountEdit as AccountEdit, StoredUser } from '../store/users/user-accounts.ts'

/**
 * All that an admin or an operator does to the account of somebody: with the words of the log, and what the mail to the
 * person says. Null: no mail, or one of its own that has the link.
 */
export const userAccountActs = {
  add: { words: 'added a user', mail: null },
  invite: { words: 'invited a user', mail: null },
  link: { words: 'created a link to set a password', mail: null },
  withdraw: { words: 'withdrew an invitation', mail: null },
  change_name: { words: 'changed the name of a user', mail: null },
  change_email: { words: 'changed the address of a user', mail: null },
  confirm_email: { words: 'confirmed the address of a user', mail: null },
  set_password: { words: 'set a password', mail: 'password' },
  remove_second_factor: { words: 'removed a second factor', mail: 'second_factor' },
  remove_passkeys: { words: 'removed passkeys', mail: 'passkeys' },
  remove_company_sign_in: { words: 'removed company sign-in', mail: 'company_sign_in' },
  make_admin: { words: 'made a user an admin', mail: 'admin' },
  make_user: { words: 'made an admin a user', mail: 'user' },
  make_hr: { words: 'made a user the HR of a company', mail: null },
  deactivate: { words: 'deactivated an account', mail: 'deactivated' },
  reactivate: { words: 'reactivated an account', mail: 'reactivated' },
  erase: { words: 'erases an account in 14 days', mail: 'erasure' },
  end_sessions: { words: 'ended sessions', mail: 'sessions' },
  export: { words: 'exported an account', mail: 'export' },
  add_token: { words: 'created a token', mail: 'token' },
  revoke_token: { words: 'revoked a token', mail: 'token_revoked' },
  add_feed: { words: 'created a calendar feed', mail: 'feed' },
  revoke_feed: { words: 'revoked a calendar feed', mail: 'feed_revoked' },
  undo_auto_close: { words: 'reopened what auto-close closed', mail: 'reopened' },
} as const satisfies Record<string, { words: string; mail: AccountNotice | null }>
/** One of `accountActs`. */
export type UserAccountAct = keyof typeof userAccountActs

/** An act as it is logged. */
export interface DoneAct {
  act: UserAccountAct
  /** The person whose account it is. */
  user: UserNumber
  /** The admin. */
  by: UserNumber | OtherActor
}

/** The actors without an account: the operator at the command line, or an OpenID provider that names admins. */
export type OtherActor = 'operator' | 'provider'

/** Returns the acts that a change of an account was; none for what was so before. */
export function actsOf(before: StoredUser, { name, email, role, active, eraseAt }: AccountEdit): UserAccountAct[] {
  const acts: UserAccountAct[] = []
  if (email !== undefined && email !== before.email) acts.push('change_email')
  if (email === before.email && before.email_confirmed_at === null) acts.push('confirm_email')
  if (name !== undefined && name !== before.name) acts.push('change_name')
  if (role !== undefined && role !== before.role) acts.push(role === 'admin' ? 'make_admin' : 'make_user')
  if (active === true && before.deactivated_at !== null) acts.push('reactivate')
  if (active === false && eraseAt !== undefined && before.erase_at === null) acts.push('erase')
  if (active === false && eraseAt === undefined && before.deactivated_at === null) acts.push('deactivate')
  return acts
}

/** Notes each act on somebody's account in the service's log, and tells the person by mail. */
export class UserAccountActs {
  readonly #note: (done: DoneAct) => void | Promise<void>
  readonly #tell: (user: UserNumber, what: AccountNotice, language: MailLanguage) => void

  /** `note` keeps an act for the log (see `notedForService` for commands), and `tell` sends the mail about it. */
  constructor(
    note: (done: DoneAct) => void | Promise<void>,
    tell: (user: UserNumber, what: AccountNotice, language: MailLanguage) => void,
  ) {
    this.#note = note
    this.#tell = tell
  }

  /** Notes an act that is done. `language` is that of the mail if the person has not chosen one. */
  async done(act: UserAccountAct, user: UserNumber, by: DoneAct['by'], language: MailLanguage = 'en'): Promise<void> {
    await this.#note({ act, user, by })
    const { mail } = userAccountActs[act]
    if (mail !== null) this.#tell(user, mail, language)
  }
}

/**
 * Returns a function by which a command leaves an act in the database: the service writes it into its log, since the
 * output of a command is kept nowhere.
 */
export function notedForService(state: StoredServiceState, id: () => string): (done: DoneAct) => Promise<void> {
  return (done) => state.addAct(id(), JSON.stringify(done))
}
