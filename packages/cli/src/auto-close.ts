import { InstantText } from '@saldo/core'
import { systemClock, undoAutoClose } from '@saldo/server'
import { withDatabase } from './database.ts'
import { checked } from './input.ts'
import { printRow } from './output.ts'
import { userOf } from './users.ts'

/**
 * Reopens what auto-close closed at an instant or later, of one user or of all. Prints a line for each user of whom
 * something was reopened: e-mail address, number of days, number of weeks.
 */
export async function undoAutoClosing(since: string, email: string | undefined): Promise<void> {
  const sinceMs = Date.parse(checked(InstantText, since, 'the time'))
  await withDatabase(async ({ stores, done }) => {
    const only = email === undefined ? undefined : await userOf(stores, email)
    for (const { id, email } of await stores.users.list()) {
      if (only !== undefined && id !== only) continue
      const context = { nowMs: systemClock.now() }
      const { days, weeks } = await stores.records.write(id, (writer) => undoAutoClose(writer, sinceMs, context))
      if (days + weeks === 0) continue
      printRow(email, days, weeks)
      await done('undo_auto_close', id)
    }
  })
}
