import { type Instant, InstantText, type TokenScope } from '@saldo/core'
import { GivenName, systemClock } from '@saldo/server'
import { CommandError } from './command-error.ts'
import { withDatabase } from './database.ts'
import { checked } from './input.ts'
import { print, printList } from './output.ts'
import { userOf } from './users.ts'

export interface TokenOptions {
  name: string
  scope: TokenScope
  /** From this instant on, the token is not valid. */
  expires?: string
}

/** Creates a token and prints nothing but the token, for scripts. */
export async function addToken(email: string, { name, scope, expires }: TokenOptions): Promise<void> {
  const tokenName = checked(GivenName, name, 'the name')
  const expires_at = expires === undefined ? null : checked(InstantText, expires, 'the time')
  if (expires_at && Date.parse(expires_at) <= systemClock.now()) {
    throw new CommandError('the time must be in the future', 2)
  }
  await withDatabase(async ({ stores, tokens, done }) => {
    const user = await userOf(stores, email)
    const { secret } = await tokens.create(user, tokenName, { scope, expires_at })
    await done('add_token', user)
    print(secret)
  })
}

/** Lists a user's tokens. Times are in UTC. */
export function listTokens(email: string, options: { json?: true }): Promise<void> {
  return withDatabase(async ({ stores }) => {
    printList(
      await stores.users.tokens(await userOf(stores, email)),
      {
        id: ({ id }) => id,
        name: ({ name }) => name,
        created: ({ created_at }) => created_at.slice(0, 10),
        last_used: ({ last_used_at }) => (last_used_at === null ? 'never used' : toMinute(last_used_at)),
        scope: ({ scope }) => scope,
        expires: ({ expires_at }) => (expires_at === null ? 'never expires' : `expires ${toMinute(expires_at)}`),
      },
      options,
    )
  })
}

function toMinute(at: Instant): string {
  return `${at.slice(0, 16)}Z`
}

export function revokeToken(email: string, id: string): Promise<void> {
  return withDatabase(async ({ stores, done }) => {
    const user = await userOf(stores, email)
    const revoked = await stores.users.revokeToken(user, id)
    if (!revoked) throw new CommandError(`${email} has no token ${id}`)
    await done('revoke_token', user)
  })
}
