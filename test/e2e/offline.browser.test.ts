import { afterEach, beforeEach, expect, test } from 'vitest'
import { isHeavy } from '../../packages/core/test/tier.ts'
import { KillableBrowser } from '../browser/chromium.ts'
import { everyView } from './full-account.ts'
import { openStage } from './open-stage.ts'
import { type Look, type Stage, untilInstalled, wordsOf } from './stage.ts'

let stage: Stage
let browser: KillableBrowser
beforeEach(async () => {
  stage = await openStage()
  browser = await KillableBrowser.open()
})
afterEach(() => browser.remove())

const look: Look = { size: 'desktop', scheme: 'light', language: 'en' }
const t = wordsOf(look.language)

/** A page at the time of the service. */
async function opened() {
  const page = await browser.context.newPage()
  await page.clock.install({ time: stage.nowMs })
  return page
}

test('after one load the views open without the service, also after a restart of the browser', async () => {
  const first = await opened()
  await stage.signUp(first, '2026-11-02')
  await stage.work(first, '2026-11-19', '09:00', '17:00', { project: 'Saldo', tags: ['ui'], note: 'Drawing' })
  await stage.visit(first)
  await first.getByLabel(t('today.quick.label')).waitFor()
  await first.keyboard.press('s')
  await first.getByRole('timer').waitFor()
  await first.getByText(t('sync.saved')).waitFor()
  await untilInstalled(first)
  const { url } = stage
  await stage.end()
  await browser.close()
  await browser.reopen()

  const page = await opened()
  const failures: string[] = []
  page.on('pageerror', (error) => failures.push(error.message))
  for (const path of isHeavy ? everyView : ['/week']) {
    await page.goto(url + path)
    await page.locator('main').getByRole('heading', { level: 1 }).waitFor()
    await page.getByText(t('app.failed.title')).waitFor({ state: 'detached' })
  }
  await page.goto(url)
  await page.getByRole('timer').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByText(t('palette.timer.stop')).waitFor()
  await page.keyboard.press('Escape')
  await page.evaluate("history.pushState(null, '', '/account')")
  await page.getByRole('slider', { name: t('account.curve.label') }).waitFor()
  await page.evaluate("history.pushState(null, '', '/schedule')")
  await page.getByRole('button', { name: t('schedule.add') }).click()
  await page
    .getByRole('dialog')
    .getByRole('combobox', { name: t('holidays.country') })
    .waitFor()
  expect(failures).toEqual([])
})
