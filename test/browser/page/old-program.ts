import { type OldChange, OldProgram } from '../../../packages/client/test/dexie/old-databases.ts'

/** What a program of an earlier version leaves behind. */
export interface Left {
  version: 1 | 2
  user: number
  /** What it has pulled, up to version 40, by kind. */
  records: Record<string, object[]>
  /** What it has changed without a network. */
  changes: (Omit<OldChange, 'record'> & { record?: object })[]
}

/** Writes a database as a program of that time did. */
export async function leaveBehind({ version, user, records, changes }: Left): Promise<void> {
  const program = await OldProgram.open(version, user, indexedDB)
  await program.pulled(40, records as Parameters<typeof program.pulled>[1])
  for (const change of changes) await program.changedOffline(change as OldChange)
  program.close()
}
