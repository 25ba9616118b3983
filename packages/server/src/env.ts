import { check, mailLanguages, wholeNumber } from '@saldo/core'
import * as v from 'valibot'
import { ConfigError } from './errors.ts'
import { readSmtpUrl } from './mail/smtp-url.ts'

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

function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Origins with commas between them. */
const origins = v.pipe(
  v.string(),
  v.transform(partsOf),
  v.check((all) => all.every(isWebOrigin), 'must be origins such as https://board.example, with commas between them'),
)

const isWebHost = (text: string) => text !== '' && URL.parse(`http://${text}`)?.host === text

/** Hosts with commas between them, as URLs have them: in lower case, with a port unless it is the usual one. */
const hosts = v.pipe(
  v.string(),
  v.transform((text) => partsOf(text.toLowerCase())),
  v.check((all) => all.every(isWebHost), 'must be hosts such as homeassistant.local:8123, with commas between them'),
)

/** True if a text is an address, or a name with an address in angle brackets, as in the head of a mail. */
const isSender = (text: string) =>
  /^([^<>@\r\n]+ <)?[^\s<>@,;]+@[^\s<>@,;]+>?$/.test(text) && /</.test(text) === />$/.test(text)

/** True if a text is the URL of a PostgreSQL database. */
export const isPostgresUrl = (text: string) => /^postgres(ql)?:\/\/./.test(text)

const yesOrNo = v.optional(
  v.pipe(
    v.picklist(['yes', 'no'], 'must be yes or no'),
    v.transform((word) => word === 'yes'),
  ),
  'no',
)

const words = (message: string) =>
  v.pipe(
    v.string(),
    v.transform((text) => text.split(/[\s,]+/).filter((word) => word !== '')),
    // Checked before the case is folded: some letters fold to ASCII, and would make another domain.
    v.check((list) => list.length > 0 && list.every((word) => /^[\w-]+(\.[\w-]+)+$/.test(word)), message),
    v.transform((list) => list.map((word) => word.toLowerCase())),
  )

const given = v.pipe(v.string(), v.nonEmpty('must not be empty'))

/** True for `https:`, and for `http:` on this computer, where nobody listens. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.search !== '' || url.hash !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(url.hostname))
}

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
  /** The most connections of a node to PostgreSQL for transactions; one more listens. */
  databaseConnections: setting('SALDO_DATABASE_CONNECTIONS', v.optional(number(2, 1_000), '16')),
  /** The most open event streams of a node. */
  eventStreams: setting('SALDO_EVENT_STREAMS', v.optional(number(1, 1_000_000), '5000')),
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
  /** The hosts that webhooks may reach at private addresses and by `http:`. */
  privateWebhookHosts: setting('SALDO_PRIVATE_WEBHOOK_HOSTS', v.optional(hosts, '')),
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
  /** The server that sends mails, such as `smtps://user:password@mail.example.com`; without it there are none. */
  smtpUrl: setting(
    'SALDO_SMTP_URL',
    v.optional(
      v.pipe(
        v.string(),
        v.check(
          (text) => readSmtpUrl(text) !== undefined,
          'must be a URL such as smtps://mail.example.com or smtp://localhost:25',
        ),
      ),
    ),
  ),
  /** The sender of mails. */
  mailFrom: setting(
    'SALDO_MAIL_FROM',
    v.optional(v.pipe(v.string(), v.check(isSender, 'must be an address such as Saldo <saldo@example.com>'))),
  ),
  /** The language of a company's mails to somebody who has chosen none. */
  mailLanguage: setting(
    'SALDO_MAIL_LANGUAGE',
    v.optional(v.picklist(mailLanguages, `must be one of ${mailLanguages.join(', ')}`), 'en'),
  ),
  /** Seals authenticator keys and secrets of webhooks. Without it, the service creates one beside the database file. */
  authSecret: setting(
    'SALDO_AUTH_SECRET',
    v.optional(v.pipe(v.string(), v.minLength(32, 'must be at least 32 characters'))),
  ),
  /** A demo: an account that all visitors share, in a database of its own, reset every hour (D23). */
  demo: setting(
    'SALDO_DEMO',
    v.pipe(
      v.optional(v.picklist(['0', '1'], 'must be 1, or 0 for no demo'), '0'),
      v.transform((digit) => digit === '1'),
    ),
  ),
  /** Company sign-in is the only way in: no passwords, no passkeys, no sign-up (D20.10). */
  oidcOnly: setting('SALDO_OIDC_ONLY', yesOrNo),
}

/** The settings of an OpenID provider. Those of a second one end in `_2`, and so on to `_9`. */
const providerSettings = {
  issuer: setting(
    'SALDO_OIDC_ISSUER',
    v.pipe(v.string(), v.check(isIssuer, 'must be an https: URL such as https://login.example/realms/us')),
  ),
  clientId: setting('SALDO_OIDC_CLIENT_ID', given),
  clientSecret: setting('SALDO_OIDC_CLIENT_SECRET', given),
  /** The button in the app reads “Sign in with …”. */
  label: setting('SALDO_OIDC_LABEL', v.pipe(given, v.maxLength(40, 'must have at most 40 characters'))),
  /** Whoever has a verified address in one of these domains gets an account at the first sign-in. */
  domains: setting('SALDO_OIDC_DOMAINS', v.optional(words('must be domains such as example.com, separated by commas'))),
  /** A verified address opens the account that has it, at the first sign-in. */
  linking: setting('SALDO_OIDC_LINKING', yesOrNo),
  scope: setting(
    'SALDO_OIDC_SCOPE',
    v.optional(v.pipe(v.string(), v.regex(/(^| )openid( |$)/, 'must contain openid')), 'openid email profile'),
  ),
  /** The claim that says that the address is verified. */
  verifiedClaim: setting('SALDO_OIDC_VERIFIED_CLAIM', v.optional(given, 'email_verified')),
  groupsClaim: setting('SALDO_OIDC_GROUPS_CLAIM', v.optional(given, 'groups')),
  /** Members of this group are admins, and nobody else who signs in here. */
  adminGroup: setting('SALDO_OIDC_ADMIN_GROUP', v.optional(given)),
}

const PROVIDER_IDS = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

/** Settings of commands that use a service from outside, which may be in the environment of a service too. */
const commandSettings = ['SALDO_URL', 'SALDO_TOKEN']

type Values<S extends Record<string, { schema: v.GenericSchema }>> = { [K in keyof S]: v.InferOutput<S[K]['schema']> }

/** An OpenID provider with whose accounts people sign in. */
export interface ProviderSettings extends Values<typeof providerSettings> {
  /** `1` to `9`: the number at the end of its settings, and a part of its redirect URI. */
  id: string
}

/** The settings of the service. */
export interface Config extends Values<typeof settings> {
  providers: readonly ProviderSettings[]
}

type Environment = Record<string, string | undefined>

/** Reads the settings. Throws `ConfigError` for the first one that is unknown or not valid. */
export function readConfig(environment: Environment = process.env): Config {
  const known = new Set([
    ...Object.values(settings).map(({ name }) => name),
    ...PROVIDER_IDS.flatMap((id) => Object.values(providerSettings).map(({ name }) => name + suffixOf(id))),
    ...commandSettings,
  ])
  const unknown = Object.keys(environment).find((name) => name.startsWith('SALDO_') && !known.has(name))
  if (unknown) throw new ConfigError(`Unknown setting ${unknown}`)
  const config = { ...readValues(settings, environment), providers: readProviders(environment) }
  const { demo, databaseUrl, smtpUrl, providers } = config
  const excludedByDemo = { SALDO_DATABASE_URL: databaseUrl, SALDO_SMTP_URL: smtpUrl, SALDO_OIDC_ISSUER: providers[0] }
  const excluded = Object.entries(excludedByDemo).find(([, value]) => demo && value !== undefined)
  if (excluded) throw new ConfigError(`SALDO_DEMO does not work with ${excluded[0]}`)
  if (config.databaseUrl !== undefined && config.authSecret === undefined) {
    throw new ConfigError('SALDO_DATABASE_URL needs SALDO_AUTH_SECRET, the same on all nodes')
  }
  if (config.providers.length > 0 && config.publicUrl === undefined) {
    throw new ConfigError('SALDO_OIDC_ISSUER needs SALDO_PUBLIC_URL, to which the provider sends browsers back')
  }
  if (config.oidcOnly && config.providers.length === 0) throw new ConfigError('SALDO_OIDC_ONLY needs SALDO_OIDC_ISSUER')
  if (config.smtpUrl !== undefined && config.publicUrl === undefined) {
    throw new ConfigError('SALDO_SMTP_URL needs SALDO_PUBLIC_URL, to which links in mails lead')
  }
  if (config.smtpUrl !== undefined && config.mailFrom === undefined) {
    throw new ConfigError('SALDO_SMTP_URL needs SALDO_MAIL_FROM, the sender of mails')
  }
  if (config.mailFrom !== undefined && config.smtpUrl === undefined) {
    throw new ConfigError('SALDO_MAIL_FROM needs SALDO_SMTP_URL')
  }
  return config
}

function readValues<S extends typeof settings | typeof providerSettings>(
  of: S,
  environment: Environment,
  suffix = '',
): Values<S> {
  const values = Object.entries(of).map(([key, { name, schema }]) => {
    const checked = check(schema as v.GenericSchema, environment[name + suffix])
    if (!checked.ok) throw new ConfigError(`${name}${suffix} ${checked.errors[0]?.detail}`)
    return [key, checked.value]
  })
  return Object.fromEntries(values) as Values<S>
}

/** Reads each provider of which a setting is given. */
function readProviders(environment: Environment): ProviderSettings[] {
  const names = Object.values(providerSettings).map(({ name }) => name)
  const ids = PROVIDER_IDS.filter((id) => names.some((name) => environment[name + suffixOf(id)] !== undefined))
  const providers = ids.map((id) => ({ id, ...readValues(providerSettings, environment, suffixOf(id)) }))
  const twice = providers.find(({ issuer }, index) =>
    providers.some((other, at) => at < index && other.issuer === issuer),
  )
  if (twice) throw new ConfigError(`SALDO_OIDC_ISSUER${suffixOf(twice.id)} is given twice`)
  return providers
}

function suffixOf(id: string): string {
  return id === '1' ? '' : `_${id}`
}
