import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, type Log, readConfig, type Service, startService, systemRandom } from '@saldo/server'
import type { BrowserContext, Page } from 'playwright-core'
import { isHeavy } from '../../packages/core/test/tier.ts'
import { quickHashing } from '../../packages/server/test/quick-hashing.ts'
import { type OpenPage, openPage, PATIENCE_MS } from '../browser/chromium.ts'

const root = join(import.meta.dirname, '../..')
// Builds the program from the sources, unless it is fresh.
const { build } = await import(join(root, 'scripts/setup.mjs'))
await build()

const silent: Log = { error() {}, warn() {}, info() {}, debug() {} }

/** Returns a page as a person sees it. */
export interface Look {
  size: 'desktop' | 'phone'
  scheme: 'light' | 'dark'
  language: 'en' | 'de'
}

export const desktop: Look = { size: 'desktop', scheme: 'light', language: 'en' }
export const phone: Look = { size: 'phone', scheme: 'dark', language: 'de' }
/** The sizes and languages that each flow is tested in: a phone in `npm test`, both in the heavy tier. */
export const looks: readonly Look[] = isHeavy ? [desktop, phone] : [phone]

const sizes = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
} as const
const ZONE = 'Europe/Berlin'
/** The heartbeats of a minute. */
const TEAM_HEARTBEATS = 15
const locales = { en: 'en-GB', de: 'de-DE' } as const

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export const person = { email: 'ada@example.com', name: 'Ada Lovelace', password: 'correct horse battery' }

/**
 * The real service with the built app, and real browsers in front of it; all of them at one time of the test's
 * choice.
 */
export class Stage {
  readonly #folder = mkdtempSync(join(tmpdir(), 'saldo-e2e-'))
  readonly #config: Partial<Config>
  readonly #contexts: BrowserContext[] = []
  /** Pages whose app is kept for when there is no network. */
  readonly #installed: Page[] = []
  #aheadMs: number
  /** The time at which the clocks stand still, if they do. */
  #fixedMs: number | undefined
  #appDir = join(root, 'packages/web/dist')
  #service: Service | undefined
  #url = ''

  private constructor(aheadMs: number, config: Partial<Config>) {
    this.#config = config
    this.#aheadMs = aheadMs
  }

  /** Time goes on from `now`; a Friday at noon in Berlin unless told otherwise. */
  static async open(now = '2026-11-20T11:00:00.000Z', config: Partial<Config> = {}): Promise<Stage> {
    const stage = new Stage(Date.parse(now) - Date.now(), config)
    await stage.#serve(config.port ?? 0)
    return stage
  }

  async #serve(port: number): Promise<void> {
    const config = { ...readConfig({}), ...this.#config, port, dataDir: this.#folder }
    const clock = { now: () => this.nowMs }
    const appDir = this.#appDir
    const given = { clock, random: systemRandom, log: silent, hashing: quickHashing }
    this.#service = await startService({ config, ...given, build: 'e2e', appDir })
    this.#url = this.#service.url
  }

  /** The service ends, and begins again at its address with another build of the app. */
  async restartWith(appDir: string): Promise<void> {
    await this.end()
    this.#appDir = appDir
    await this.beginAgain()
  }

  /** Starts the service at its address again, after its end. */
  async beginAgain(): Promise<void> {
    await this.#serve(Number(new URL(this.url).port))
  }

  /** Stops the service. */
  async end(): Promise<void> {
    await this.#service?.close()
    this.#service = undefined
  }

  /** Copies what the service has stored. Returns what puts the copy back in place of what it has by then. */
  async backUp(): Promise<() => Promise<void>> {
    const copy = mkdtempSync(join(tmpdir(), 'saldo-e2e-copy-'))
    const replace = async (from: string, to: string) => {
      await this.end()
      rmSync(to, { recursive: true })
      cpSync(from, to, { recursive: true })
      await this.beginAgain()
    }
    await replace(this.#folder, copy)
    return async () => {
      await replace(copy, this.#folder)
      rmSync(copy, { recursive: true })
    }
  }

  get nowMs(): number {
    return this.#fixedMs ?? Date.now() + this.#aheadMs
  }

  get url(): string {
    return this.#url
  }

  /** The address with which the first user signs up. */
  get setupUrl(): string {
    return `${this.url}/#setup=${this.#service?.setupCode}`
  }

  /**
   * A browser of its own, with one page of which every error fails the test; the app is kept in it for when there is no
   * network only where it is `installed`, since that takes time.
   */
  async page({ size, scheme, language }: Look, { installed = false } = {}): Promise<OpenPage> {
    const opened = await openPage({
      ...sizes[size],
      colorScheme: scheme,
      locale: locales[language],
      timezoneId: ZONE,
      reducedMotion: 'reduce',
      serviceWorkers: installed ? 'allow' : 'block',
    })
    this.#contexts.push(opened.context)
    if (installed) this.#installed.push(opened.page)
    await opened.context.addInitScript(fireOverdueTimers)
    await opened.page.clock.install({ time: this.nowMs })
    return opened
  }

  /** Lets time pass until an instant, for the service and all pages. */
  async goOn(until: string): Promise<void> {
    await this.pass(Date.parse(until) - this.nowMs)
  }

  /** Lets some time pass, for the service and all pages. */
  async pass(ms: number): Promise<void> {
    // An app that is being kept fetches its files: without a network it would not be kept, until the next reload.
    for (const page of this.#installed) if (page.url().startsWith(this.url)) await untilInstalled(page)
    // A request meanwhile would compare the new time of one with the old one of the other.
    const online = await this.#onlineContexts()
    await Promise.all(online.map((context) => context.setOffline(true)))
    this.#aheadMs += ms
    await Promise.all(this.#contexts.map((context) => context.clock.fastForward(ms)))
    await Promise.all(online.map((context) => context.setOffline(false)))
  }

  async #onlineContexts(): Promise<BrowserContext[]> {
    const areOnline = await Promise.all(
      this.#contexts.map(async (context) => (await context.pages()[0]?.evaluate('navigator.onLine')) === true),
    )
    return this.#contexts.filter((_, index) => areOnline[index])
  }

  /** Lets the clocks of the service and of all pages stand still. */
  async standStill(now: string): Promise<void> {
    this.#fixedMs = Date.parse(now)
    await Promise.all(this.#contexts.map((context) => context.clock.setFixedTime(now)))
  }

  /**
   * Signs the first user up, for a page of theirs, with eight hours from Monday to Friday since a date, or no
   * schedule yet.
   */
  async signUp(page: Page, since: string | null = '2026-11-20'): Promise<void> {
    await this.ask(page, 'POST', '/api/auth/sign-up', { ...person, setup_code: this.#service?.setupCode })
    if (since === null) return
    const target_ms = [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * 3_600_000)
    await this.ask(page, 'POST', '/api/settings', { effective_from: since, time_zone: ZONE, target_ms })
  }

  /** Signs the same user in, on another device. */
  async signIn(page: Page): Promise<void> {
    await this.ask(page, 'POST', '/api/auth/sign-in', person)
  }

  /** Returns the service's answer to a page's user, without the app. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies that the contract check has proved elsewhere
  async ask(page: Page, method: Method, path: string, data?: object): Promise<any> {
    const options = { method, headers: { origin: this.url }, ...(data && { data }) }
    const response = await page.request.fetch(this.url + path, options)
    const text = await response.text()
    if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  /** Records work at the service, of one date, from and until a time on the wall of Berlin in winter. */
  async work(page: Page, date: string, from: string, until: string, more: object = {}): Promise<void> {
    const [started_at, ended_at] = [from, until].map((time) => `${date}T${time}:00+01:00`)
    await this.ask(page, 'POST', '/api/entries', { kind: 'work', started_at, ended_at, ...more })
  }

  /** Has the service run the jobs that are due. */
  async runDueJobs(): Promise<void> {
    await this.#service?.runDueJobs()
  }

  /** Has the service look for changes of the team, as it does once a minute, and tell open pages. */
  async lookAtTeams(): Promise<void> {
    for (let beats = 0; beats < TEAM_HEARTBEATS; beats += 1) await this.#service?.heartbeat()
  }

  /** Has the service erase the accounts whose time of grace has ended. */
  async eraseDue(): Promise<void> {
    await this.#service?.eraseDue()
  }

  /** Has the service send what webhooks are to get. */
  async sendToWebhooks(): Promise<void> {
    await this.#service?.sendToWebhooks()
  }

  /** Has the service of a demo replace its account. */
  async resetDemo(): Promise<void> {
    await this.#service?.resetDemo()
  }

  /** Opens the app at a path, up to its heading. */
  async visit(page: Page, path = '/'): Promise<void> {
    await page.goto(this.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }

  async close(): Promise<void> {
    await Promise.all(this.#contexts.map((context) => context.close()))
    await this.end()
    rmSync(this.#folder, { recursive: true })
  }
}

/**
 * Lets timers whose time is past fire at once, also where it is long past. Browsers read a delay as 32 bits, so that
 * one of less than −24.8 days is weeks ahead. When a page is loaded, its clock asks for such a delay: it first has the
 * time of the first page, and then the present one.
 */
function fireOverdueTimers(): void {
  const set = globalThis.setTimeout
  globalThis.setTimeout = ((handler: () => void, delayMs = 0, ...given: []) =>
    set(handler, Math.max(0, delayMs), ...given)) as typeof set
}

/** Waits until the app of a page is kept for when there is no network. Throws if that takes long. */
export async function untilInstalled(page: Page): Promise<void> {
  // Playwright would not end the wait for a worker that never comes.
  const ready = 'navigator.serviceWorker.ready.then(() => true)'
  const never = `new Promise((resolve) => setTimeout(() => resolve(false), ${PATIENCE_MS}))`
  if (!(await page.evaluate(`Promise.race([${ready}, ${never}])`)))
    throw new Error('the app was not kept on the device')
}

/** Returns a pattern of a text in which `#` is any digit: minutes can pass while a page loads. */
export function digitsOf(text: string): RegExp {
  return new RegExp(text.split('#').map(RegExp.escape).join('\\d'))
}

/** A string of the app by its key, in a language, with its values filled in. */
export function wordsOf(language: Look['language']): (key: string, values?: Record<string, string>) => string {
  const files = globSync(`packages/web/src/**/${language}.json`, { cwd: root })
  const all = files.map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')))
  return (key, values = {}) => {
    const text = all.map((strings) => key.split('.').reduce((part, name) => part?.[name], strings)).find(Boolean)
    if (typeof text !== 'string') throw new Error(`there is no string ${key}`)
    return text.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? '')
  }
}
