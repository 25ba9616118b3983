import type { BrowserContext, BrowserContextOptions, JSHandle } from 'playwright-core'
import { afterAll, onTestFinished } from 'vitest'
import { pageFiles } from './bundle.ts'
import { type OpenPage, openPage } from './chromium.ts'
import { FaultProxy } from './proxy.ts'

/** Opens an address on a page of a browser of its own, which is closed when the test ends. */
export async function pageOfTest(url: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const opened = await openPage(options)
  onTestFinished(() => opened.context.close())
  await opened.page.goto(url)
  return opened
}

/**
 * Serves `page/<name>.ts` for the tests of a file. Returns a function that runs it on a page of its own and resolves to
 * the global that it sets.
 */
export async function programOfFile<T>(name: string, global: string): Promise<() => Promise<JSHandle<T>>> {
  const proxy = await FaultProxy.open(await pageFiles(name))
  const contexts: BrowserContext[] = []
  afterAll(async () => {
    await Promise.all(contexts.map((context) => context.close()))
    await proxy.close()
  })
  return async () => {
    const { page, context } = await openPage()
    contexts.push(context)
    await page.goto(`${proxy.url}/${name}/`)
    await page.waitForFunction((global) => global in globalThis, global)
    return page.evaluateHandle((global) => (globalThis as Record<string, unknown>)[global] as T, global)
  }
}
