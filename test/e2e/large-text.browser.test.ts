import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isHeavy } from '../../packages/core/test/tier.ts'
import { layoutFaults } from './layout.ts'
import { openShown } from './shown-account.ts'
import { desktop, type Stage, wordsOf } from './stage.ts'

const t = wordsOf(desktop.language)

let stage: Stage
let page: Page
beforeAll(async () => {
  ;({ stage, page } = await openShown())
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Page.enable')
  await devTools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  // A telephone whose user wants letters of twice the size (WCAG 1.4.4).
  await page.setViewportSize({ width: 360, height: 740 })
})
afterAll(() => stage?.close())

const views = isHeavy
  ? [
      ...['/', '/day/2026-11-17', '/week', '/account', '/calendar/2026', '/calendar/2026/11'],
      ...['/calendar/2026/11/sheet', '/schedule', '/search#from=2026-11-16&to=2026-11-20'],
      ...['/reports#from=2026-11-16&to=2026-11-20', '/projects', '/sync', '/settings'],
      ...['/import-export', '/accounts', '/nowhere'],
    ]
  : ['/', '/week']

test.each(views)('text of twice the size is whole on a narrow telephone, and its bar leaves room: %s', async (path) => {
  await stage.visit(page, path)
  await page.getByText(t('sync.saved')).first().waitFor({ state: 'attached' })
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  expect(await page.evaluate('getComputedStyle(document.documentElement).fontSize')).toBe('32px')
  // Words may take several lines.
  const faults = async () => (await layoutFaults(page)).filter((fault) => !fault.startsWith('broken over lines'))
  await expect.poll(faults).toEqual([])
  const bar = await page.getByRole('navigation', { name: t('app.navigation') }).boundingBox()
  expect(bar?.height).toBeLessThan(740 / 6)
})
