import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { instantOf, type TokenRow, type UserNumber } from '@saldo/core'
import type { Config } from '../src/env.ts'
import { readConfig } from '../src/env.ts'
import type { Log } from '../src/log.ts'
import { databaseFile, databaseOf, type Service, startService } from '../src/service.ts'
import { openStores, type Stores } from '../src/store/stores.ts'
import { systemRandom } from '../src/system.ts'
import type { PasswordHashing } from '../src/users/password-hashing.ts'
import { userParts } from '../src/users/user-parts.ts'
import { ContractCheck, type OpenApiDocument } from './contract-check.ts'
import { ManualClock } from './manual-clock.ts'
import { copyOf, newDatabase, putBack } from './postgres/database.ts'
import { quickHashing } from './quick-hashing.ts'
import { SentSecrets } from './sent-secrets.ts'

/** An answer as a test looks at it. */
export interface TestResponse {
  status: number
  headers: Headers
  /** The body as it came. */
  text: string
  /** The body's JSON; `undefined` where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose schema the contract check has proved
  body: any
}

export interface CallOptions {
  token?: string
  headers?: Record<string, string>
  /** Sent as JSON. */
  json?: unknown
  /** Sent as it is, as `application/json` unless headers say otherwise. */
  raw?: string | Uint8Array<ArrayBuffer>
  /** For requests that are wrong on purpose in ways that the document cannot describe. */
  skipContractCheck?: boolean
}

/** A line that the service logged. */
export interface LogLine {
  level: 'error' | 'warn' | 'info' | 'debug'
  fields: object
  message: string
}

export interface TestService {
  url: string
  /** The origin of the app's pages. */
  origin: string
  clock: ManualClock
  dataDir: string
  log: LogLine[]
  service: Service
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>
  /** A new user with a token, made beside the service as the command line does it; without a password. */
  user(
    email?: string,
    token?: Partial<Pick<TokenRow, 'scope' | 'expires_at'>>,
  ): Promise<{ user: UserNumber; token: string; call: TestService['call'] }>
  /** Another token of a user of `user`. */
  anotherToken(user: UserNumber): Promise<string>
  /** Another opening of the service's database, as a command has it. */
  openBeside(): Promise<Stores>
  /** Works on the service's database in an opening that lasts until the service stops. */
  beside<T>(work: (stores: Stores) => Promise<T>): Promise<T>
  /** Stops the service and starts it again on the same files, which may be changed `meanwhile`. */
  restart(meanwhile?: () => void | Promise<void>): Promise<void>
  /** Stops the service, copies its database, and starts it again. What is returned puts the copy back, likewise. */
  backUp(): Promise<() => Promise<void>>
  /** Stops the service. Throws where its log holds a password, a token or a cookie that went through `call`. */
  close(): Promise<void>
}

export interface TestServiceOptions {
  /** Where the clock stands; a Saturday unless told otherwise. */
  now?: string
  config?: Partial<Config>
  /** The folder of a built web app. */
  appDir?: string
  /** A folder that is kept; without it, a new one that goes with the service. */
  dataDir?: string
  /** A quick one unless told otherwise. */
  hashing?: PasswordHashing
}

/** The same for all services of a process: making the document takes longer than the rest of a start. */
let contractCheck: ContractCheck | undefined

/**
 * The real service on a real database and a real socket, with a clock in the test's hand: on a SQLite file, or on
 * PostgreSQL in the project that runs there.
 */
export async function startTestService({
  now = '2026-11-21T12:00:00.000Z',
  config: wanted = {},
  appDir,
  dataDir: keptDir,
  hashing = quickHashing,
}: TestServiceOptions = {}): Promise<TestService> {
  const clock = new ManualClock(now)
  const dataDir = keptDir ?? mkdtempSync(join(tmpdir(), 'saldo-test-'))
  const databaseUrl = wanted.databaseUrl ?? (await newDatabase())
  const authSecret = databaseUrl && systemRandom.token(32)
  // The clock stands still, so what a user may write would not come back.
  const unlimited = { writesPerMinute: 1e6, writtenBytesPerMinute: 1e12 }
  const own = { port: 0, dataDir, databaseUrl, authSecret, signup: 'open' as const }
  const config: Config = { ...readConfig({}), ...unlimited, ...own, ...wanted }
  const lines: LogLine[] = []
  const secrets = new SentSecrets()
  const note = (level: LogLine['level']) => (fields: object, message: string) => lines.push({ level, fields, message })
  const log: Log = { error: note('error'), warn: note('warn'), info: note('info'), debug: note('debug') }
  const options = {
    ...{ config, clock, random: systemRandom, log, build: 'test', hashing },
    ...(appDir !== undefined && { appDir }),
  }
  const start = () => startService(options)
  let service = await start()
  contractCheck ??= new ContractCheck(
    (await (await fetch(`${service.url}/api/openapi.json`)).json()) as OpenApiDocument,
  )
  const contract = contractCheck
  let users = 0
  const openBeside = () => openStores({ ...databaseOf(config), clock, random: systemRandom, as: 'command' })

  const call: TestService['call'] = async (method, path, options = {}) => {
    const { token, json, raw, headers = {}, skipContractCheck = false } = options
    const body = json === undefined ? raw : JSON.stringify(json)
    const sent = new Headers({
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    })
    secrets.note(sent, json)
    const response = await fetch(`${service.url}${path}`, {
      method,
      redirect: 'manual',
      ...(body !== undefined && { body }),
      headers: sent,
    })
    const type = response.headers.get('content-type')
    const text = type === 'text/event-stream' ? await firstOf(response) : await response.text()
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: type?.includes('json') && text !== '' ? JSON.parse(text) : undefined,
    }
    secrets.note(answer.headers, answer.body)
    if (!skipContractCheck) {
      contract.check(method, path, answer.status, type, text === '' ? undefined : (answer.body ?? text))
    }
    return answer
  }

  let kept: Promise<Stores> | undefined
  const beside: TestService['beside'] = async (work) => {
    kept ??= openBeside()
    return work(await kept)
  }
  const stop = async () => {
    await (await kept)?.close()
    kept = undefined
    await service.close()
  }
  const tokenOf = async ({ driver, users: store }: Stores, user: UserNumber, limits = {}) => {
    const options = { driver, users: store, clock, random: systemRandom, publicUrl: undefined }
    const { tokens } = userParts({ ...options, secret: 'signs nothing here'.repeat(2) })
    return (await tokens.create(user, 'test', limits)).secret
  }

  const restart: TestService['restart'] = async (meanwhile = () => {}) => {
    await stop()
    await meanwhile()
    service = await start()
  }

  return {
    get url() {
      return service.url
    },
    get origin() {
      return config.publicUrl ?? service.url
    },
    get service() {
      return service
    },
    clock,
    dataDir,
    log: lines,
    call,
    openBeside,
    beside,
    async user(email = `user-${users + 1}@example.com`, limits = {}) {
      users += 1
      return beside(async (stores) => {
        const at = instantOf(clock.now())
        const added = await stores.users.add({ email, passwordHash: 'no password fits', at })
        if (added.outcome !== 'added') throw new Error(`no user ${email}: ${added.outcome}`)
        const token = await tokenOf(stores, added.user, limits)
        return { user: added.user, token, call: (method, path, sent = {}) => call(method, path, { token, ...sent }) }
      })
    },
    anotherToken: (user) => beside((stores) => tokenOf(stores, user)),
    restart,
    async backUp() {
      if (databaseUrl === undefined) {
        const [file, copy] = [databaseFile(config), join(dataDir, 'copy.db')]
        await restart(() => copyFileSync(file, copy))
        return () => restart(() => copyFileSync(copy, file))
      }
      let copy = ''
      await restart(async () => {
        copy = await copyOf(databaseUrl)
      })
      return () => restart(() => putBack(copy, databaseUrl))
    },
    async close() {
      await stop()
      if (!keptDir) rmSync(dataDir, { recursive: true })
      const told = secrets.in(lines)
      if (told.length > 0) throw new Error(`the log tells secrets: ${told.join(', ')}`)
    },
  }
}

/** Returns the first chunk of a body that does not end. */
async function firstOf({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  return new TextDecoder().decode(first?.value)
}
