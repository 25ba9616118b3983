import type { IncomingHttpHeaders } from 'node:http'
import type {
  EpochMs,
  LinkTarget,
  MailDelivery,
  MailLanguage,
  UserAccountFilter,
  UserAccountOrder,
  UserNumber,
} from '@saldo/core'
import {
  DAY_MS,
  epochMs,
  folded,
  hasWords,
  instantOf,
  mailLanguages,
  type UserAccountLink,
  type UserAccountRow,
  wordsOf,
} from '@saldo/core'
import { acceptedLanguage } from '../http/accepted-language.ts'
import type { Letter } from '../mail/letters.ts'
import type { AccountNotice, OwnNotice } from '../mail/notices.ts'
import { AccountLinkStore, type EmailChangeOutcome, type LinkPermit } from '../store/users/account-links.ts'
import {
  type UserAccountEdit as AccountEdit,
  UserAccountStore,
  type UserAccountSummary,
} from '../store/users/user-accounts.ts'
import type { AddUserOutcome, NewUser, User } from '../store/users/users.ts'
import { mapInSlices } from '../time-slice.ts'
import type { AuthOptions } from './auth-options.ts'
import { type PasswordHashing, scryptHashing } from './password-hashing.ts'
import { newSecret, secretKeyOf } from './secret.ts'
import { actsOf, type UserAccountAct } from './user-account-acts.ts'
import { sessionLimits } from './web-sessions.ts'

/** An invitation waits in a mailbox over a holiday; the others are asked for by somebody who waits for them (D19.8). */
const LINK_MS = { invitation: 14 * DAY_MS, reset: DAY_MS, email: DAY_MS }
/** An erased account can be kept for this time (D19.11). */
const GRACE_MS = 14 * DAY_MS

/** The pages of the app that links lead to. The secret stands behind `#`, so that no server logs it (D19.11). */
const PATHS = { password: '/link', email: '/confirm-email', signIn: '/' }

/** The admin who creates a link, and the language of its mail if neither the user nor the admin has chosen one. */
export interface LinkRequest {
  language: MailLanguage
  by?: UserNumber | undefined
  /** True for an invitation to a company, whose language is never that of who invites (D24.21). */
  isOfCompany?: boolean
  /** True to return the link and not mail it. */
  show?: boolean | undefined
  /** True if earlier links stay valid, because anybody can ask for a link. */
  keepsEarlier?: boolean
  permit?: LinkPermit
}

/** `changed` has the acts that the change was. */
export type EditOutcome =
  | { outcome: 'changed'; acts: UserAccountAct[] }
  | { outcome: 'not_found' | 'last_admin' | 'only_hr' | 'email_taken' | 'deactivated' }

/** The page of a list of accounts. */
export interface UserAccountQuery {
  offset: number
  limit: number
  show?: UserAccountFilter
  order?: UserAccountOrder
}

export interface UserAccountPage {
  items: UserAccountRow[]
  /** All accounts that the words find. */
  count: number
}

/** An account that nobody has used for this time is quiet. */
const QUIET_AFTER_MS = 30 * DAY_MS

function isShown(account: UserAccountSummary, show: UserAccountFilter, nowMs: EpochMs): boolean {
  const { state, role, lastActiveAt, hasPassword, hasSecondFactor, isConfirmed } = account
  switch (show) {
    case 'all':
      return true
    case 'invited':
      return state === 'invited'
    case 'deactivated':
      return state === 'deactivated' || state === 'erasing'
    case 'quiet':
      return state === 'active' && (lastActiveAt === null || epochMs(lastActiveAt) < nowMs - QUIET_AFTER_MS)
    case 'one_factor':
      return state === 'active' && hasPassword && !hasSecondFactor
    case 'unconfirmed':
      return !isConfirmed
    case 'admins':
      return role === 'admin'
  }
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
/** The keys by which accounts are ordered; those that are equal keep the order of their addresses. */
const orderKeys: Record<UserAccountOrder, (account: UserAccountSummary) => string> = {
  email: ({ email }) => email,
  name: ({ name, email }) => folded(name || email),
  last_active: ({ lastActiveAt }) => lastActiveAt ?? '',
}

/** Accounts of a company: invitations, resets, deactivation, and erasure after a time of grace. */
export class UserAccounts {
  readonly store: UserAccountStore
  readonly #links: AccountLinkStore
  readonly #options: AuthOptions
  readonly #hashing: PasswordHashing

  constructor(options: AuthOptions) {
    this.#options = options
    this.#hashing = options.hashing ?? scryptHashing
    this.store = new UserAccountStore(options.driver)
    this.#links = new AccountLinkStore(options.driver)
  }

  /** Adds a user; see `UserStore.add`. `isConfirmed`: the operator gave the address. */
  async signUp(
    { email, name, password }: { email: string; name?: string | undefined; password: string },
    rights: Pick<NewUser, 'setupCode' | 'isConfirmed' | 'role'> = {},
  ): Promise<AddUserOutcome> {
    const passwordHash = await this.#hashing.hash(password)
    return this.#options.users.add({ email, name, passwordHash, at: this.#now(), ...rights })
  }

  /** Returns a page of the accounts that a filter shows and whose name or address has all words. */
  async find(
    words: string,
    { offset, limit, show = 'all', order = 'email' }: UserAccountQuery,
  ): Promise<UserAccountPage> {
    const all = await this.store.summaries()
    const sought = wordsOf(words)
    const nowMs = this.#options.clock.now()
    const isFound = (account: UserAccountSummary) =>
      isShown(account, show, nowMs) && hasWords(folded(`${account.name} ${account.email}`), sought)
    const keyed = await mapInSlices(all, (account) =>
      isFound(account) ? [{ id: account.id, key: orderKeys[order](account) }] : [],
    )
    const found = keyed.flat().toSorted((a, b) => byText(a.key, b.key))
    const ids = found.slice(offset, offset + limit).map(({ id }) => id)
    return { items: await this.store.rows(ids, this.#limits()), count: found.length }
  }

  /** Returns all accounts, in the order of addresses. */
  async all(): Promise<UserAccountRow[]> {
    return (await this.find('', { offset: 0, limit: Number.MAX_SAFE_INTEGER })).items
  }

  async byId(user: UserNumber): Promise<UserAccountRow | undefined> {
    return (await this.store.rows([user], this.#limits()))[0]
  }

  /** Adds a user who sets a password by a link. Throws nothing for an address that is taken, and adds nobody. */
  invite(email: string, name: string): Promise<AddUserOutcome> {
    return this.#options.users.add({ email, isConfirmed: true, name, passwordHash: null, at: this.#now() })
  }

  /**
   * Creates a link with which a user sets a password, in place of earlier ones, and mails it where the service sends
   * mails; where people sign in at their company alone, a link to the sign-in page. Returns `undefined` if the user
   * does not exist, is deactivated, or gets another address meanwhile.
   */
  async createLink(id: UserNumber, request: LinkRequest): Promise<UserAccountLink | undefined> {
    const user = await this.#options.users.byId(id)
    if (!user) return undefined
    if (this.#options.oidcOnly) return this.#inviteToCompanySignIn(user, request)
    const isInvited = await this.store.isInvited(id)
    const { secret, key } = newSecret(this.#options.random, '', id)
    const expires_at = this.#in(LINK_MS[isInvited ? 'invitation' : 'reset'])
    const isMailed = this.#options.mailer?.isOn === true && !request.show
    const mailedTo = isMailed ? user.email : undefined
    const link = { purpose: 'password', expiresAt: expires_at, email: mailedTo, ofAddress: user.email } as const
    const kept = request.keepsEarlier ? { keepValidAt: this.#now() } : {}
    // Those of somebody invited rest once whoever saw the link has used it.
    const rested = isInvited || request.keepsEarlier ? {} : { restsRolesAt: this.#now() }
    if (!(await this.#links.putLink(key, link, { ...kept, ...rested, permit: request.permit }))) return undefined
    const path = `${PATHS.password}#${secret}`
    const mail = isMailed ? await this.#mailLink(user, { ...request, isInvited, path }) : null
    if (mail) await this.#links.noteMail(key, mail)
    // The person has not asked for a link that somebody else passes on.
    if (request.show) this.tellChange(id, 'link', request.language)
    return { path: mail === 'sent' ? null : path, expires_at, mail }
  }

  /**
   * Mails a link to whoever forgot the password, if the address has an active account. It begins after the response, so
   * that the response tells nothing of the account (D19.14). Earlier links stay valid, since a stranger can ask too.
   */
  forgotPassword(email: string, language: MailLanguage): void {
    this.#options.mailer?.later(async () => {
      const user = await this.#options.users.byEmail(email)
      if (user) await this.createLink(user.id, { language, keepsEarlier: true })
    })
  }

  /**
   * Changes the address of a user at once where the service sends no mails. Otherwise mails a link to the new address,
   * which changes it in the account that asked; whether the address is taken shows only there (D19.16).
   */
  async changeEmail(
    id: UserNumber,
    email: string,
    language: MailLanguage,
  ): Promise<'changed' | 'confirmation_sent' | 'email_taken'> {
    if (await this.#mailConfirmation(id, { email }, language)) return 'confirmation_sent'
    const { outcome } = await this.#links.changeEmail(id, email, this.#now())
    return outcome === 'wrong_link' ? 'email_taken' : outcome
  }

  /** Mails a link that confirms the address of a user; none if it is confirmed, or the service sends no mails. */
  async confirmLater(id: UserNumber, language: MailLanguage): Promise<void> {
    const user = await this.#options.users.byId(id)
    if (!user || user.email_confirmed_at !== null) return
    await this.#mailConfirmation(id, { email: user.email, ofAddress: user.email }, language)
  }

  /**
   * Mails a link to an address, which confirms it in the account of a user; nothing if another user has the address, or
   * it is confirmed. Returns false where the service sends no mails.
   */
  async #mailConfirmation(
    id: UserNumber,
    { email, ofAddress }: { email: string; ofAddress?: string },
    language: MailLanguage,
  ): Promise<boolean> {
    const { mailer, random, users } = this.#options
    if (!mailer?.isOn) return false
    const { secret, key } = newSecret(random, '', id)
    const expiresAt = this.#in(LINK_MS.email)
    if (!(await this.#links.putLink(key, { purpose: 'email', expiresAt, email, ofAddress }))) return true
    mailer.later(async () => {
      const [user, known] = [await users.byId(id), await users.byEmail(email)]
      if (!user || (known && (known.id !== id || known.email_confirmed_at !== null))) return
      const letter: Letter = {
        kind: 'confirm_email',
        isFirstProof: user.email_confirmed_at === null,
        url: mailer.url(`${PATHS.email}#${secret}`),
      }
      await mailer.send(email, letter, languageOf(user, language))
    })
    return true
  }

  /** Confirms an address by the link that was mailed to it, in the session of the user who asked; tells the old one. */
  async confirmEmail(
    secret: string,
    by: { user: UserNumber; session: number },
    language: MailLanguage,
  ): Promise<EmailChangeOutcome> {
    const key = secretKeyOf('', secret)
    if (key?.user !== by.user) return { outcome: 'wrong_link' }
    return this.#tellOldAddress(await this.#links.useEmailLink(key, by.session, this.#now()), language)
  }

  /**
   * Changes an account for an admin or an operator, who vouches for the address. Both addresses get a notice, unless
   * the user has not accepted an invitation yet or the old one was not confirmed: that may be a stranger's.
   */
  async change(user: UserNumber, edit: AccountEdit, language: MailLanguage): Promise<EditOutcome> {
    const changed = await this.store.change(user, edit, this.#now())
    if (changed.outcome !== 'changed') return changed
    const { before } = changed
    const acts = actsOf(before, edit)
    const { email } = edit
    if (email !== undefined && acts.includes('change_email') && !(await this.store.isInvited(user))) {
      const isConfirmed = before.email_confirmed_at !== null
      this.#tellOldAddress({ outcome: 'changed', user, before: before.email, isConfirmed, email }, language)
      this.#tell(user, (service, name) => ({ kind: 'email_corrected', name, email, service }), { language })
    }
    return { outcome: 'changed', acts }
  }

  /** Deactivates a user, who is erased after the time of grace. */
  eraseLater(user: UserNumber, language: MailLanguage): Promise<EditOutcome> {
    return this.change(user, { active: false, eraseAt: this.#in(GRACE_MS) }, language)
  }

  #tellOldAddress(changed: EmailChangeOutcome, language: MailLanguage): EmailChangeOutcome {
    if (changed.outcome === 'changed' && changed.isConfirmed && changed.before !== changed.email) {
      const { user, before, email } = changed
      this.#tell(user, (service, name) => ({ kind: 'email_changed', name, email, service }), { language, to: before })
    }
    return changed
  }

  /**
   * Tells users by mail of a change that they made themselves. An address that nobody has confirmed gets none: it may
   * be a stranger's, who would get as many as somebody likes (D19.33).
   */
  tellOwnChange(user: UserNumber, what: OwnNotice | 'password', headers: IncomingHttpHeaders): void {
    const language = acceptedLanguage(headers['accept-language'])
    this.#tell(user, (service, name) => ({ kind: 'account_changed', what, name, service }), {
      language,
      isConfirmedOnly: true,
    })
  }

  /** Tells a user by mail, where there is any, of a change of their account. */
  tellChange(user: UserNumber, what: AccountNotice, language: MailLanguage): void {
    this.#tell(user, (service, name) => ({ kind: 'account_changed', what, name, service }), { language })
  }

  /** Returns the account that a link opens; `undefined` if it has expired or is used already. */
  async openLink(secret: string): Promise<LinkTarget | undefined> {
    const key = secretKeyOf('', secret)
    const found = key && (await this.#links.findLink(key))
    if (!found || found.expiresAt <= this.#now()) return undefined
    const { email, name, isInvited } = found
    return { purpose: isInvited ? 'invitation' : 'reset', email, name }
  }

  /**
   * Sets a password by a link, which is used up, and tells the person. The second factor stays in force, unless the
   * link is the first proof that the address is the person's (D8.41). Returns the user; `undefined` if the link is not
   * valid.
   */
  async useLink(secret: string, password: string, language: MailLanguage): Promise<UserNumber | undefined> {
    const key = secretKeyOf('', secret)
    if (key === undefined) return undefined
    const isFirst = (await this.#links.findLink(key))?.isInvited === true
    const used = await this.#links.useLink(key, await this.#hashing.hash(password), this.#now())
    if (!used) return undefined
    const otherwise = isFirst ? 'first_password' : 'password'
    this.tellChange(used.user, used.isFirstProof ? 'first_proof' : otherwise, language)
    return used.user
  }

  /**
   * Erases the users whose time of grace has ended, and what is left of those deleted before. Returns their number. One
   * who cannot be erased, such as at a server that is down, keeps back nobody else.
   */
  async eraseDue(onFailure: (user: UserNumber, error: unknown) => void): Promise<number> {
    await this.store.removeDeleted(onFailure)
    const now = this.#now()
    let erased = 0
    for (const user of await this.store.due(now)) {
      try {
        erased += Number(await this.store.erase(user, now))
      } catch (error) {
        onFailure(user, error)
      }
    }
    return erased
  }

  async #inviteToCompanySignIn(
    user: User,
    { by, show, permit, ...request }: LinkRequest,
  ): Promise<UserAccountLink | undefined> {
    const { driver, mailer, users, providers = [] } = this.#options
    if (user.deactivated_at !== null) return undefined
    await driver.write(async (sql) => permit?.(sql))
    const link = { path: PATHS.signIn, expires_at: this.#in(LINK_MS.invitation) }
    if (!mailer?.isOn || show) return { ...link, mail: null }
    const sender = by === undefined ? undefined : await users.byId(by)
    const letter: Letter = {
      kind: 'company_invitation',
      name: greetedName(user),
      by: sender?.name || undefined,
      providers: providers.map(({ label }) => label),
      email: user.email,
      url: mailer.url(),
    }
    return { ...link, mail: await mailer.send(user.email, letter, languageOfLink(user, sender, request)) }
  }

  async #mailLink(
    user: User,
    { by, isInvited, path, ...request }: LinkRequest & { isInvited: boolean; path: string },
  ): Promise<MailDelivery | null> {
    const { mailer, users } = this.#options
    if (!mailer?.isOn) return null
    const { email } = user
    const name = greetedName(user)
    const url = mailer.url(path)
    const sender = by === undefined ? undefined : await users.byId(by)
    const letter: Letter = isInvited
      ? { kind: 'invitation', name, by: sender?.name || undefined, email, url }
      : { kind: 'reset', name, isFirstProof: user.email_confirmed_at === null, url }
    return mailer.send(email, letter, languageOfLink(user, sender, request))
  }

  #tell(
    id: UserNumber,
    letterTo: (service: string, name: string) => Letter,
    { language, to, isConfirmedOnly }: { language: MailLanguage; to?: string; isConfirmedOnly?: boolean },
  ): void {
    const { mailer, users } = this.#options
    if (!mailer?.isOn) return
    mailer.later(async () => {
      const user = await users.byId(id)
      if (!user || (isConfirmedOnly && user.email_confirmed_at === null)) return
      await mailer.send(to ?? user.email, letterTo(mailer.url(), greetedName(user)), languageOf(user, language))
    })
  }

  #now() {
    return instantOf(this.#options.clock.now())
  }

  #in(ms: number) {
    return instantOf(this.#options.clock.now() + ms)
  }

  #limits() {
    return sessionLimits(this.#options.clock.now())
  }
}

/** Returns the name for a letter: none while the address may be a stranger's, who gets no text of the user (D19.30). */
export function greetedName({ name, email_confirmed_at }: User): string {
  return email_confirmed_at === null ? '' : name
}

function languageOfLink(
  user: User,
  sender: User | undefined,
  { language, isOfCompany = false }: Pick<LinkRequest, 'language' | 'isOfCompany'>,
): MailLanguage {
  return languageOf(user, sender && !isOfCompany ? languageOf(sender, language) : language)
}

/** Returns the language that a user has chosen for the app, if the service writes it. */
export function languageOf({ preferences }: User, otherwise: MailLanguage): MailLanguage {
  return mailLanguages.find((language) => language === preferences?.language) ?? otherwise
}
