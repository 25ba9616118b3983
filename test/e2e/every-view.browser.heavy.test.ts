import { afterAll, beforeAll, expect, test } from 'vitest'
import { isHeavy } from '../../packages/core/test/tier.ts'
import { everyView, FULL_ACCOUNT_NOW, fillAccount } from './full-account.ts'
import { layoutFaults } from './layout.ts'
import { movingOn, unnamed } from './sight.ts'
import { desktop, type Look, Stage, wordsOf } from './stage.ts'

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

/** 1280 by 1024 pixels, four times as large. */
const zoomed = { width: 320, height: 256 }
/** German has the longest words. */
const views = [
  { language: 'de', zoom: '400', viewport: zoomed },
  ...(isHeavy
    ? ([
        { language: 'en', zoom: '400', viewport: zoomed },
        { language: 'en', zoom: '100', viewport: { width: 1280, height: 800 } },
      ] as const)
    : []),
] as const

test.each(views)(
  'zoomed to $zoom percent, nothing is cut or without a name, nothing moves with reduced motion: $language',
  async ({ language, viewport }) => {
    const { page, errors, goTo } = await opened({ ...desktop, language })
    await page.setViewportSize(viewport)
    const found: string[] = []
    for (const path of everyView) {
      await goTo(path)
      expect(await movingOn(page), path).toEqual([])
      found.push(...[...(await layoutFaults(page)), ...(await unnamed(page))].map((what) => `${path}: ${what}`))
    }
    await page.keyboard.press('Control+k')
    expect(await movingOn(page)).toEqual([])
    await page.getByRole('dialog').waitFor()
    expect(await movingOn(page)).toEqual([])
    expect(found).toEqual([])
    // No style sheet, chart or worker leans on what the policy forbids: browsers would tell.
    expect(errors).toEqual([])
  },
)
