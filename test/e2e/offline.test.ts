import { afterEach, beforeEach, expect, test } from 'vitest'
import { KillableBrowser } from '../browser/chromium.ts'
import { FULL_ACCOUNT_NOW, fillAccount, visitedViews } from './full-account.ts'
import { type Look, Stage, wordsOf } from './stage.ts'

let stage: Stage
let browser: KillableBrowser
beforeEach(async () => {
  stage = await Stage.open(FULL_ACCOUNT_NOW)
  browser = await KillableBrowser.open()
})
afterEach(async () => {
  await browser.remove()
  await stage.close()
})

const look: Look = { size: 'desktop', scheme: 'light', language: 'en' }
const t = wordsOf(look.language)

/** A page at the time of the account. */
async function opened() {
  const page = await browser.context.newPage()
  await page.clock.install({ time: stage.nowMs })
  return page
}

test('after one load every view opens without the service, also after a restart of the browser', async () => {
  const first = await opened()
  await stage.signUp(first, null)
  await first.goto(stage.url)
  await fillAccount(first)
  await first.getByText(t('sync.saved')).waitFor()
  await first.evaluate('navigator.serviceWorker.ready.then(() => null)')
  const { url } = stage
  await stage.end()
  await browser.close()
  await browser.reopen()

  const page = await opened()
  const failures: string[] = []
  page.on('pageerror', (error) => failures.push(error.message))
  for (const path of visitedViews) {
    await page.goto(url + path)
    await page.locator('main').getByRole('heading', { level: 1 }).waitFor()
    await page.getByText(t('app.failed.title')).waitFor({ state: 'detached' })
  }
  await page.goto(url)
  await page.getByRole('timer').waitFor()
  await page.goto(`${url}/account`)
  await page.getByRole('slider', { name: t('account.curve.label') }).waitFor()
  await page.goto(`${url}/schedule`)
  await page.getByRole('button', { name: t('schedule.add') }).click()
  await page
    .getByRole('dialog')
    .getByRole('combobox', { name: t('holidays.country') })
    .waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByText(t('palette.timer.stop')).waitFor()
  expect(failures).toEqual([])
})
