import { expect, test } from 'vitest'
import { copyOf, newPostgres, putBack } from '../../packages/server/test/postgres/database.ts'
import { problemOf } from './run.ts'
import { scheduleOf } from './schedule.ts'
import { addUsers, type MakeDatabase, type User } from './service.ts'

const SEEDS = 12

/** The database that all runs have copies of. */
let template: Promise<{ url: string; users: User[] }> | undefined

async function makeTemplate(): Promise<{ url: string; users: User[] }> {
  const url = await newPostgres()
  return { url, users: await addUsers({ url }) }
}

/** A database on PostgreSQL; its backup is a copy of it beside. */
const postgresDatabase: MakeDatabase = async () => {
  template ??= makeTemplate()
  const { url: origin, users } = await template
  const url = await copyOf(origin)
  let backup: string | undefined
  return {
    users,
    config: { databaseUrl: url, authSecret: 'the same for all nodes '.repeat(2) },
    get hasBackup() {
      return backup !== undefined
    },
    async backUp() {
      backup = await copyOf(url)
    },
    restore: () => putBack(backup as string, url),
  }
}

test(`[R5.3] [R5.4] [R5.5] [R5.6] [D7] with the service on PostgreSQL, all agree in the end, and nothing is lost or doubled: ${SEEDS} seeds`, async () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    expect(await problemOf(scheduleOf(seed), postgresDatabase), `seed ${seed}`).toBeUndefined()
  }
})
