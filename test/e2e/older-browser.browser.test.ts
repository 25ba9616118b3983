import { expect, test } from 'vitest'
import { openStage } from './open-stage.ts'
import { looks } from './stage.ts'

test.each(looks)('an older browser says which one the app needs: $language', async (look) => {
  const stage = await openStage()
  const { page } = await stage.page(look)
  await page.addInitScript('delete Map.groupBy')
  await page.goto(stage.url)
  const message = page.getByRole('alert')
  await message.getByText('Safari 17.4').waitFor()
  expect(await message.textContent()).toMatch(look.language === 'de' ? /^Dieser Browser ist zu alt/ : /^This browser/)
  expect(await page.locator('#root').count()).toBe(0)
})
