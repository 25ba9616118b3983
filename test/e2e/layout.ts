import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { isHeavy } from '../../packages/core/test/tier.ts'
import { pageFiles } from '../browser/bundle.ts'

const root = join(import.meta.dirname, '../..')
const files = pageFiles('layout')

/** The widths in the app's media queries, in pixels. */
const breakpoints = globSync('packages/web/src/**/*.css', { cwd: root })
  .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(/@media[^{]*\(max-width: (\d+)em\)/g)])
  .map(([, em]) => 16 * Number(em))

/**
 * The widths of windows, in pixels: in `npm test` the narrowest, the narrowest above each breakpoint, where the most
 * has the least room, and the widest.
 */
const WIDTHS = isHeavy
  ? Array.from({ length: 33 }, (_, index) => 320 + 40 * index)
  : [320, ...new Set(breakpoints.map((width) => width + 1).toSorted((one, other) => one - other)), 1_600]
/** Higher than any view, so that all of it is drawn. */
const HEIGHT = 4_000

const TWO_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

/** Returns the faults of the layout of a page as it is drawn now. */
export async function layoutFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'layout' in globalThis"))) {
    await page.evaluate(String((await files).get('/layout/page.js')?.body))
  }
  return page.evaluate('layout.faults()')
}

/** Returns the faults of a page whose parts may still follow the width of the window. */
async function settledFaults(page: Page): Promise<string[]> {
  await page.evaluate(TWO_FRAMES)
  if ((await layoutFaults(page)).length === 0) return []
  await page.evaluate(`${TWO_FRAMES}.then(() => ${TWO_FRAMES})`)
  return layoutFaults(page)
}

/** Returns the faults of the layout of a page in windows of 320 to 1,600 pixels, each with the widths that have it. */
export async function layoutFaultsAtWidths(page: Page): Promise<string[]> {
  const widths = new Map<string, number[]>()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT })
    for (const fault of await settledFaults(page)) widths.set(fault, [...(widths.get(fault) ?? []), width])
  }
  return [...widths].map(([fault, at]) => `${at.join(' ')}: ${fault}`)
}
