import { text } from 'node:stream/consumers'
import { check } from '@saldo/core'
import type * as v from 'valibot'
import { CommandError } from './command-error.ts'
import { readClientConfig } from './system.ts'
import { readSignIn } from './user/sign-in-file.ts'

/** Returns an argument as its schema reads it; `what` names it in the error. */
export function checked<S extends v.GenericSchema>(schema: S, input: unknown, what: string): v.InferOutput<S> {
  const result = check(schema, input)
  if (!result.ok) throw new CommandError(`${what} ${result.errors[0]?.detail}`, 2)
  return result.value
}

/** Reads the first line of standard input, which must be a file or a pipe: a terminal would show the secret. */
export async function firstLineOfStdin(what: string): Promise<string> {
  if (process.stdin.isTTY) {
    throw new CommandError(`${what} is read from standard input: give it as a file or a pipe, such as «< file»`, 2)
  }
  const [line = ''] = (await text(process.stdin)).split(/\r?\n/)
  return line
}

/** Returns the address of a service, which is at the root of its host, from that of any of its pages. */
export function addressOf(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw new CommandError('the address must begin with http: or https:', 2)
  return url.origin
}

/** Options of commands that use a service as a client. */
export interface ServiceAccessOptions {
  url?: string
  token?: string
}

/** Returns the service and the token of a command: from its options, the environment, or `saldo login`. */
export function serviceOf(options: ServiceAccessOptions): { url: string; token: string } {
  const environment = readClientConfig()
  const { url = environment.url, token = environment.token } = options
  const account = url === undefined && token === undefined ? readSignIn() : undefined
  if (account) return account
  if (!url || !token) {
    throw new CommandError(
      'sign in with «saldo login», or give the service and a token: --url and --token, or SALDO_URL and SALDO_TOKEN',
      2,
    )
  }
  return { url: addressOf(url), token }
}
