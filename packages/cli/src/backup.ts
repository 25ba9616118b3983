import { backUpSqlite, readConfig, restoreSqlite, systemClock, systemRandom } from '@saldo/server'
import { ownFile, requireFile } from './database.ts'
import { print } from './output.ts'

/** Copies the database into a new file, also while the service runs. */
export async function backUp(to: string): Promise<void> {
  const bytes = await backUpSqlite({ file: requireFile(ownFile(readConfig())), to, random: systemRandom })
  print(`${to} holds the database, checked: ${bytes} bytes.`)
}

/** Puts a copy in the place of the database, while no service runs. */
export function restore(from: string): void {
  const file = ownFile(readConfig())
  const { keptAs } = restoreSqlite({ from, file, nowMs: systemClock.now() })
  print(`${file} is now as ${from} was.`)
  if (keptAs) print(`What was there is kept as ${keptAs}.`)
  print(
    'Devices notice at their next sync: they fetch everything anew, and send again what they have and the copy lacks.',
  )
  print('Passwords, sessions and tokens are those of the copy: what was revoked since then is valid again.')
}
