import { withDatabase } from './database.ts'
import { print } from './output.ts'

/** Opens the database, which migrates it, and prints the result. */
export function migrateDatabase(): Promise<void> {
  return withDatabase(
    async ({
      stores: {
        migrated: { from, to },
      },
    }) => {
      print(from === to ? `The database is at level ${to}.` : `The database was brought from level ${from} to ${to}.`)
    },
  )
}
