import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isHeavy } from '../../packages/core/test/tier.ts'
import { layoutFaults, layoutFaultsAtWidths } from './layout.ts'
import { type Stage, wordsOf } from './stage.ts'
import { openWideAccount, openWidePage, type Way } from './wide-account.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openWideAccount()
})
afterAll(() => stage?.close())

/** Follows a link of the app, up to its heading. */
async function go(page: Page, path: string, isThere: (page: Page) => Promise<unknown>): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '${path}')`)
  await isThere(page)
}

/** The longest words with the longest times; the others too where there is time. */
const ways: readonly Way[] = [
  { language: 'de', hours: 'h12' },
  ...(isHeavy ? [{ language: 'en', hours: 'h23' } as const] : []),
]

test.each(ways)('Today and Week fit windows of 320 to 1,600 pixels: $language, $hours', async (way) => {
  const page = await openWidePage(stage, way)
  const t = wordsOf(way.language)
  await page.getByText(t('today.entries')).first().waitFor()
  expect(await layoutFaultsAtWidths(page)).toEqual([])
  await go(page, '/week', (at) => at.getByRole('table', { name: t('week.table') }).waitFor())
  expect(await layoutFaultsAtWidths(page)).toEqual([])
  await page.getByText(t('week.asTimesheet'), { exact: true }).click()
  await page.getByRole('button', { name: t('week.timesheet.copy') }).waitFor()
  expect(await layoutFaultsAtWidths(page)).toEqual([])
})

test('the check finds planted faults', async () => {
  const page = await openWidePage(stage, { language: 'en', hours: 'h23' })
  await go(page, '/week', (at) => at.locator('dd').first().waitFor())
  expect(await layoutFaults(page)).toEqual([])
  await page.evaluate('document.adoptedStyleSheets = [(globalThis.style = new CSSStyleSheet())]')
  for (const [css, fault] of [
    ['dd { width: 1ch; overflow-wrap: anywhere }', /^broken over lines/],
    ['dd { width: 2ch; overflow: hidden; white-space: nowrap }', /^cut off/],
    ['dd { width: 3ch; overflow: hidden; white-space: nowrap; text-overflow: ellipsis }', /^cut off/],
    ['#page { min-width: 120rem }', /^the page scrolls sideways/],
    ['dl { position: absolute; inset: 0 }', /^covered/],
    ['dd { margin-top: -1.5rem }', /^over “/],
  ] as const) {
    await page.evaluate(`style.replaceSync(${JSON.stringify(css)})`)
    expect(await layoutFaults(page), css).toContainEqual(expect.stringMatching(fault))
  }
})
