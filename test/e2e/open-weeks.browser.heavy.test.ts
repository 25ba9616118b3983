import { expect, test } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { looks, wordsOf } from './stage.ts'

test.each(looks)(
  'open weeks are offered to be closed together, and undo reopens them: $size $language',
  async (look) => {
    const stage = await openStage()
    const t = wordsOf(look.language)
    const { page } = await stage.page(look)
    const countOpen = (count: number) => page.getByText(t('openWeeks.why_other', { count: String(count) }))
    await stage.signUp(page, '2026-10-07')
    await stage.visit(page)
    await countOpen(6).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: t('openWeeks.open', { count: '6' }) }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('cell', { name: '−24:00' }).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('combobox', { name: t('openWeeks.until') }).click()
    await page.getByRole('option', { name: look.language === 'de' ? '25. Oktober 2026' : '25 October 2026' }).click()
    // Weeks that could not be closed leave the dialog open.
    await page.route('**/api/closed-weeks', (route) => route.abort('internetdisconnected'))
    await dialog.getByRole('button', { name: t('openWeeks.close_other', { count: '3' }) }).click()
    await page.getByRole('status').getByText(t('ui.failure.offline')).waitFor()
    await page.unroute('**/api/closed-weeks')
    await dialog.getByRole('button', { name: t('openWeeks.close_other', { count: '3' }) }).click()
    await dialog.waitFor({ state: 'detached' })
    await countOpen(3).waitFor()
    await page.getByRole('button', { name: t('ui.undo') }).click()
    await countOpen(6).waitFor()
    await page.getByRole('button', { name: t('openWeeks.later') }).click()
    await countOpen(6).waitFor({ state: 'detached' })
    await stage.visit(page)
    await page.getByText(t('sync.saved')).first().waitFor({ state: 'attached' })
    expect(await countOpen(6).count()).toBe(0)

    // The week offers it too.
    await stage.visit(page, '/week/2026-W46')
    await page.getByRole('button', { name: t('openWeeks.open', { count: '6' }) }).click()
    await dialog.getByRole('button', { name: t('openWeeks.close_other', { count: '6' }) }).click()
    await page.getByRole('button', { name: t('week.closing.reopen') }).waitFor()
  },
)
