import { setTimeout as sleep } from 'node:timers/promises'
import { fetchTransport, openSaldo, type Saldo, StoreError, type Transport } from '@saldo/client'
import { sqliteStore } from '@saldo/client/node'
import type { UserNumber } from '@saldo/core'
import { CommandError } from '../command-error.ts'
import { localCopyOf, type StoredSignIn } from './sign-in-file.ts'

/** The longest time that a command waits for another one that has the local copy open. */
const LOCK_WAIT_MS = 30_000
const LOCK_POLL_MS = 20

/** The device of this computer's user. It sends nothing by itself. */
export interface UserDevice {
  saldo: Saldo
  /** Syncs, and gives up after some milliseconds. Resolves in any case; `saldo.status` tells the outcome. */
  syncWithin(ms: number): Promise<void>
  /** Resolves once another command can open the local copy. */
  close(): Promise<void>
}

/** Opens the local copy of an account, once other commands have closed it. Throws `CommandError`. */
export async function openDevice(account: StoredSignIn): Promise<UserDevice> {
  const { url, token } = account
  const user = account.user as UserNumber
  const end = new AbortController()
  let isOnline = false
  const online = fetchTransport({
    url,
    token,
    user,
    fetch: (input, init) => fetch(input, { ...init, signal: anyOf(end.signal, init?.signal) }),
  })
  const transport: Transport = (request) =>
    isOnline ? online(request) : Promise.resolve({ outcome: 'retryable', retryAfterMs: 0 })
  const file = localCopyOf(account)
  const saldo = await openOnceFree(file, () =>
    openSaldo({
      user,
      store: sqliteStore(file),
      transport,
      listen: async () => 'missing',
      environment: { isOnline: () => false, isVisible: () => true, requestBackgroundSync() {}, subscribe: nothing },
    }),
  )
  return {
    saldo,
    async syncWithin(ms) {
      isOnline = true
      const timer = setTimeout(() => end.abort(), ms)
      await saldo.sync()
      clearTimeout(timer)
      isOnline = false
    },
    close: () => saldo.close(),
  }
}

/** Says why the local copy of an account cannot be used, and what to do. */
export function unusableCopy({ code, message }: StoreError): CommandError {
  switch (code) {
    case 'damaged':
    case 'foreign':
    case 'gone':
      return new CommandError(
        `the local copy of the account is ${code === 'gone' ? 'deleted' : code}: ` +
          '«saldo logout --force» removes it with what was not sent, then «saldo login» copies the account again',
      )
    case 'full':
      return new CommandError('the disk has no space left for the local copy: nothing was recorded')
    case 'outdated':
      return new CommandError('a newer version of saldo has upgraded the local copy: install that version')
    default:
      return new CommandError(`the local copy cannot be used: ${message}`)
  }
}

const nothing = () => () => {}

function anyOf(end: AbortSignal, signal: AbortSignal | null | undefined): AbortSignal {
  return signal ? AbortSignal.any([end, signal]) : end
}

async function openOnceFree(file: string, open: () => Promise<Saldo>): Promise<Saldo> {
  for (let waitedMs = 0; ; waitedMs += LOCK_POLL_MS) {
    try {
      return await open()
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      if (error.code !== 'inUse') throw unusableCopy(error)
      if (waitedMs >= LOCK_WAIT_MS) throw new CommandError(`another command has the local copy ${file} open`)
    }
    await sleep(LOCK_POLL_MS)
  }
}
