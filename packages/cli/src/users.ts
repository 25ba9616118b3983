import { writeFile } from 'node:fs/promises'
import {
  check,
  DisplayName,
  instantOf,
  type MailLanguage,
  type UserAccountLink,
  type UserNumber,
  type UserRole,
} from '@saldo/core'
import {
  COMMON_PASSWORD,
  type EditOutcome,
  Email,
  exportedUser,
  exportParts,
  isCommonPassword,
  type Mailer,
  NewPassword,
  readConfig,
  type Stores,
  systemClock,
} from '@saldo/server'
import { CommandError } from './command-error.ts'
import { type CommandContext, withDatabase } from './database.ts'
import { checked, firstLineOfStdin } from './input.ts'
import { print, printList } from './output.ts'

/** Adds a user, and creates the database if there is none. Reads the password from the first line of standard input. */
export async function addUser(email: string, { name }: { name?: string } = {}): Promise<void> {
  const address = checked(Email, email, 'the e-mail address')
  const password = await newPassword()
  await withDatabase(
    async ({ userAccounts, done }) => {
      const displayName = name === undefined ? undefined : checked(DisplayName, name, 'the name')
      const added = await userAccounts.signUp({ email: address, name: displayName, password }, { isConfirmed: true })
      if (added.outcome !== 'added') throw new CommandError(`${address} has an account already`)
      await done('add', added.user)
    },
    { create: true },
  )
}

/**
 * Adds a user without a password, and mails the link with which they set one; without mail, prints it. Creates the
 * database if needed.
 */
export async function inviteUser(
  email: string,
  { name, language }: { name: string; language: MailLanguage },
): Promise<void> {
  const address = checked(Email, email, 'the e-mail address')
  const displayName = checked(DisplayName, name, 'the name')
  await withDatabase(
    async ({ userAccounts, mailer, done }) => {
      const invited = await userAccounts.invite(address, displayName)
      if (invited.outcome !== 'added') throw new CommandError(`${address} has an account already`)
      await done('invite', invited.user)
      printLink(await userAccounts.createLink(invited.user, { language }), { email: address, mailer })
    },
    { create: true },
  )
}

/**
 * Creates a link with which a user sets a password, in place of an earlier one: mails it where mail is configured, else
 * or with `show` prints it.
 */
export function createLink(email: string, { language, show }: { language: MailLanguage; show?: true }): Promise<void> {
  return withDatabase(async ({ stores, userAccounts, mailer, done }) => {
    const user = await userOf(stores, email)
    const link = await userAccounts.createLink(user, { language, show })
    if (link) await done('link', user)
    printLink(link, { email, mailer })
  })
}

function printLink(link: UserAccountLink | undefined, { email, mailer }: { email: string; mailer: Mailer }): void {
  if (!link) throw new CommandError(`${email} is deactivated: reactivate the account first`)
  const { publicUrl, port, oidcOnly, providers } = readConfig()
  if (link.path !== null) print(`${publicUrl ?? `http://localhost:${port}`}${link.path}`)
  if (oidcOnly) {
    const labels = new Intl.ListFormat('en', { type: 'disjunction' }).format(providers.map(({ label }) => label))
    print(`${email} signs in there with ${labels}, without a password`)
  }
  if (link.mail === 'sent') print(`mailed to ${email}`)
  if (link.mail === 'failed') {
    throw new CommandError(`the mail could not be sent (${mailer.lastFailure?.reason}): pass the link on yourself`)
  }
}

/** Lists users with what the app's list of accounts has. */
export function listUsers(options: { json?: true }): Promise<void> {
  return withDatabase(async ({ userAccounts }) => {
    printList(
      await userAccounts.all(),
      {
        number: ({ user_id }) => user_id,
        email: ({ email }) => email,
        confirmed: ({ email_confirmed }) => (email_confirmed ? 'yes' : 'no'),
        created: ({ created_at }) => created_at.slice(0, 10),
        name: ({ name }) => name,
        role: ({ role }) => role,
        state: ({ state }) => state,
        sessions: ({ sessions }) => sessions,
        last_active: ({ last_active_at }) => last_active_at?.slice(0, 10) ?? 'never active',
        bytes: ({ stored_bytes }) => stored_bytes,
        second_factor: ({ second_factor }) => (second_factor ? 'yes' : 'no'),
        erased_on: ({ erase_at }) => erase_at?.slice(0, 10) ?? null,
      },
      options,
    )
  })
}

/** Writes everything that the service has of a user into a new file, as the user's own export. */
export function exportUser(email: string, file: string): Promise<void> {
  return withDatabase(async ({ stores, company, done }) => {
    const user = await stores.users.byId(await userOf(stores, email))
    if (!user) throw new CommandError(`there is no user ${email}`)
    const { version } = await stores.records.read(user.id, (reader) => reader.position())
    const identities = await company.identities.list(user.id)
    const exported = { ...(await exportedUser(stores.users, user)), identities }
    const head = { exported_at: instantOf(systemClock.now()), version, user: exported }
    try {
      await writeFile(file, exportParts(stores.records, user.id, head), { mode: 0o600, flag: 'wx' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      throw new CommandError(`${file} exists: Saldo does not overwrite it`)
    }
    await done('export', user.id)
  })
}

/** Corrects the name or the address of a user, and tells the old address. */
export function changeUserFacts(
  email: string,
  { name, newEmail, language }: { name?: string; newEmail?: string; language: MailLanguage },
): Promise<void> {
  if (name === undefined && newEmail === undefined) throw new CommandError('give --name, --new-email or both', 2)
  const newName = name === undefined ? undefined : checked(DisplayName, name, 'the name')
  const address = newEmail === undefined ? undefined : checked(Email, newEmail, 'the e-mail address')
  return changeUser(email, (user, accounts) => accounts.change(user, { name: newName, email: address }, language))
}

/** Removes a user who has not used an invitation, so that the address is free at once. */
export function withdrawInvitation(email: string): Promise<void> {
  return withDatabase(async ({ stores, userAccounts, done }) => {
    const user = await userOf(stores, email)
    if (!(await userAccounts.store.withdraw(user))) {
      throw new CommandError(`${email} has used the invitation: «saldo admin user erase» erases the account`)
    }
    await done('withdraw', user)
  })
}

export function setRole(email: string, role: UserRole): Promise<void> {
  return changeUser(email, (user, accounts) => accounts.change(user, { role }, 'en'))
}

/** Deactivates a user: sessions end, tokens and feeds are refused, and the data stays. */
export function deactivateUser(email: string): Promise<void> {
  return changeUser(email, (user, accounts) => accounts.change(user, { active: false }, 'en'))
}

/** Lets a user sign in again, and keeps an account that was to be erased. */
export function reactivateUser(email: string): Promise<void> {
  return changeUser(email, (user, accounts) => accounts.change(user, { active: true }, 'en'))
}

/** Deactivates a user, who is erased with all their data by the service after 14 days. */
export function eraseUser(email: string): Promise<void> {
  return changeUser(email, (user, accounts) => accounts.eraseLater(user, 'en'))
}

function changeUser(
  email: string,
  change: (user: UserNumber, accounts: CommandContext['userAccounts']) => Promise<EditOutcome>,
): Promise<void> {
  return withDatabase(async ({ stores, userAccounts, done }) => {
    const user = await userOf(stores, email)
    const changed = await change(user, userAccounts)
    if (changed.outcome !== 'changed') throw new CommandError(`${email} ${refusals[changed.outcome]}`)
    for (const act of changed.acts) await done(act, user)
  })
}

const refusals = {
  not_found: 'has no account',
  last_admin: 'is the last admin: make somebody else one first',
  only_hr: 'is the only HR of a company: replace them first, see «saldo admin team hr --help»',
  email_taken: 'keeps the address: the new one has an account already',
  deactivated: 'is deactivated: reactivate the account first',
} satisfies Record<Exclude<EditOutcome['outcome'], 'changed'>, string>

/**
 * Sets a new password from the first line of standard input, ends all sessions and revokes all tokens unless
 * `keepTokens` is set. The second factor stays.
 */
export async function setPassword(email: string, { keepTokens = false }: { keepTokens?: boolean }): Promise<void> {
  const password = await newPassword()
  await withDatabase(async ({ stores, passwords, done }) => {
    const user = await userOf(stores, email)
    await passwords.set(user, password, { keepTokens, restsRolesAt: instantOf(systemClock.now()) })
    await done('set_password', user)
  })
}

/** Ends all sessions of a user; tokens stay valid. */
export function endSessions(email: string): Promise<void> {
  return withDatabase(async ({ stores, done }) => {
    const user = await userOf(stores, email)
    await stores.users.endOtherSessions(user)
    await done('end_sessions', user)
  })
}

/** Removes the second factor of a user who has lost authenticator app and recovery codes. */
export function removeSecondFactor(email: string): Promise<void> {
  return withDatabase(async ({ stores, secondFactor, done }) => {
    const user = await userOf(stores, email)
    const removed = await secondFactor.store.remove(user)
    if (!removed) throw new CommandError(`${email} signs in without codes`)
    await done('remove_second_factor', user)
  })
}

/** Removes the passkeys of a user and ends all sessions; the password stays valid. */
export function removePasskeys(email: string): Promise<void> {
  return withDatabase(async ({ stores, passkeys, done }) => {
    const user = await userOf(stores, email)
    const removed = await passkeys.store.removeAll(user)
    if (removed === 0) throw new CommandError(`${email} has no passkeys`)
    await stores.users.endOtherSessions(user)
    await done('remove_passkeys', user)
  })
}

/** Unlinks a user from their accounts at OpenID providers and ends all sessions. */
export function removeCompanySignIn(email: string): Promise<void> {
  return withDatabase(async ({ stores, company, done }) => {
    const user = await userOf(stores, email)
    const removed = await company.identities.removeAll(user)
    if (removed === 0) throw new CommandError(`${email} has no company sign-in`)
    await stores.users.endOtherSessions(user)
    await done('remove_company_sign_in', user)
  })
}

/** Returns the number of the user with an e-mail address. Throws `CommandError` if there is none. */
export async function userOf({ users }: Stores, email: string): Promise<UserNumber> {
  const address = check(Email, email)
  const user = address.ok ? await users.byEmail(address.value) : undefined
  if (!user) throw new CommandError(`there is no user ${email}`)
  return user.id
}

/** Reads a password that meets the rules from the first line of standard input. */
async function newPassword(): Promise<string> {
  const password = checked(NewPassword, await firstLineOfStdin('the password'), 'the password')
  if (await isCommonPassword(password)) throw new CommandError(`the password ${COMMON_PASSWORD}`, 2)
  return password
}
