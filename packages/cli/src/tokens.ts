import { GivenName } from '@saldo/server'
import { CommandError } from './command-error.ts'
import { withDatabase } from './database.ts'
import { checked } from './input.ts'
import { print, printRow } from './output.ts'
import { userOf } from './users.ts'

/** Creates a token and prints nothing but the token, for scripts. */
export async function addToken(email: string, name: string): Promise<void> {
  const tokenName = checked(GivenName, name, 'the name')
  await withDatabase(async (stores, auth) => {
    const { secret } = await auth.createToken(await userOf(stores, email), tokenName)
    print(secret)
  })
}

/** Lists a user's tokens, one a line. */
export function listTokens(email: string): Promise<void> {
  return withDatabase(async (stores) => {
    for (const { id, name, created_at, last_used_at } of await stores.users.tokens(await userOf(stores, email))) {
      printRow(
        id,
        name,
        created_at.slice(0, 10),
        last_used_at === null ? 'never used' : `${last_used_at.slice(0, 16)}Z`,
      )
    }
  })
}

export function revokeToken(email: string, id: string): Promise<void> {
  return withDatabase(async (stores) => {
    const revoked = await stores.users.revokeToken(await userOf(stores, email), id)
    if (!revoked) throw new CommandError(`${email} has no token ${id}`)
  })
}
