import { expect, test } from 'vitest'
import { expectAccessible, expectStateAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { looks, wordsOf } from './stage.ts'

/** The words of the buttons of a page on whose middle a message lies. */
const COVERED = `[...document.querySelectorAll('main button')].flatMap((button) => {
  const { x, y, width, height } = button.getBoundingClientRect()
  const over = document.elementFromPoint(x + width / 2, y + height / 2)
  return over?.closest('[role="status"]') ? [button.innerText] : []
})`

test.each(looks)('a week is typed, copied, closed and reopened: $size $language', async (look) => {
  const stage = await openStage()
  const t = wordsOf(look.language)
  const { page, context, errors } = await stage.page(look)
  await stage.signUp(page, '2025-11-03')
  const sheet = () => page.getByText(t('week.asTimesheet'), { exact: true }).click()
  const close = page.getByRole('button', { name: t('week.closing.close') })
  const cell = (index: number) => page.locator(`[data-place="0.${index}"]`)
  const choose = async (index: number) => {
    if (look.size === 'phone') await page.getByRole('radiogroup').last().locator('label').nth(index).click()
  }

  await stage.visit(page, '/week')
  await page.getByText(t('week.issue.notOver').slice(0, 20)).waitFor()
  expect(await close.isDisabled()).toBe(true)
  await expectAccessible(page)

  await stage.visit(page, '/week/2026-W46')
  await page.getByText(t('week.closing.lookFirst')).waitFor()
  await sheet()
  for (const index of [0, 1, 2, 3]) {
    await choose(index)
    await cell(index).fill('8')
    await cell(index).press('Enter')
    await expect.poll(() => cell(index).inputValue()).toMatch(/^8:00$/)
  }
  await choose(4)
  await cell(4).fill('7:30')
  await cell(4).press('Enter')
  await page.getByRole('definition').getByText('−0:30').waitFor()
  await page.getByText(t('week.closing.ready')).waitFor()
  await choose(0)
  await cell(0).fill('6')
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  await cell(0).press('Enter')
  await page.getByRole('definition').getByText('−2:30').waitFor()
  // The messages of earlier edits may still offer their own undo.
  const typed = page.getByRole('status').filter({ hasText: / 6:00/ })
  await typed.waitFor()
  // At the end of the page, the message covers nothing.
  expect(await page.evaluate(COVERED)).toEqual([])
  await typed.getByRole('button', { name: t('ui.undo') }).click()
  await page.getByRole('definition').getByText('−0:30').waitFor()
  await page.evaluate('scrollTo(0, 0)')
  await expectStateAccessible(page)

  // More hours than the day has room for stay in the cell.
  await choose(0)
  await cell(0).fill('24')
  await cell(0).press('Enter')
  await page.getByText(t('week.timesheet.noRoom')).waitFor()
  expect(await cell(0).inputValue()).toBe('24')
  await cell(0).press('Escape')
  await expect.poll(() => cell(0).inputValue()).toBe('8:00')

  // Fewer hours that would delete a note ask first.
  await stage.work(page, '2026-11-14', '09:00', '10:00', { note: 'Call with Ada' })
  await choose(5)
  await expect.poll(() => cell(5).inputValue()).toMatch(/^1:00$/)
  await cell(5).fill('0')
  await cell(5).press('Enter')
  const question = page.getByRole('dialog', { name: t('week.timesheet.deletes.title') })
  await question.getByText('Call with Ada').waitFor()
  await expectStateAccessible(page)
  await question.getByRole('button', { name: t('ui.cancel') }).click()
  await expect.poll(() => cell(5).inputValue()).toMatch(/^1:00$/)
  await cell(5).fill('0')
  await cell(5).press('Enter')
  await question.getByRole('button', { name: t('ui.delete') }).click()
  await expect.poll(() => cell(5).inputValue()).toBe('')
  await page.evaluate('scrollTo(0, 0)')

  // Closing is the service's alone.
  await page.getByText(t('sync.saved')).waitFor({ state: 'attached' })
  await context.setOffline(true)
  await close.click()
  await page.getByText(t('ui.failure.offline')).waitFor()
  await context.setOffline(false)
  await close.click()
  await page.getByRole('button', { name: t('week.closing.reopen') }).waitFor()
  await page.evaluate('scrollTo(0, 0)')
  await expectStateAccessible(page)

  // Late changes are shown with their causes.
  await choose(4)
  await cell(4).fill('8')
  await cell(4).press('Enter')
  const changes = page.getByRole('list', { name: t('week.closing.recomputed') })
  await changes.getByText('+0:30').waitFor()
  const dayNames = { en: ['9 – 13 Nov 2026', '13 Nov 2026'], de: ['9.–13. Nov. 2026', '13. Nov. 2026'] }
  const [all, friday] = dayNames[look.language]
  const causeOf = (key: string, dates = all) =>
    changes.getByText(t(`recomputation.timed.${key}`, { count: '6', dates: String(dates) }))
  await causeOf('create_one', friday).waitFor()
  await stage.visit(page, '/search#from=2026-11-09&to=2026-11-13')
  await page.getByLabel(t('search.selectAll')).check()
  await page
    .getByRole('main')
    .getByRole('button', { name: t('ui.delete'), exact: true })
    .click()
  await page
    .getByText(t('search.bulk.deleted_other', { number: '6' }))
    .first()
    .waitFor()
  await page
    .getByRole('button', { name: t('ui.undo') })
    .last()
    .click()
  await page.getByText(t('search.bulk.selected_other', { number: '6' })).waitFor()
  await stage.visit(page, '/week/2026-W46')
  await causeOf('delete_other').waitFor()
  await causeOf('restore_other').waitFor()
  await expectStateAccessible(page)

  // From week to week by the keyboard: the focus stays where it is.
  const after = page.getByRole('link', { name: t('week.after') })
  await after.press('Enter')
  await page.getByRole('heading', { level: 1, name: t('week.heading', { number: '47' }) }).waitFor()
  expect(await page.evaluate('document.activeElement.href')).toContain('2026-W48')
  await page.getByRole('button', { name: t('week.timesheet.copy') }).click()
  await page.getByRole('menuitem', { name: t('week.timesheet.copyHours') }).click()
  await page.getByRole('definition').getByText('40:00').first().waitFor()

  await page.getByRole('link', { name: t('week.before') }).click()
  await page.getByRole('button', { name: t('week.closing.reopen') }).click()
  await close.waitFor()
  expect(errors.filter((error) => !error.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
})
