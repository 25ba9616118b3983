import type { UserNumber } from '@saldo/core'
import { type OldChange, OldProgram } from '../../../packages/client/test/dexie/old-databases.ts'

/** The local data that an earlier version of the program left. */
export interface Left {
  version: 1 | 2
  user: UserNumber
  /** The pulled records up to version 40, by kind. */
  records: Record<string, object[]>
  /** The changes made offline. */
  changes: (Omit<OldChange, 'record'> & { record?: object })[]
}

/** Writes a database as a program of that time did. */
export async function leaveBehind({ version, user, records, changes }: Left): Promise<void> {
  const program = await OldProgram.open(version, user, indexedDB)
  await program.pulled(40, records as Parameters<typeof program.pulled>[1])
  for (const change of changes) await program.changedOffline(change as OldChange)
  program.close()
}
