import type { Page } from 'playwright-core'
import { pageFiles } from '../browser/bundle.ts'

const files = pageFiles('layout')

/** The widths of windows, in pixels. */
const WIDTHS = Array.from({ length: 33 }, (_, index) => 320 + 40 * index)
/** Higher than any view, so that all of it is drawn. */
const HEIGHT = 4_000

/** Returns the faults of the layout of a page as it is drawn now. */
export async function layoutFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'layout' in globalThis"))) {
    await page.evaluate(String((await files).get('/layout/page.js')?.body))
  }
  return page.evaluate('layout.faults()')
}

/** Returns the faults of the layout of a page in windows of 320 to 1,600 pixels, each with the widths that have it. */
export async function layoutFaultsAtWidths(page: Page): Promise<string[]> {
  const widths = new Map<string, number[]>()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT })
    // Views that look at the width render again.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    for (const fault of await layoutFaults(page)) widths.set(fault, [...(widths.get(fault) ?? []), width])
  }
  return [...widths].map(([fault, at]) => `${at.join(' ')}: ${fault}`)
}
