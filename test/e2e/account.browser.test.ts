import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { expectAccessible, expectStateAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { desktop, looks, type Stage, wordsOf } from './stage.ts'

/** Two weeks of an account, the first of them closed with 37 hours and edited since to 36:30. */
async function twoWeeks(at: Stage, page: Page): Promise<void> {
  const id = '11111111-1111-4111-8111-111111111111'
  for (const day of ['09', '10', '11', '12']) await at.work(page, `2026-11-${day}`, '09:00', '17:00')
  await at.work(page, '2026-11-13', '09:00', '14:00', { id })
  await at.ask(page, 'POST', '/api/closed-weeks', { week: '2026-W46' })
  await at.ask(page, 'PUT', `/api/entries/${id}`, {
    kind: 'work',
    started_at: '2026-11-13T08:00:00Z',
    ended_at: '2026-11-13T12:30:00Z',
  })
}

test.each(looks)('the ledger explains the balance, and an adjustment changes it: $size $language', async (look) => {
  const stage = await openStage('2026-11-16T11:00:00.000Z')
  const t = wordsOf(look.language)
  const { page, errors } = await stage.page(look)
  await stage.signUp(page, '2026-11-09')
  await twoWeeks(stage, page)
  await stage.visit(page, '/account')
  const ledger = page.getByRole('table', { name: t('account.ledger.title') })
  const ahead = page.getByRole('table', { name: t('account.future.title') })
  const dialog = page.getByRole('dialog')
  const adjust = async (hours: string, reason: string, date?: string) => {
    await page.getByRole('button', { name: t('account.adjust') }).click()
    await dialog.getByLabel(t('account.editor.hours')).fill(hours)
    await dialog.getByLabel(t('account.editor.reason')).fill(reason)
    if (date !== undefined) await dialog.getByLabel(t('account.editor.date')).fill(date)
  }

  const changes = ledger.getByRole('listitem')
  await changes.getByText('−0:30').waitFor()
  await ledger.getByText('−3:30').first().waitFor()
  expect(await changes.textContent()).toContain(look.language === 'en' ? '13 Nov 2026' : '13. Nov. 2026')

  // Values are read by keys.
  const curve = page.getByRole('slider', { name: t('account.curve.label') })
  await curve.press('Home')
  expect(await curve.getAttribute('aria-valuetext')).toMatch(/2026: 0:00$/)
  await curve.press('End')
  expect(await curve.getAttribute('aria-valuetext')).toMatch(/2026: −3:30$/)
  await expectAccessible(page)

  // The pointer reads them too, and a mouse selects a period: the first five of eight days.
  const { x, y, width } = (await curve.boundingBox()) as { x: number; y: number; width: number }
  const [left, right] = [60, width - 16]
  await page.mouse.move(x + left, y + 99)
  expect(await curve.getAttribute('aria-valuenow')).toBe('0')
  await page.mouse.down()
  await page.mouse.move(x + left + (right - left) * (4 / 7), y + 99, { steps: 3 })
  await page.mouse.up()
  await expect.poll(() => curve.getAttribute('aria-valuemax')).toBe('4')
  await page.getByText(t('account.curve.span.all'), { exact: true }).click()
  await expect.poll(() => curve.getAttribute('aria-valuemax')).toBe('7')
  await page.getByRole('button', { name: t('account.curve.asTable') }).click()
  await page
    .getByRole('table', { name: t('account.curve.table') })
    .getByText('−3:30')
    .waitFor()

  await adjust('2', 'November')
  await dialog.getByText('−3:30 → −5:30').waitFor()
  await expectStateAccessible(page)
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await ledger.getByText('−5:30').waitFor()
  await page.getByRole('button', { name: t('ui.undo') }).click()
  await ledger.getByText('−5:30').waitFor({ state: 'detached' })

  await adjust('1', 'Dezember', '2026-12-24')
  await dialog.getByText('−3:30 → −4:30').waitFor()
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await ahead.getByText('−4:30').waitFor()
  await page.getByRole('status').getByText('−4:30').waitFor()
  await expectStateAccessible(page)
  expect(errors).toEqual([])
})

heavyTest('an adjustment that the service rejects can be corrected in the editor', async () => {
  const stage = await openStage('2026-11-16T11:00:00.000Z')
  const t = wordsOf(desktop.language)
  const { page } = await stage.page(desktop)
  await stage.signUp(page, '2026-11-09')
  // All adjustments together cannot be more than an hour above this.
  const delta_ms = 2 ** 52 - 3_600_000
  const much = { effective_date: '2026-11-01', delta_ms, kind: 'other', reason: 'Very much' }
  await stage.ask(page, 'POST', '/api/balance/adjustments', much)
  await stage.visit(page, '/account')
  const dialog = page.getByRole('dialog')
  const hours = dialog.getByLabel(t('account.editor.hours'))
  await page.getByRole('button', { name: t('account.adjust') }).click()
  await hours.fill('2')
  await dialog.getByLabel(t('account.editor.reason')).fill('Paid out')
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await page.getByRole('status').getByText(t('ui.problem.invalid_record')).waitFor()
  expect(await dialog.getByLabel(t('account.editor.reason')).inputValue()).toBe('Paid out')
  await hours.fill('0:30')
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  const ledger = page.getByRole('table', { name: t('account.ledger.title') })
  const paidOut = ledger.getByRole('row').filter({ hasText: 'Paid out' })
  await paidOut.getByText('−0:30').waitFor()

  // So can an edit of it, which stays an edit.
  await paidOut.getByRole('button').click()
  await hours.fill('3')
  await dialog.getByText(t('account.editor.adds'), { exact: true }).click()
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await page.getByRole('status').getByText(t('ui.problem.invalid_record')).waitFor()
  await dialog.getByText(t('account.editor.edit')).waitFor()
  await hours.fill('0:15')
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await paidOut.getByText('+0:15').waitFor()
  expect(await paidOut.count()).toBe(1)
})
