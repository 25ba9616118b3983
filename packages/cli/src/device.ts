import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  connect,
  NotSignedInError,
  OfflineError,
  openSaldo,
  RejectedError,
  type Saldo,
  StoreError,
  WrongServiceError,
} from '@saldo/client'
import { UnreadableFileError } from '@saldo/client/import'
import { sqliteStore } from '@saldo/client/node'
import { CommandError } from './command-error.ts'

export interface ServiceAccess {
  url: string
  token: string
}

/** Returns what the work returns. Throws `CommandError` with the reason if the work fails for one that is no defect. */
export async function explaining<T>({ url }: ServiceAccess, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw explained(error, url)
  }
}

function explained(error: unknown, url: string): unknown {
  if (error instanceof UnreadableFileError) {
    const advice = error.code === 'no_columns' ? '; name the columns with --columns' : ''
    return new CommandError(`${error.message}${advice}`, 2)
  }
  if (error instanceof WrongServiceError) return new CommandError(error.message)
  if (error instanceof OfflineError) return new CommandError(`no service answers at ${url}`)
  if (error instanceof NotSignedInError) return new CommandError(`the service at ${url} rejects the token`)
  if (error instanceof RejectedError) return new CommandError(`the service at ${url} answers ${error.problem.status}`)
  if (error instanceof StoreError) {
    return new CommandError(`the temporary copy of the account cannot be kept: ${error.code}`)
  }
  return error
}

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Opens a device of the token's user in a temporary folder, once it has the whole account. */
export async function withTemporaryDevice<T>(service: ServiceAccess, work: (saldo: Saldo) => Promise<T>): Promise<T> {
  const { user } = await connect(service).me()
  let folder: string | undefined
  const remove = () => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
  // A signal ends a process at once, and would leave the copy of the account behind: it is caught before there is one.
  const removeAndEnd = (signal: NodeJS.Signals) => {
    remove()
    process.kill(process.pid, signal)
  }
  for (const signal of ENDING_SIGNALS) process.once(signal, removeAndEnd)
  try {
    folder = mkdtempSync(join(tmpdir(), 'saldo-device-'))
    const store = sqliteStore(join(folder, 'account.db'))
    const saldo = await openSaldo({ ...service, user, store, listen: async () => 'missing' })
    try {
      await saldo.sync()
      const { lastSuccessMs, needsSignIn } = await saldo.status.read()
      if (needsSignIn) throw new NotSignedInError()
      if (lastSuccessMs === null) throw new OfflineError()
      return await work(saldo)
    } finally {
      await saldo.close()
    }
  } finally {
    for (const signal of ENDING_SIGNALS) process.off(signal, removeAndEnd)
    remove()
  }
}
