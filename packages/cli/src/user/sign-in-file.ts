import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isJsonObject } from '@saldo/core'
import { CommandError } from '../command-error.ts'
import { userFolders } from '../system.ts'

/** The account that `saldo login` has stored. */
export interface StoredSignIn {
  /** The service's address, without a slash at its end. */
  url: string
  token: string
  /** The user's number. */
  user: number
  email: string
}

const accountFile = () => join(userFolders().config, 'account.json')

/** Returns the account of this computer's user, `undefined` if nobody is signed in. Throws `CommandError`. */
export function readSignIn(): StoredSignIn | undefined {
  const path = accountFile()
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new CommandError(`${path} cannot be read: ${code}`)
  }
  const account = parse(text)
  if (!account) throw new CommandError(`${path} is damaged: delete it, and run «saldo login» again`)
  return account
}

function parse(text: string): StoredSignIn | undefined {
  try {
    return accountIn(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Returns a value as an account; undefined if it is none, such as of a service that answers anything. */
export function accountIn(value: unknown): StoredSignIn | undefined {
  const { url, token, user, email } = (isJsonObject(value) ? value : {}) as Partial<StoredSignIn>
  const isAccount = [url, token, email].every((each) => typeof each === 'string') && Number.isSafeInteger(user)
  return isAccount ? ({ url, token, user, email } as StoredSignIn) : undefined
}

/** Stores the account in a file that only its owner can read, in one step. Throws `CommandError`. */
export function writeSignIn(account: StoredSignIn): void {
  const path = accountFile()
  const unfinished = `${path}.${process.pid}`
  try {
    makeFolder(dirname(path))
    writeFileSync(unfinished, `${JSON.stringify(account)}\n`, { mode: 0o600 })
    // A file of this name that was left behind keeps its mode.
    chmodSync(unfinished, 0o600)
    renameSync(unfinished, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new CommandError(`${path} cannot be written: ${code}`)
  }
}

export function removeSignIn(): void {
  rmSync(accountFile(), { force: true })
}

/** Returns the path of the local copy of an account, whose folder exists then. Throws `CommandError`. */
export function localCopyOf({ url, user }: StoredSignIn): string {
  const { data } = userFolders()
  const service = url.replace(/^https?:\/\//, '').replaceAll(/[^\w.-]/g, '_')
  try {
    makeFolder(data)
  } catch (error) {
    throw new CommandError(`${data} cannot be created: ${(error as NodeJS.ErrnoException).code}`)
  }
  return join(data, `${service}-${user}.db`)
}

function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
}
