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

export interface Service {
  url: string
  token: string
}

/** A command that could not do its work. */
export interface Failure {
  outcome: 'failed'
  detail: string
  isWrongUse: boolean
}

/** The service did not take all changes. */
export class UnsentError extends Error {}

function failed(detail: string): Failure {
  return { outcome: 'failed', detail, isWrongUse: false }
}

export function wrongUse(detail: string): Failure {
  return { outcome: 'failed', detail, isWrongUse: true }
}

/** Returns what the work returns, or why it could not be done. */
export async function catching<T>({ url }: Service, work: () => Promise<T>): Promise<T | Failure> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UnreadableFileError) {
      return wrongUse(error.code === 'no_columns' ? `${error.message}; name the columns with --columns` : error.message)
    }
    if (error instanceof WrongServiceError) return failed(error.message)
    if (error instanceof OfflineError) return failed(`no service answers at ${url}`)
    if (error instanceof NotSignedInError) return failed(`the service at ${url} rejects the token`)
    if (error instanceof RejectedError) return failed(`the service at ${url} answers ${error.problem.status}`)
    if (error instanceof StoreError) return failed(`the temporary copy of the account cannot be kept: ${error.code}`)
    if (error instanceof UnsentError) return failed(error.message)
    throw error
  }
}

/** Opens a device of the token's user in a temporary folder, once it has the whole account. */
export async function withDevice<T>(service: Service, work: (saldo: Saldo) => Promise<T>): Promise<T> {
  const { user } = await connect(service).me()
  const folder = mkdtempSync(join(tmpdir(), 'saldo-device-'))
  try {
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
    rmSync(folder, { recursive: true })
  }
}
