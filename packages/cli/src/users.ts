import { COMMON_PASSWORD, Email, isCommonPassword, NewPassword, type Stores } from '@saldo/server'
import { CommandError } from './command-error.ts'
import { withDatabase } from './database.ts'
import { checked, firstLineOfStdin } from './input.ts'
import { printRow } from './output.ts'

/** Adds a user, and the database where there is none; the password is the first line of standard input. */
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
    for (const { id, email, createdAt } of await users.list()) printRow(id, email, createdAt.slice(0, 10))
  })
}

/** Sets a new password, the first line of standard input, and ends all sessions. A second factor is still asked for. */
export async function setPassword(email: string): Promise<void> {
  const password = await newPassword()
  await withDatabase(async (stores, auth) => auth.setPassword(await userOf(stores, email), password))
}

/** Ends all sessions of a user; tokens of programs go on. */
export function endSessions(email: string): Promise<void> {
  return withDatabase(async (stores) => stores.users.endOtherSessions(await userOf(stores, email)))
}

/** Lets somebody who has lost their authenticator app and recovery codes sign in by password alone. */
export function removeSecondFactor(email: string): Promise<void> {
  return withDatabase(async (stores, auth) => {
    const removed = await auth.secondFactor.store.remove(await userOf(stores, email))
    if (!removed) throw new CommandError(`${email} signs in without codes`)
  })
}

/** Lets nobody sign in with the passkeys that a user has, and ends all sessions: the password is what is left. */
export function removePasskeys(email: string): Promise<void> {
  return withDatabase(async (stores, auth) => {
    const user = await userOf(stores, email)
    const removed = await auth.passkeys.store.removeAll(user)
    if (removed === 0) throw new CommandError(`${email} has no passkeys`)
    await stores.users.endOtherSessions(user)
  })
}

/** The number of the user with an e-mail address. */
export async function userOf({ users }: Stores, email: string): Promise<number> {
  const user = await users.byEmail(email.trim().toLowerCase())
  if (!user) throw new CommandError(`there is no user ${email}`)
  return user.id
}

/** The first line of standard input, which has to do as a password. */
async function newPassword(): Promise<string> {
  const password = checked(NewPassword, await firstLineOfStdin('the password'), 'the password')
  if (await isCommonPassword(password)) throw new CommandError(`the password ${COMMON_PASSWORD}`, 2)
  return password
}
