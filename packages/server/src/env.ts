import { check, wholeNumber } from '@saldo/core'
import * as v from 'valibot'

/** A setting is not valid. The message is one line for the person who starts the service. */
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

const megabytes = (min: number, max: number) =>
  v.pipe(
    number(min, max),
    v.transform((count) => count * 1_000_000),
  )

const hostName = v.pipe(v.string(), v.nonEmpty('must be a host name or an address'))

const isWebOrigin = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '') && new URL(text).origin === text

/** Origins with commas between them. */
const origins = v.pipe(
  v.string(),
  v.transform((text) =>
    text
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
  ),
  v.check((all) => all.every(isWebOrigin), 'must be origins such as https://board.example, with commas between them'),
)

/** True if a text is the URL of a PostgreSQL database. */
export const isPostgresUrl = (text: string) => /^postgres(ql)?:\/\/./.test(text)

const levels = ['silent', 'error', 'warn', 'info', 'debug'] as const
const signups = ['first', 'open', 'closed'] as const

const setting = <S extends v.GenericSchema>(name: string, schema: S) => ({ name, schema })

const settings = {
  host: setting('SALDO_HOST', v.optional(hostName, '127.0.0.1')),
  /** 0 lets the system choose. */
  port: setting('SALDO_PORT', v.optional(number(0, 65_535), '7253')),
  /** The folder of the database file. */
  dataDir: setting('SALDO_DATA_DIR', v.optional(v.pipe(v.string(), v.nonEmpty('must be a folder')), './data')),
  /** A PostgreSQL database, used instead of a file. */
  databaseUrl: setting(
    'SALDO_DATABASE_URL',
    v.optional(v.pipe(v.string(), v.check(isPostgresUrl, 'must be a URL such as postgresql://saldo@localhost/saldo'))),
  ),
  /** Sign-up is for the first user with the set-up code, for anybody, or for nobody (the command line adds users). */
  signup: setting('SALDO_SIGNUP', v.optional(v.picklist(signups, `must be one of ${signups.join(', ')}`), 'first')),
  logLevel: setting('SALDO_LOG_LEVEL', v.optional(v.picklist(levels, `must be one of ${levels.join(', ')}`), 'info')),
  /** The origin where browsers reach the service; `https:` makes cookies `Secure`. */
  publicUrl: setting(
    'SALDO_PUBLIC_URL',
    v.optional(v.pipe(v.string(), v.check(isWebOrigin, 'must be an origin such as https://saldo.example'))),
  ),
  /** The origins whose pages may call the API with a bearer token. */
  allowedOrigins: setting('SALDO_ALLOWED_ORIGINS', v.optional(origins, '')),
  /** The number of proxies in front of the service: this many entries of `X-Forwarded-For` are trusted. */
  trustedProxies: setting('SALDO_TRUSTED_PROXIES', v.optional(number(0, 10), '0')),
  /** A user's writing requests per minute; those of two minutes at once. */
  writesPerMinute: setting('SALDO_WRITES_PER_MINUTE', v.optional(number(1, 1_000_000), '600')),
  /** The same for their megabytes, as bytes; those of two minutes hold a whole push. */
  writtenBytesPerMinute: setting('SALDO_WRITE_MEGABYTES_PER_MINUTE', v.optional(megabytes(3, 1_000_000), '5')),
  /** The megabytes that a user can store, as bytes. */
  quotaBytes: setting('SALDO_USER_QUOTA', v.optional(megabytes(1, 1_000_000), '200')),
  /** The limit of failed sign-ins per e-mail address and quarter of an hour. */
  failedSignIns: setting('SALDO_FAILED_SIGN_INS', v.optional(number(1, 1_000_000), '10')),
  /** The address of `GET /metrics`; there is none without a port. Port 0 lets the system choose. */
  metricsHost: setting('SALDO_METRICS_HOST', v.optional(hostName, '127.0.0.1')),
  metricsPort: setting('SALDO_METRICS_PORT', v.optional(number(0, 65_535))),
  /** Seals authenticator keys. Without it, the service creates a secret beside the database file. */
  authSecret: setting(
    'SALDO_AUTH_SECRET',
    v.optional(v.pipe(v.string(), v.minLength(32, 'must be at least 32 characters'))),
  ),
}

/** Settings of commands that use a service from outside, which may be in the environment of a service too. */
const commandSettings = ['SALDO_URL', 'SALDO_TOKEN']

/** The settings of the service. */
export type Config = { [K in keyof typeof settings]: v.InferOutput<(typeof settings)[K]['schema']> }

/** Reads the settings. Throws `ConfigError` for the first one that is unknown or not valid. */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const names = new Set([...Object.values(settings).map(({ name }) => name), ...commandSettings])
  const unknown = Object.keys(environment).find((name) => name.startsWith('SALDO_') && !names.has(name))
  if (unknown) throw new ConfigError(`Unknown setting ${unknown}`)
  const values = Object.entries(settings).map(([key, { name, schema }]) => {
    const checked = check(schema, environment[name])
    if (!checked.ok) throw new ConfigError(`${name} ${checked.errors[0]?.detail}`)
    return [key, checked.value]
  })
  const config = Object.fromEntries(values) as Config
  if (config.databaseUrl !== undefined && config.authSecret === undefined) {
    throw new ConfigError('SALDO_DATABASE_URL needs SALDO_AUTH_SECRET, the same on all nodes')
  }
  return config
}

/** Returns the address of the service that a command uses from outside, and the token for it. */
export function readClientConfig(environment: Record<string, string | undefined> = process.env): {
  url: string | undefined
  token: string | undefined
} {
  return { url: environment.SALDO_URL, token: environment.SALDO_TOKEN }
}
