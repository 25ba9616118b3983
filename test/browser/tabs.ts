import type { Workbench } from './page/workbench.ts'
import type { Computer, Tab } from './workbench.ts'

/** Requests that only the leader sends. */
export const SYNC = /(GET \/api\/sync\/pull|POST \/api\/sync\/push)/

/** A clock so slow that no timer fires during a test. */
export const STANDING = { hurry: 0.001 }

/** Three pages with the person's device, of which the first syncs. */
export async function threeTabs(computer: Computer, clock: { hurry?: number } = {}): Promise<[Tab, Tab, Tab]> {
  const tabs: Tab[] = []
  for (const name of ['one', 'two', 'three']) tabs.push(await computer.tab(name, clock))
  for (const tab of tabs) await tab.synced()
  return tabs as [Tab, Tab, Tab]
}

export function notesIn(tab: Tab): Promise<string[]> {
  return tab.do(async (saldo) => (await saldo.entries.all().read()).map(({ record }) => record.note).toSorted())
}

/** The renderer of a tab ends at once. */
export async function crash(computer: Computer, { page }: Tab): Promise<void> {
  const session = await computer.context.newCDPSession(page)
  const crashed = new Promise((resolve) => page.on('crash', resolve))
  void session.send('Page.crash').catch(() => {})
  await crashed
}

/** Stops a tab between two transactions of its program, as a renderer is that is stuck. Returns what lets it go on. */
export async function stuck(computer: Computer, { page }: Tab): Promise<() => Promise<void>> {
  const session = await computer.context.newCDPSession(page)
  await session.send('Debugger.enable')
  const paused = new Promise((resolve) => session.on('Debugger.paused', resolve))
  // Its answer comes once the page goes on.
  void page.evaluate(() => (globalThis as unknown as { workbench: Workbench }).workbench.stop()).catch(() => {})
  await paused
  return async () => {
    await session.send('Debugger.resume')
    await session.detach()
  }
}

/**
 * Sends a tab the browser's freeze event and stops it. (Chromium itself freezes no page that Playwright looks at: they
 * count as visible.) Returns a function that thaws it.
 */
export async function frozen(computer: Computer, tab: Tab): Promise<() => Promise<void>> {
  const tell = (event: string) =>
    tab.page.evaluate((event) => {
      const { document } = globalThis as unknown as { document: EventTarget }
      document.dispatchEvent(new Event(event))
    }, event)
  await tell('freeze')
  const goOn = await stuck(computer, tab)
  return async () => {
    await goOn()
    await tell('resume')
  }
}
