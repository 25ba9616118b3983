import type { Saldo } from '@saldo/client'
import type { UserNumber } from '@saldo/core'
import type { BrowserContext, JSHandle, Page } from 'playwright-core'
import { expect, onTestFinished, vi } from 'vitest'
import { pageFiles } from './bundle.ts'
import { INSECURE_HOST, KillableBrowser, PATIENCE_MS, sharedBrowser } from './chromium.ts'
import type { Workbench } from './page/workbench.ts'
import { FaultProxy } from './proxy.ts'
import { type Person, RealService } from './service.ts'

// One service and one browser for all tests of a process; users, contexts and proxies are each test's own.
const service = (await RealService.open()).closeOnExit()
const browser = await sharedBrowser()

/** Waits until expectations hold. */
export function eventually<T>(expectations: () => Promise<T> | T): Promise<T> {
  return vi.waitFor(expectations, { timeout: PATIENCE_MS, interval: 20 })
}

/** A user, the service as a page reaches it, and browsers. */
export class Bench {
  readonly proxy: FaultProxy
  readonly service: RealService
  readonly person: Person

  private constructor(proxy: FaultProxy, of: RealService, person: Person) {
    this.proxy = proxy
    this.service = of
    this.person = person
  }

  /** Gone when its test is. With `own`, the service is this test's, to be killed. */
  static async open({ own = false } = {}): Promise<Bench> {
    const its = own ? await RealService.open() : service
    if (own) onTestFinished(() => its.close())
    const proxy = await FaultProxy.open(await pageFiles('workbench'), its.url)
    onTestFinished(() => proxy.close())
    return new Bench(proxy, its, await its.addPerson())
  }

  /** A fresh browser, in which the person is signed in. */
  async computer(origin = this.proxy.url): Promise<Computer> {
    const context = await browser.newContext()
    onTestFinished(() => context.close())
    await context.addCookies([{ ...this.person.cookie, url: origin }])
    return new Computer(this, origin, () => context)
  }

  /** The same, of its own processes and with a profile on the disk, where its cookies are too. */
  async killableComputer(): Promise<KillableComputer> {
    const killable = await KillableBrowser.open()
    onTestFinished(() => killable.remove())
    const computer = new KillableComputer(this, killable)
    await signIn(await computer.page('sign-in'), this.person)
    await killable.close()
    await killable.reopen()
    return computer
  }

  /** Where a page is that browsers give less to, since it is not secure. */
  get insecureUrl(): string {
    return this.proxy.url.replace('127.0.0.1', INSECURE_HOST)
  }

  /** Ends the service at once; until it is started again, requests have no answer. */
  async killService(): Promise<void> {
    this.proxy.upstream = undefined
    await this.service.kill()
  }

  async startService(): Promise<void> {
    await this.service.start()
    this.proxy.upstream = this.service.url
  }

  /** Returns the JSON of the service's answer to the person, past the proxy. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies that the contract check has proved elsewhere
  ask(path: string, json?: unknown, method?: string): Promise<any> {
    return this.service.ask(this.person, path, json, method)
  }
}

/** Does something on a page as another program than the device. */
export async function asAnother<A, R>(
  page: Page,
  what: (others: Workbench['others'], given: A) => Promise<R>,
  given: A,
): Promise<R> {
  const others = await (await workbenchOf(page)).evaluateHandle(({ others }) => others)
  return others.evaluate(what as never, given)
}

/** Signs a browser in, on one of its pages. */
export async function signIn(page: Page, { email, password }: Person): Promise<void> {
  const workbench = await workbenchOf(page)
  await workbench.evaluate(({ connect }, person) => connect().signIn(person), { email, password })
}

/** The user that a page opens the client for. */
export async function whoIs(page: Page): Promise<{ user: UserNumber; email: string }> {
  return (await workbenchOf(page)).evaluate(({ connect }) => connect().me())
}

/** A browser. */
export class Computer {
  readonly #bench: Bench
  readonly #origin: string
  readonly #context: () => BrowserContext

  constructor(bench: Bench, origin: string, context: () => BrowserContext) {
    this.#bench = bench
    this.#origin = origin
    this.#context = context
  }

  get context(): BrowserContext {
    return this.#context()
  }

  /** Opens a page without a device; the proxy knows its requests by its name. */
  async page(name: string): Promise<Page> {
    const page = await this.context.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(`${this.#origin}/workbench/?tab=${name}`)
    return page
  }

  /** Opens a page with the person's device; its waits are over `hurry` times as fast. */
  async tab(name: string, { person = this.#bench.person, hurry = 1 } = {}): Promise<Tab> {
    return Tab.open(await this.page(name), person, hurry)
  }

  async setOffline(isOffline: boolean): Promise<void> {
    await this.context.setOffline(isOffline)
  }
}

export class KillableComputer extends Computer {
  readonly #browser: KillableBrowser

  constructor(bench: Bench, killable: KillableBrowser) {
    super(bench, bench.proxy.url, () => killable.context)
    this.#browser = killable
  }

  kill(): Promise<void> {
    return this.#browser.kill()
  }

  reopen(): Promise<void> {
    return this.#browser.reopen()
  }
}

/** A page with an open device. */
export class Tab {
  readonly page: Page
  readonly #saldo: JSHandle<Saldo>

  private constructor(page: Page, saldo: JSHandle<Saldo>) {
    this.page = page
    this.#saldo = saldo
  }

  static async open(page: Page, { user }: Person, hurry: number): Promise<Tab> {
    const workbench = await workbenchOf(page)
    return new Tab(page, await workbench.evaluateHandle((bench, given) => bench.open(...given), [user, hurry] as const))
  }

  /** Waits until the device has exchanged everything. */
  synced(): Promise<void> {
    return eventually(async () => {
      const status = await this.do((saldo) => saldo.sync().then(() => saldo.status.read()))
      expect(status).toMatchObject({ state: 'idle', unsent: 0 })
    })
  }

  /** Does something with the device in the page; what goes in and comes out is copied. */
  do<R>(what: (saldo: Saldo) => R): Promise<Awaited<R>>
  do<R, A>(what: (saldo: Saldo, given: A) => R, given: A): Promise<Awaited<R>>
  do(what: never, given?: unknown): Promise<unknown> {
    return this.#saldo.evaluate(what, given)
  }
}

function workbenchOf(page: Page): Promise<JSHandle<Workbench>> {
  return page.waitForFunction(() => (globalThis as { workbench?: Workbench }).workbench) as Promise<JSHandle<Workbench>>
}
