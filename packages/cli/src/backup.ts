import {
  backUpSecret,
  backUpSqlite,
  readConfig,
  restoreSecret,
  restoreSqlite,
  systemClock,
  systemRandom,
} from '@saldo/server'
import { ownFile, requireFile, withDatabase } from './database.ts'
import { print } from './output.ts'

/** Copies the database into a new file, also while the service runs, and its secret beside it. */
export async function backUp(to: string): Promise<void> {
  const config = readConfig()
  const file = requireFile(ownFile(config))
  const bytes = await backUpSqlite({ file, to, random: systemRandom })
  print(`${to} holds the database, checked: ${bytes} bytes.`)
  const secret = backUpSecret(file, to)
  if (secret) print(`${secret} holds its secret: keep both.`)
  await withDatabase(({ stores: { state } }) => state.noteBackup(systemClock.now()))
}

/** Puts a copy in the place of the database, and its secret beside it, while no service runs. */
export function restore(from: string): void {
  const file = ownFile(readConfig())
  const nowMs = systemClock.now()
  const { keptAs } = restoreSqlite({ from, file, nowMs })
  const keptSecretAs = restoreSecret(from, file, nowMs)
  print(`${file} is now as ${from} was.`)
  for (const kept of [keptAs, keptSecretAs]) if (kept) print(`What was there is kept as ${kept}.`)
  print(
    'Devices notice at their next sync: they fetch everything anew, and send again what they have and the copy lacks.',
  )
  print('Passwords, sessions and tokens are those of the copy: what was revoked since then is valid again.')
}
