import { hostname } from 'node:os'
import { text as allOf } from 'node:stream/consumers'
import {
  fetchTransport,
  NotSignedInError,
  OfflineError,
  offlineErrorOf,
  RejectedError,
  type ServiceResponse,
  StoreError,
  UnsentChangesError,
  WrongServiceError,
} from '@saldo/client'
import { eraseSqliteStore } from '@saldo/client/node'
import { isJsonObject, type TokenScope } from '@saldo/core'
import { CommandError } from '../command-error.ts'
import { addressOf } from '../input.ts'
import { print, printJson } from '../output.ts'
import { ask, canAsk } from './ask.ts'
import { openDevice, unusableCopy } from './open-device.ts'
import { requireAccount, syncState, withDevice } from './session.ts'
import { accountIn, localCopyOf, readSignIn, removeSignIn, type StoredSignIn, writeSignIn } from './sign-in-file.ts'
import { counted } from './text.ts'

/** The longest time that the first copy of an account may take. */
const LONGEST_SYNC_MS = 600_000
const MOMENT_MS = 3_000

/** Options of `saldo login`. */
export interface LoginOptions {
  email?: string
  scope: TokenScope
  json?: true
}

/** Signs in to a service: stores a token, and copies the account to this computer. */
export async function login(address: string, options: LoginOptions): Promise<void> {
  const url = addressOf(address)
  const before = readSignIn()
  const account = await catching(url, async () => {
    const token =
      options.email === undefined
        ? await givenToken(url, options.scope)
        : await newToken(url, options.email, options.scope)
    const response = await fetchTransport({ url, token })({ method: 'GET', path: '/api/me' })
    const body = bodyOf(response, () => new NotSignedInError())
    const { user_id: user, email } = isJsonObject(body) ? body : {}
    const found = accountIn({ url, token, user, email })
    if (!found) throw noSaldo(url)
    return found
  })
  if (before && (before.url !== account.url || before.user !== account.user)) {
    throw new CommandError(`${before.email} is signed in at ${before.url}: «saldo logout» first`)
  }
  writeSignIn(account)
  const entries = await withDevice(async ({ saldo, syncWithin }) => {
    await syncWithin(LONGEST_SYNC_MS)
    const status = await saldo.status.read()
    if (syncState(status) !== 'synced') throw new CommandError('the account could not be copied: run «saldo sync»')
    return (await saldo.entries.all().read()).length
  })
  const { email } = account
  if (options.json) printJson({ url, email, user: account.user, entries })
  else print(`signed in as ${email} at ${url}; ${counted(entries, 'entry', 'entries')} on this computer`)
}

/** Reads a token from standard input; at a terminal, also a password to create one with. */
async function givenToken(url: string, scope: TokenScope): Promise<string> {
  if (!canAsk()) {
    const [line = ''] = (await allOf(process.stdin)).split(/\r?\n/)
    if (line === '') {
      throw new CommandError('give a token on standard input, such as «saldo login URL < token.txt»', 2)
    }
    return line.trim()
  }
  const email = await ask('E-mail address (empty to enter a token): ')
  if (email !== '') return newToken(url, email, scope)
  return (await ask('Token: ', { isSecret: true })).trim()
}

/** Creates a token by a session, which ends then. The password comes from the terminal or from standard input. */
async function newToken(url: string, email: string, scope: TokenScope): Promise<string> {
  const [password = '', typedCode] = canAsk()
    ? [await ask(`Password of ${email}: `, { isSecret: true })]
    : (await allOf(process.stdin)).split(/\r?\n/)
  const cookies = new Map<string, string>()
  const connection = fetchTransport({
    url,
    fetch: async (input, init) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      // The service wants to know that a request with a cookie comes from its own pages (D8.15).
      const headers = { ...(init?.headers as object), origin: new URL(url).origin, ...(cookie && { cookie }) }
      const response = await fetch(input, { ...init, headers })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(name, value)
      }
      return response
    },
  })
  const post = async (path: string, body?: object) => {
    const response = await connection({ method: 'POST', path, ...(body && { body }) })
    return bodyOf(response, () => new CommandError('the e-mail address or the password is wrong'))
  }
  const signIn = async (code?: string) => post('/api/auth/sign-in', { email, password, ...(code && { code }) })
  await signIn(typedCode).catch(async (error: unknown) => {
    const needsCode = error instanceof RejectedError && error.problem.code === 'second_factor_required'
    // A code that was given is wrong: the service says so.
    if (!needsCode || typedCode) throw error
    if (!canAsk()) throw new CommandError('a code is needed: give it on the second line of standard input', 2)
    return signIn(await ask('Code of your authenticator app, or a recovery code: '))
  })
  const made = await post('/api/me/tokens', { name: `saldo on ${hostname()}`, scope, password })
  await post('/api/auth/sign-out')
  const token = isJsonObject(made) ? made.token : undefined
  if (typeof token !== 'string') throw noSaldo(url)
  return token
}

function noSaldo(url: string): CommandError {
  return new CommandError(`${url} does not answer as Saldo does`)
}

/** Returns the body of a response. Throws what a request without one throws, and for 401 what `refused` makes. */
function bodyOf(response: ServiceResponse, refused: () => Error): unknown {
  if (response.outcome === 'retryable') throw offlineErrorOf(response)
  if (response.outcome === 'unauthenticated') throw refused()
  if (response.outcome === 'rejected') throw new RejectedError(response.problem)
  return response.body
}

async function catching<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof WrongServiceError) throw new CommandError(error.message)
    if (error instanceof OfflineError) throw new CommandError(`no service answers at ${url}`)
    if (error instanceof NotSignedInError) throw new CommandError(`the service at ${url} rejects the token`)
    if (error instanceof RejectedError) throw new CommandError(error.problem.detail ?? error.problem.title)
    throw error
  }
}

/** Deletes the local copy, whatever its state if forced, and the token. Asks if changes would be lost. */
export async function logout({ force }: { force?: true }): Promise<void> {
  const account = requireAccount()
  if (force) eraseCopy(account)
  else await forgetUnlessUnsent(account)
  removeSignIn()
  print(`signed out of ${account.url}; revoke the token in the settings of the app if nobody else may use it`)
}

async function forgetUnlessUnsent(account: StoredSignIn): Promise<void> {
  const device = await openDevice(account)
  await device.syncWithin(MOMENT_MS)
  try {
    await device.saldo.forget()
  } catch (error) {
    await device.close()
    if (!(error instanceof UnsentChangesError)) throw error
    const lost = `${counted(error.unsent, 'change')} on this computer only`
    const isAgreed = canAsk() && /^y/i.test(await ask(`${lost} would be lost. Sign out all the same? [y/N] `))
    if (!isAgreed) throw new CommandError(`${lost} would be lost: «saldo sync» sends them, --force gives them up`)
    eraseCopy(account)
  }
}

/** Deletes the local copy without opening it: it may be damaged. */
function eraseCopy(account: StoredSignIn): void {
  try {
    eraseSqliteStore(localCopyOf(account))
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    throw error.code === 'inUse'
      ? new CommandError('another command has the local copy open: try again when it has ended')
      : unusableCopy(error)
  }
}
