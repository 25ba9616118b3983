import type { FeedLanguage } from '@saldo/core'
import { GivenName, readConfig } from '@saldo/server'
import { CommandError } from './command-error.ts'
import { withDatabase } from './database.ts'
import { checked } from './input.ts'
import { print, printList } from './output.ts'
import { userOf } from './users.ts'

/** The name and content of a feed as options of the command. */
export interface FeedOptions {
  name: string
  absences?: boolean
  work?: boolean
  language: FeedLanguage
}

/** Creates a calendar feed and prints nothing but its address. Without a public URL, it is that on this computer. */
export async function addFeed(email: string, options: FeedOptions): Promise<void> {
  const { absences = false, work = false, language } = options
  const name = checked(GivenName, options.name, 'the name')
  if (!absences && !work) throw new CommandError('give --absences, --work or both', 2)
  const { publicUrl, port } = readConfig()
  await withDatabase(async ({ stores, feeds, done }) => {
    const user = await userOf(stores, email)
    const { path } = await feeds.create(user, name, { absences, work, group_id: null, language })
    await done('add_feed', user)
    print(`${publicUrl ?? `http://localhost:${port}`}${path}`)
  })
}

/** Lists a user's calendar feeds. Times are in UTC. */
export function listFeeds(email: string, options: { json?: true }): Promise<void> {
  return withDatabase(async ({ stores, feeds }) => {
    printList(
      await feeds.store.list(await userOf(stores, email)),
      {
        id: ({ id }) => id,
        name: ({ name }) => name,
        shows: ({ absences, work }) => [absences && 'absences', work && 'work'].filter(Boolean).join(' and '),
        created: ({ created_at }) => created_at.slice(0, 10),
        last_used: ({ last_used_at }) => (last_used_at === null ? 'never used' : `${last_used_at.slice(0, 16)}Z`),
      },
      options,
    )
  })
}

export function revokeFeed(email: string, id: string): Promise<void> {
  return withDatabase(async ({ stores, feeds, done }) => {
    const user = await userOf(stores, email)
    const revoked = await feeds.store.revoke(user, id)
    if (!revoked) throw new CommandError(`${email} has no calendar feed ${id}`)
    await done('revoke_feed', user)
  })
}
