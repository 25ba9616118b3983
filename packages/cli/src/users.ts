import type { UserNumber } from '@saldo/core'
import { COMMON_PASSWORD, Email, isCommonPassword, NewPassword, type Stores } from '@saldo/server'
import { CommandError } from './command-error.ts'
import { withDatabase } from './database.ts'
import { checked, firstLineOfStdin } from './input.ts'
import { printRow } from './output.ts'

/** Adds a user, and creates the database if there is none. Reads the password from the first line of standard input. */
export async function addUser(email: string): Promise<void> {
  const address = checked(Email, email, 'the e-mail address')
  const password = await newPassword()
  await withDatabase(
    async (_stores, auth) => {
      const { outcome } = await auth.signUp(address, password)
      if (outcome === 'email_taken') throw new CommandError(`${address} has an account already`)
    },
    { create: true },
  )
}

/** Lists users, one a line. */
export function listUsers(): Promise<void> {
  return withDatabase(async ({ users }) => {
    for (const { id, email, created_at } of await users.list()) printRow(id, email, created_at.slice(0, 10))
  })
}

/**
 * Sets a new password from the first line of standard input, ends all sessions and revokes all tokens unless
 * `keepTokens` is set. The second factor stays.
 */
export async function setPassword(email: string, { keepTokens = false }: { keepTokens?: boolean }): Promise<void> {
  const password = await newPassword()
  await withDatabase(async (stores, auth) => {
    await auth.setPassword(await userOf(stores, email), password, { keepTokens })
  })
}

/** Ends all sessions of a user; tokens stay valid. */
export function endSessions(email: string): Promise<void> {
  return withDatabase(async (stores) => stores.users.endOtherSessions(await userOf(stores, email)))
}

/** Removes the second factor of a user who has lost authenticator app and recovery codes. */
export function removeSecondFactor(email: string): Promise<void> {
  return withDatabase(async (stores, auth) => {
    const removed = await auth.secondFactor.store.remove(await userOf(stores, email))
    if (!removed) throw new CommandError(`${email} signs in without codes`)
  })
}

/** Removes the passkeys of a user and ends all sessions; the password stays valid. */
export function removePasskeys(email: string): Promise<void> {
  return withDatabase(async (stores, auth) => {
    const user = await userOf(stores, email)
    const removed = await auth.passkeys.store.removeAll(user)
    if (removed === 0) throw new CommandError(`${email} has no passkeys`)
    await stores.users.endOtherSessions(user)
  })
}

/** Returns the number of the user with an e-mail address. Throws `CommandError` if there is none. */
export async function userOf({ users }: Stores, email: string): Promise<UserNumber> {
  const user = await users.byEmail(email.trim().toLowerCase())
  if (!user) throw new CommandError(`there is no user ${email}`)
  return user.id
}

/** Reads a password that meets the rules from the first line of standard input. */
async function newPassword(): Promise<string> {
  const password = checked(NewPassword, await firstLineOfStdin('the password'), 'the password')
  if (await isCommonPassword(password)) throw new CommandError(`the password ${COMMON_PASSWORD}`, 2)
  return password
}
