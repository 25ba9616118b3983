import { expect, test } from 'vitest'
import { expectAccessible, expectStateAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { looks, wordsOf } from './stage.ts'

test.each(looks)(
  '[D23.3] [D23.5] a visitor of a demo enters by a button, cannot change the account, and begins again after a reset: \
$size $language',
  async (look) => {
    const opened = await openStage('2026-11-24T09:30:00.000Z', { demo: true })
    const t = wordsOf(look.language)
    const { page, errors } = await opened.page(look)
    await opened.visit(page)
    await page.getByRole('button', { name: t('signIn.demo.enter') }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: t('signIn.demo.enter') }).click()
    await page.getByText(t('app.demo')).waitFor()
    await page.getByRole('button', { name: t('today.timer.stop') }).waitFor()
    await expectStateAccessible(page)

    await opened.visit(page, '/settings')
    await page.getByRole('button', { name: t('settings.data.export') }).waitFor()
    expect(await page.getByRole('button', { name: t('settings.data.delete') }).count()).toBe(0)
    expect(await page.getByText(t('settings.tokens.title')).count()).toBe(0)
    expect(errors).toEqual([])

    await opened.resetDemo()
    await opened.visit(page)
    await page.getByRole('dialog', { name: t('signIn.demo.reset') }).waitFor()
    await page.getByRole('button', { name: t('signIn.demo.again') }).click()
    await page.getByRole('button', { name: t('signIn.demo.enter') }).click()
    await page.getByText(t('app.demo')).waitFor()
  },
)
