import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { UserNumber } from '@saldo/core'

const root = join(import.meta.dirname, '../..')
// Builds the program that users run from the current sources, unless the build is fresh.
const { build } = await import(join(root, 'scripts/setup.mjs'))
await build()

/** A user of the service. */
export interface Person {
  user: UserNumber
  email: string
  password: string
  /** For the test to look with. */
  token: string
  /** A session for pages. */
  cookie: { name: string; value: string }
}

/** The program `saldo serve` on a data folder of its own, which can be killed and started again. */
export class RealService {
  url = ''
  readonly folder = mkdtempSync(join(tmpdir(), 'saldo-browser-'))
  /** All errors that it has written. */
  stderr = ''
  readonly #settings: Record<string, string>
  readonly #nodeArgs: readonly string[]
  #child: ChildProcess | undefined
  #setupCode: string | undefined
  #people = 0

  private constructor(settings: Record<string, string>, nodeArgs: readonly string[]) {
    this.#settings = settings
    this.#nodeArgs = nodeArgs
  }

  /** Starts one, with more settings of the environment and options of Node. */
  static async open(settings: Record<string, string> = {}, nodeArgs: readonly string[] = []): Promise<RealService> {
    const service = new RealService(settings, nodeArgs)
    await service.start()
    return service
  }

  /** Starts it, on another port each time. */
  async start(): Promise<void> {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SALDO_'))
    const settings = { SALDO_PORT: '0', SALDO_DATA_DIR: this.folder, SALDO_SIGNUP: 'open', SALDO_LOG_LEVEL: 'error' }
    const child = spawn(process.execPath, [...this.#nodeArgs, join(root, 'packages/cli/dist/saldo.js'), 'serve'], {
      env: { ...Object.fromEntries(inherited), ...settings, ...this.#settings },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.#child = child
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
      process.stderr.write(text)
    })
    const [, url = '', setupCode] = await wrote(child, /^Saldo is at (\S+?)\/(?:#setup=(\S+))?\n/)
    this.url = url
    this.#setupCode = setupCode
  }

  /** Resolves to what a module that was loaded before the program answers. */
  async askModule(question: unknown): Promise<unknown> {
    this.#child?.send(question as object)
    const [answer] = await once(this.#child as ChildProcess, 'message')
    return answer
  }

  /** Ends it at once, as a power cut does. */
  async kill(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (!child) return
    const gone = new Promise((resolve) => child.on('close', resolve))
    child.kill('SIGKILL')
    await gone
  }

  async close(): Promise<void> {
    await this.kill()
    rmSync(this.folder, { recursive: true })
  }

  /** Ends it when this process exits, which waits for nothing. */
  closeOnExit(): this {
    process.once('exit', () => {
      this.#child?.kill('SIGKILL')
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
    })
    return this
  }

  /** A new user, with an account of their own. */
  async addPerson(): Promise<Person> {
    this.#people += 1
    const [email, password] = [`person${this.#people}@example.com`, 'correct horse battery']
    const signUp = {
      email,
      name: `Person ${this.#people}`,
      password,
      ...(this.#people === 1 && { setup_code: this.#setupCode }),
    }
    const signedUp = await this.#post('/api/auth/sign-up', signUp)
    const [cookie = ''] = signedUp.headers.getSetCookie().map((one) => one.split(';')[0])
    const made = await this.#post('/api/me/tokens', { name: 'test', password }, { cookie, origin: this.url })
    const { user_id: user } = (await signedUp.json()) as { user_id: UserNumber }
    const { token } = (await made.json()) as { token: string }
    const [name = '', value = ''] = cookie.split('=')
    return { user, email, password, token, cookie: { name, value } }
  }

  /** Returns the JSON of the service's answer to a user. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies that the contract check has proved elsewhere
  async ask({ token }: Person, path: string, json?: unknown, wanted?: string): Promise<any> {
    const method = wanted ?? (json === undefined ? 'GET' : 'POST')
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = json === undefined ? null : JSON.stringify(json)
    const response = await fetch(this.url + path, { method, headers, body })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.status === 204 ? undefined : response.json()
  }

  /** Everything that was logged is as old as if so many days had passed since. */
  ageLog(days: number): void {
    const database = new DatabaseSync(join(this.folder, 'saldo.db'))
    database.exec(`UPDATE sync_log SET logged_at = logged_at - ${days * 86_400_000}`)
    database.close()
  }

  async #post(path: string, json: object, headers: Record<string, string> = {}): Promise<Response> {
    const response = await fetch(this.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(json),
    })
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
    return response
  }
}

/** Waits until a program's output matches; throws where it ends before. */
function wrote(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (more: string) => {
      text += more
      const match = pattern.exec(text)
      if (match) resolve(match)
    })
    child.on('error', reject)
    child.on('close', (code) => reject(new Error(`ended (${code}) without ${pattern}: ${text}`)))
  })
}
