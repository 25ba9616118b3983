import { check, wholeNumber } from '@saldo/core'
import * as v from 'valibot'

/** What the service is told from outside. */
export interface Config {
  host: string
  /** 0 lets the system choose. */
  port: number
  /** Folder of the database, where that is a file. */
  dataDir: string
  /** The PostgreSQL database that is used instead of a file. */
  databaseUrl: string | undefined
  /** Who can sign up: the first user with the set-up code, anybody, or nobody (users are then added by command). */
  signup: 'first' | 'open' | 'closed'
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug'
  /** Where browsers reach the service, where that is known; `https:` makes cookies `Secure`. */
  publicUrl: string | undefined
  /** How many proxies stand before the service: so many entries of `X-Forwarded-For` are believed. */
  trustedProxies: number
  /** Writing requests of one user in a minute. */
  writesPerMinute: number
  /** Failed sign-ins for one e-mail address in a quarter of an hour. */
  failedSignIns: number
  /** Where `GET /metrics` is answered; nowhere where no port is given. 0 lets the system choose. */
  metricsHost: string
  metricsPort: number | undefined
  /** Signs cookies; without it, one is made and kept beside the database file. */
  authSecret: string | undefined
}

/** A setting is wrong. The message is one line for the person who starts the service. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConfigError'
  }
}

const number = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,15}$/, `must be a whole number from ${min} to ${max}`),
    v.transform(Number),
    wholeNumber(min, max),
  )

const hostName = v.pipe(v.string(), v.nonEmpty('must be a host name or an address'))

const isWebOrigin = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '') && new URL(text).origin === text

/** Whether a text is meant as the place of a PostgreSQL database. */
export const isPostgresUrl = (text: string) => /^postgres(ql)?:\/\/./.test(text)

const levels = ['silent', 'error', 'warn', 'info', 'debug'] as const
const signups = ['first', 'open', 'closed'] as const

const Environment = v.object({
  SALDO_HOST: v.optional(hostName, '127.0.0.1'),
  SALDO_PORT: v.optional(number(0, 65_535), '7253'),
  SALDO_DATA_DIR: v.optional(v.pipe(v.string(), v.nonEmpty('must be a folder')), './data'),
  SALDO_DATABASE_URL: v.optional(
    v.pipe(v.string(), v.check(isPostgresUrl, 'must be a URL such as postgresql://saldo@localhost/saldo')),
  ),
  SALDO_SIGNUP: v.optional(v.picklist(signups, `must be one of ${signups.join(', ')}`), 'first'),
  SALDO_LOG_LEVEL: v.optional(v.picklist(levels, `must be one of ${levels.join(', ')}`), 'info'),
  SALDO_PUBLIC_URL: v.optional(
    v.pipe(v.string(), v.check(isWebOrigin, 'must be an origin such as https://saldo.example')),
  ),
  SALDO_TRUSTED_PROXIES: v.optional(number(0, 10), '0'),
  SALDO_WRITES_PER_MINUTE: v.optional(number(1, 1_000_000), '6000'),
  SALDO_FAILED_SIGN_INS: v.optional(number(1, 1_000_000), '10'),
  SALDO_METRICS_HOST: v.optional(hostName, '127.0.0.1'),
  SALDO_METRICS_PORT: v.optional(number(0, 65_535)),
  SALDO_AUTH_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, 'must be at least 32 characters'))),
})

/** Reads the settings; throws `ConfigError` naming the first that is wrong, or that does not exist. */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const unknown = Object.keys(environment).find((name) => name.startsWith('SALDO_') && !(name in Environment.entries))
  if (unknown) throw new ConfigError(`${unknown} is no setting of Saldo`)
  const checked = check(Environment, environment)
  if (!checked.ok) {
    const [first] = checked.errors
    throw new ConfigError(`${first?.pointer.slice(1)} ${first?.detail}`)
  }
  const { value } = checked
  if (value.SALDO_DATABASE_URL !== undefined && value.SALDO_AUTH_SECRET === undefined) {
    throw new ConfigError('SALDO_AUTH_SECRET is needed beside SALDO_DATABASE_URL, the same for all nodes')
  }
  return {
    host: value.SALDO_HOST,
    port: value.SALDO_PORT,
    dataDir: value.SALDO_DATA_DIR,
    databaseUrl: value.SALDO_DATABASE_URL,
    signup: value.SALDO_SIGNUP,
    logLevel: value.SALDO_LOG_LEVEL,
    publicUrl: value.SALDO_PUBLIC_URL,
    trustedProxies: value.SALDO_TRUSTED_PROXIES,
    writesPerMinute: value.SALDO_WRITES_PER_MINUTE,
    failedSignIns: value.SALDO_FAILED_SIGN_INS,
    metricsHost: value.SALDO_METRICS_HOST,
    metricsPort: value.SALDO_METRICS_PORT,
    authSecret: value.SALDO_AUTH_SECRET,
  }
}
