import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageFiles } from '../browser/bundle.ts'
import { everyView, FULL_ACCOUNT_NOW, fillAccount } from './full-account.ts'
import { closeBrowser, desktop, type Look, Stage, wordsOf } from './stage.ts'

const sight = pageFiles('sight')
let stage: Stage
beforeAll(async () => {
  stage = await Stage.open(FULL_ACCOUNT_NOW)
  const { page } = await stage.page(desktop)
  await stage.signUp(page, null)
  await page.goto(stage.url)
  await fillAccount(page)
  await page.close()
})
afterAll(async () => {
  await stage.close()
  await closeBrowser()
})

async function opened(look: Look) {
  const { url } = stage
  const { page, errors } = await stage.page(look)
  await stage.signIn(page)
  const saved = wordsOf(look.language)('sync.saved')
  const goTo = async (path: string) => {
    await page.goto(url + path)
    await page.locator('main').getByRole('heading', { level: 1 }).waitFor()
    await page.getByText(saved).first().waitFor({ state: 'attached' })
  }
  return { page, errors, goTo }
}

/** Asks what a person would see of the page. */
async function seen<Answer>(page: Page, what: 'cutOff' | 'moving'): Promise<Answer[]> {
  await page.evaluate(String((await sight).get('/sight/page.js')?.body))
  return page.evaluate(`sight.${what}()`)
}

test.each(['en', 'de'] as const)(
  'zoomed to 400 percent, nothing is cut and no page scrolls sideways: %s',
  async (language) => {
    const { page, errors, goTo } = await opened({ ...desktop, language })
    // 1280 by 1024 pixels, four times as large.
    await page.setViewportSize({ width: 320, height: 256 })
    const found: string[] = []
    for (const path of everyView) {
      await goTo(path)
      found.push(...(await seen<string>(page, 'cutOff')).map((what) => `${path}: ${what}`))
    }
    expect(found).toEqual([])
    // No style sheet, chart or worker leans on what the policy forbids: browsers would tell.
    expect(errors).toEqual([])
  },
)

test('nothing moves if the user prefers reduced motion', async () => {
  const { page, goTo } = await opened(desktop)
  const moving = () => seen<number>(page, 'moving')
  for (const path of everyView) {
    await goTo(path)
    expect(await moving(), path).toEqual([])
  }
  await page.keyboard.press('Control+k')
  expect(await moving()).toEqual([])
  await page.getByRole('dialog').waitFor()
  expect(await moving()).toEqual([])
})
