import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Log, readConfig, type Service, startService, systemRandom } from '@saldo/server'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const root = join(import.meta.dirname, '../..')
// What users run, built from the sources as they are; nothing happens where it is fresh.
const { build } = await import(join(root, 'scripts/setup.mjs'))
build()

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const silent: Log = { error() {}, warn() {}, info() {}, debug() {} }

/** What a page looks like to a person. */
export interface Look {
  size: 'desktop' | 'phone'
  scheme: 'light' | 'dark'
  language: 'en' | 'de'
}

/** Each size with each scheme; the languages take turns. */
export const looks: readonly Look[] = [
  { size: 'desktop', scheme: 'light', language: 'en' },
  { size: 'desktop', scheme: 'dark', language: 'de' },
  { size: 'phone', scheme: 'light', language: 'de' },
  { size: 'phone', scheme: 'dark', language: 'en' },
]

const sizes = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
} as const
const locales = { en: 'en-GB', de: 'de-DE' } as const

export const person = { email: 'ada@example.com', password: 'correct horse battery' }

/** The real service with the built app, and real browsers in front of it; all of them at one time of the test's choice. */
export class Stage {
  readonly #folder = mkdtempSync(join(tmpdir(), 'saldo-e2e-'))
  readonly #aheadMs: number
  readonly #browser: Browser
  #appDir = join(root, 'packages/web/dist')
  #service: Service | undefined

  private constructor(browser: Browser, aheadMs: number) {
    this.#browser = browser
    this.#aheadMs = aheadMs
  }

  /** Time goes on from `now`; a Friday at noon in Berlin unless told otherwise. */
  static async open(now = '2026-11-20T11:00:00.000Z'): Promise<Stage> {
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium' })
    const stage = new Stage(browser, Date.parse(now) - Date.now())
    await stage.#serve(0)
    return stage
  }

  async #serve(port: number): Promise<void> {
    const config = { ...readConfig({}), port, dataDir: this.#folder }
    const clock = { now: () => this.nowMs }
    const appDir = this.#appDir
    this.#service = await startService({ config, clock, random: systemRandom, log: silent, build: 'e2e', appDir })
  }

  /** The service ends, and begins again at its address with another build of the app. */
  async restartWith(appDir: string): Promise<void> {
    const { port } = new URL(this.url)
    await this.end()
    this.#appDir = appDir
    await this.#serve(Number(port))
  }

  /** The service ends: nobody reaches it any more. */
  async end(): Promise<void> {
    await this.#service?.close()
    this.#service = undefined
  }

  get nowMs(): number {
    return Date.now() + this.#aheadMs
  }

  get url(): string {
    return (this.#service as Service).url
  }

  /** The address with which the first user signs up. */
  get setupUrl(): string {
    return `${this.url}/#setup=${this.#service?.setupCode}`
  }

  /** A browser of its own, with one page of which every error fails the test. */
  async page({ size, scheme, language }: Look): Promise<{ page: Page; context: BrowserContext; errors: string[] }> {
    const context = await this.#browser.newContext({
      ...sizes[size],
      colorScheme: scheme,
      locale: locales[language],
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    await page.clock.install({ time: this.nowMs })
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('console', (message) => {
      // Being asked who is signed in, the service may say nobody; the browser calls that an error.
      const isError = message.type() === 'error' && !message.text().includes('401')
      if (isError) errors.push(message.text())
    })
    return { page, context, errors }
  }

  /** Signs the first user up, in a page of theirs, and answers the three questions as they are filled in. */
  async signUp(page: Page, { language }: Look): Promise<void> {
    const t = wordsOf(language)
    await page.goto(this.setupUrl)
    await page.getByLabel(t('signIn.email')).fill(person.email)
    await page.getByLabel(t('signIn.password'), { exact: true }).fill(person.password)
    await page.getByRole('button', { name: t('signIn.signUp') }).click()
    await page.getByRole('button', { name: t('firstRun.begin') }).click()
    await page.getByRole('heading', { name: t('today.entries') }).waitFor()
  }

  /** Signs the user in on another device. */
  async signIn(page: Page, { language }: Look): Promise<void> {
    const t = wordsOf(language)
    await page.goto(this.url)
    await page.getByLabel(t('signIn.email')).fill(person.email)
    await page.getByLabel(t('signIn.password'), { exact: true }).fill(person.password)
    await page.getByRole('button', { name: t('signIn.signIn') }).click()
    await page.getByRole('heading', { name: t('today.entries') }).waitFor()
  }

  async close(): Promise<void> {
    await this.#browser.close()
    await this.end()
    rmSync(this.#folder, { recursive: true })
  }
}

/** A string of the app by its key, in a language, with its values filled in. */
export function wordsOf(language: Look['language']): (key: string, values?: Record<string, string>) => string {
  const files = globSync(`packages/web/src/**/${language}.json`, { cwd: root })
  const strings = Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(join(root, file), 'utf8'))))
  return (key, values = {}) => {
    const text = key.split('.').reduce((part, name) => part?.[name], strings)
    if (typeof text !== 'string') throw new Error(`there is no string ${key}`)
    return text.replace(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? '')
  }
}

/** What axe finds against WCAG 2.2 AA on a page, as it is now: nothing, when all is well. */
export async function axeFindings(page: Page): Promise<string[]> {
  // Not as a script in the page: the app's policy forbids those.
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as { axe: typeof import('axe-core') }
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
    const { violations } = await checker.run({ runOnly: tags })
    return violations.flatMap(({ id, help, nodes }) => {
      // Short entries on the time line have an equal in the list beside it (WCAG 2.5.8, Equivalent).
      const found = nodes.filter(({ html }) => !(id === 'target-size' && html.includes('time-line-keys')))
      return found.length > 0
        ? [`${id}: ${help}: ${found.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' ')}`]
        : []
    })
  })
}
