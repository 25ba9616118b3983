import type { Page } from 'playwright-core'
import { scriptUntilUsable } from '../../test/browser/sent-script.ts'
import { median, quantile, type Result, within } from '../result.ts'
import { type AppBench, addEntries, openApp } from './browser.ts'
import type { Effect } from './effect.ts'

export interface AppSizes {
  /** Entries of a usual account, and of ten years. */
  usual: number
  decade: number
  /** Number of starts of the app, and of repetitions of each action. */
  starts: number
  acts: number
  /** Number of scrolls from the top, for each way to scroll. */
  passes: number
  /** Slowdown of the processor for pages: four, as on an old phone. */
  slower: number
}

export const fullAppSizes: AppSizes = { usual: 10_000, decade: 25_000, starts: 7, acts: 24, passes: 5, slower: 4 }
export const tinyAppSizes: AppSizes = { usual: 30, decade: 60, starts: 1, acts: 2, passes: 1, slower: 1 }

/** The views in the order in which they are gone to, each with something of what it holds. */
const views = {
  '/week': 'main tbody td',
  '/account': 'main tbody td',
  '/calendar': 'main td button',
  '/schedule': 'main ol li',
  '/search': 'main li',
  '/sync': 'main section',
  '/settings': 'main section',
  '/': 'main li',
} as const
const QUICK = 'main form input[aria-label="Quick entry"]'
const HEADING = 'main h1'
/** Elements that end a start: the input, today's entries, and their confirmed state. */
const usable: readonly Effect[] = [
  { selector: QUICK },
  { selector: 'main li' },
  { selector: '[role=status] [data-kind]' },
]
const TYPED = '9-12 Harbour'
/** Pixels that a quick wheel or finger moves in a frame. */
const WHEEL_PX = 120
/** Ten seconds of a wheel. */
const WHEEL_FRAMES = 600

/** The app as a person with an old phone feels it. */
export async function app({ usual, starts, acts, slower }: AppSizes): Promise<Result[]> {
  const bench = await openApp((ask) => addEntries(ask, usual), slower)
  try {
    return [
      await firstScript(
        await bench.strangersPage(),
        bench.url,
        'signed out',
        [{ selector: 'input[type=password]' }],
        150,
      ),
      await firstScript(await bench.page(), bench.url, 'Today', usable, 230),
      await warmStarts(bench, starts, usual),
      ...(await allActs(bench, acts, usual)),
    ]
  } finally {
    await bench.close()
  }
}

/** Loads the app for the first time. */
export async function load(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await settle(page)
}

/** Until all is on the device, it works offline, and the page has nothing to do. */
async function settle(page: Page): Promise<void> {
  await page.locator('[data-kind=saved]').waitFor({ state: 'attached', timeout: 120_000 })
  await page.evaluate('navigator.serviceWorker.ready.then(() => null)')
  await page.evaluate('probe.rest()')
}

/** The script that a first view needs. The rest is loaded later. */
async function firstScript(page: Page, url: string, name: string, needed: readonly Effect[], most: number) {
  const isUsable = () => page.evaluate(`probe.whenPainted(${JSON.stringify(needed)})`)
  const bytes = await scriptUntilUsable(page, url, isUsable)
  await page.close()
  return within(`script of the first view, ${name}`, bytes / 1_000, most, 'kB')
}

async function warmStarts({ page: open, url }: AppBench, starts: number, entries: number): Promise<Result> {
  const times: number[] = []
  for (let start = 0; start < starts; start += 1) {
    const page = await open()
    await page.goto(url, { waitUntil: 'commit' })
    times.push(await page.evaluate(`probe.whenPainted(${JSON.stringify(usable)})`))
    await page.close()
  }
  return within(`warm start of the app until it can be used, ${entries} entries`, median(times), 1_000, 'ms')
}

async function allActs({ page: open, url }: AppBench, acts: number, entries: number): Promise<Result[]> {
  const page = await open()
  await load(page, url)
  for (const { selector } of usable) await page.locator(selector).first().waitFor({ state: 'attached' })
  const machine = await speedOf(page)
  const timed = async (effect: Effect, act: () => Promise<void>) => (await answerTo(page, [[effect]], act))[0] as number
  const found: Record<keyof typeof acted, number[]> = {
    start: [],
    stop: [],
    view: [],
    whole: [],
    type: [],
    palette: [],
  }
  for (let round = 0; round < acts; round += 1) {
    found.start.push(await timed({ selector: '[role=timer]' }, () => page.keyboard.press('s')))
    found.stop.push(await timed({ selector: '[role=timer]', isGone: true }, () => page.keyboard.press('s')))
    await page.locator(QUICK).fill('')
    for (let length = 1; length <= TYPED.length; length += 1) {
      const effect = { selector: QUICK, value: TYPED.slice(0, length) }
      found.type.push(await timed(effect, () => page.keyboard.type(TYPED[length - 1] ?? '')))
    }
    await page.locator(QUICK).fill('')
    await page.locator(QUICK).blur()
    found.palette.push(await timed({ selector: '[role=dialog] input' }, () => page.keyboard.press('Control+k')))
    await page.keyboard.press('Escape')
    await page.locator('[role=dialog]').waitFor({ state: 'detached' })
    for (const [path, content] of Object.entries(views)) {
      const not = (await page.locator(HEADING).first().textContent()) ?? ''
      const link = page.locator(`nav a[href="${path}"]`).first()
      const heading = { selector: HEADING, not }
      const whole = [heading, { selector: content }]
      const [headingMs, wholeMs] = await answerTo(page, [[heading], whole], () => link.click())
      found.view.push(headingMs as number)
      found.whole.push(wholeMs as number)
    }
  }
  await page.close()
  const results = Object.entries(acted).map(([name, { what, mostMs }]) =>
    ninetyFive(`${what}, ${entries} entries`, found[name as keyof typeof acted], mostMs),
  )
  return [machine, ...results]
}

/** Reference for the other times: machines differ, and these are not ratios. */
async function speedOf(page: Page): Promise<Result> {
  const times: number[] = []
  for (let round = 0; round < 15; round += 1) times.push(await page.evaluate('probe.work()'))
  const ms = median(times)
  return {
    what: 'this machine: a fixed piece of work',
    reference: '',
    saldo: `${ms.toFixed(1)} ms`,
    ratio: 1,
    target: '',
    met: true,
  }
}

/** An action, and the milliseconds within which its effect must be visible. */
const acted = {
  start: { what: 'start the timer', mostMs: 100 },
  stop: { what: 'stop the timer', mostMs: 100 },
  view: { what: 'go to another view', mostMs: 100 },
  whole: { what: 'another view with what it holds', mostMs: 500 },
  type: { what: 'a key in the quick entry', mostMs: 100 },
  palette: { what: 'open the palette', mostMs: 100 },
}

/** Acts on a page that has nothing else to do, as it is between the acts of a person. */
async function answerTo(page: Page, seen: readonly (readonly Effect[])[], act: () => Promise<void>): Promise<number[]> {
  await page.evaluate('probe.rest()')
  await page.evaluate(`probe.arm(${JSON.stringify(seen)})`)
  await act()
  return page.evaluate('probe.answer()')
}

/** Ten years of entries, from the top, on a page that is at rest before each pass. */
export async function scrolling({ decade, passes, slower }: AppSizes): Promise<Result[]> {
  const { page: open, url, close } = await openApp((ask) => addEntries(ask, decade), slower)
  try {
    const page = await open()
    await load(page, `${url}/search`)
    await page.locator(`main li[aria-setsize="${decade}"]`).first().waitFor({ timeout: 120_000 })
    const scrolled = async (way: string, px: number, most: number) => {
      const longest: number[] = []
      for (let pass = 0; pass < passes; pass += 1) {
        await page.evaluate('scrollTo(0, 0)')
        await page.evaluate('probe.rest()')
        const frames: number[] = await page.evaluate(`probe.scroll(${px}, ${most})`)
        longest.push(Math.max(...frames.slice(1)))
      }
      const ms = median(longest)
      const told = `${ms.toFixed(0)} (${Math.max(...longest).toFixed(0)}) ms`
      const what = `longest frame of a scroll ${way}, half of ${passes} (of all), ${decade} entries`
      return within(what, ms, 50, 'ms', told)
    }
    return [await scrolled('by a wheel', WHEEL_PX, WHEEL_FRAMES)]
  } finally {
    await close()
  }
}

function ninetyFive(what: string, times: readonly number[], mostMs: number): Result {
  const ms = quantile(times, 0.95)
  const told = `${ms.toFixed(0)} (${median(times).toFixed(0)}) ms`
  return within(`95 of 100 (half): ${what}`, ms, mostMs, 'ms', told)
}
