import { text } from 'node:stream/consumers'
import { check } from '@saldo/core'
import { Email, NewPassword } from '@saldo/server'
import type * as v from 'valibot'
import { CommandError } from './command-error.ts'
import { print, withDatabase } from './database.ts'

/** Adds a user; the password is the first line of standard input. */
export async function addUser(email: string): Promise<void> {
  const address = checked(Email, email, 'The e-mail address')
  const [password = ''] = (await text(process.stdin)).split(/\r?\n/)
  checked(NewPassword, password, 'The password')
  await withDatabase(async (_stores, auth) => {
    const { outcome } = await auth.signUp(address, password)
    if (outcome === 'email_taken') throw new CommandError(`${address} has an account already`)
  })
}

/** Lists users, one a line. */
export function listUsers(): Promise<void> {
  return withDatabase(async ({ users }) => {
    for (const { id, email, createdAt } of await users.list()) print(`${id}\t${email}\t${createdAt.slice(0, 10)}`)
  })
}

function checked<S extends v.GenericSchema>(schema: S, input: unknown, what: string): v.InferOutput<S> {
  const result = check(schema, input)
  if (!result.ok) throw new CommandError(`${what} ${result.errors[0]?.detail}`, 2)
  return result.value
}
