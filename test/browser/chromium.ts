import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { isHeavy } from '../../packages/core/test/tier.ts'

/** Debian's Chromium. */
const SYSTEM_CHROMIUM = '/usr/bin/chromium'
/** Debian's Chromium without a user interface, which takes half the processor time to open a page. */
export const SYSTEM_HEADLESS = '/usr/lib/chromium/chromium-headless-shell'
/** A name of this computer by which browsers do not trust it without TLS, as they do its address. */
export const INSECURE_HOST = 'saldo.test'

/** Time limit of everything that a test waits for, in milliseconds: much longer than needed. */
export const PATIENCE_MS = 120_000

/** Returns the path of the system's Chromium: the one that people use if `isWhole`, as in the heavy tier. */
export function systemChromium({ isWhole = isHeavy } = {}): string | undefined {
  return [...(isWhole ? [] : [SYSTEM_HEADLESS]), SYSTEM_CHROMIUM, SYSTEM_HEADLESS].find((path) => existsSync(path))
}

const executablePath = systemChromium()

const options = {
  // Without it, Playwright's own.
  ...(executablePath !== undefined && { executablePath }),
  args: [
    `--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1`,
    // Pages of tests live for seconds: optimizing their code takes more time than it saves.
    ...(isHeavy ? [] : ['--js-flags=--no-opt --no-maglev']),
  ],
}

let shared: Promise<Browser> | undefined

/** Returns the browser that all tests of this process share. Each test has its own contexts. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchUntilExit()
  return shared
}

function launchUntilExit(): Promise<Browser> {
  // Vitest ends its processes by this signal. Then handlers of `exit` end what the process started.
  process.once('SIGTERM', () => process.exit())
  return chromium.launch({ ...options, handleSIGTERM: false })
}

/** A page, its context, which is its own, and the errors that it has had. */
export interface OpenPage {
  page: Page
  context: BrowserContext
  errors: string[]
}

/** Opens a page in a new context of the shared browser. */
export async function openPage(options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await (await sharedBrowser()).newContext(options)
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  return { page, context, errors: errorsOf(page) }
}

/** Returns a list that grows with each error of a page. */
export function errorsOf(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    // Being asked who is signed in, the service may say nobody; the browser calls that an error.
    if (message.type() === 'error' && !message.text().includes('401')) errors.push(message.text())
  })
  return errors
}

/** A browser with a profile of its own on the disk, which can be killed and opened again. */
export class KillableBrowser {
  readonly #profile = mkdtempSync(join(tmpdir(), 'saldo-profile-'))
  #context: BrowserContext | undefined
  #pid = 0

  static async open(): Promise<KillableBrowser> {
    const browser = new KillableBrowser()
    await browser.reopen()
    return browser
  }

  get context(): BrowserContext {
    if (!this.#context) throw new Error('this browser is not open')
    return this.#context
  }

  async reopen(): Promise<void> {
    this.#context = await chromium.launchPersistentContext(this.#profile, options)
    const session = await (this.#context.browser() as Browser).newBrowserCDPSession()
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    this.#pid = processInfo.find(({ type }) => type === 'browser')?.id as number
  }

  /** Ends all its processes at once, as a power cut does. */
  async kill(): Promise<void> {
    const gone = new Promise((resolve) => this.context.on('close', resolve))
    // Playwright makes it the first of a process group.
    process.kill(-this.#pid, 'SIGKILL')
    await gone
    this.#context = undefined
  }

  async close(): Promise<void> {
    await this.#context?.close()
    this.#context = undefined
  }

  async remove(): Promise<void> {
    await this.close()
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 })
  }
}
