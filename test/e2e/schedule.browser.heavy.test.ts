import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible, expectStateAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { looks, wordsOf } from './stage.ts'

/** Closes a week, as soon as the service knows that it is in the account. */
async function closeWeek(page: Page, week: string): Promise<void> {
  const close = () =>
    page.evaluate(async (closed) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ week: closed })
      return (await fetch('/api/closed-weeks', { method: 'POST', headers, body })).status
    }, week)
  await expect.poll(close).toBe(201)
}

test.each(looks)('a change of hours is previewed, saved, undone and deleted: $size $language', async (look) => {
  const stage = await openStage()
  const t = wordsOf(look.language)
  const { page, errors } = await stage.page(look)
  const dialog = page.getByRole('dialog')
  const save = () => dialog.getByRole('button', { name: t('ui.save') }).click()
  const periods = page.getByRole('list', { name: t('schedule.history') }).locator(':scope > li')
  await stage.signUp(page)
  await stage.visit(page, '/schedule')
  await page.getByText(t('schedule.state.now'), { exact: true }).waitFor()
  await expectAccessible(page)

  // The account began earlier.
  await page.getByRole('button', { name: t('schedule.editOne').slice(0, 12) }).click()
  await dialog.getByLabel(t('schedule.form.from')).fill('2026-10-05')
  // Open days count too: seven weeks without work, up to yesterday.
  await dialog.getByText(t('balanceChange.some_other', { before: '0:00', after: '−272:00', count: '7' })).waitFor()
  await expectStateAccessible(page)
  await save()
  for (const week of ['2026-W45', '2026-W46']) await closeWeek(page, week)

  await page.getByRole('button', { name: t('schedule.add') }).click()
  await dialog.getByLabel(t('schedule.form.from')).fill('2026-11-02')
  await dialog.getByLabel(t('workHours.total')).fill('35')
  await dialog.getByText(t('balanceChange.some_other', { before: '−272:00', after: '−258:00', count: '3' })).waitFor()
  expect(await dialog.getByRole('row').count()).toBe(4)
  await dialog.getByText('−35:00').first().waitFor()
  // Typing replaces the chosen zone, and Enter takes the first that it finds; the form stays.
  const zone = dialog.getByRole('combobox', { name: t('workHours.zone') })
  await zone.click()
  await page.getByRole('option').first().waitFor()
  // A list that is wider than the rest of the window, until it has its place, would widen a phone's page.
  expect(await page.evaluate('innerWidth')).toBe(page.viewportSize()?.width)
  await page.keyboard.type('london')
  await page.keyboard.press('Enter')
  await expect.poll(() => zone.inputValue()).toBe('Europe/London')
  // A text that is left and fits several is asked about, and one that fits a single choice takes it.
  await zone.click()
  await page.keyboard.type('new')
  await page.keyboard.press('Tab')
  await dialog.getByText(t('ui.chooseFromList')).waitFor()
  expect(await zone.inputValue()).toBe('new')
  await save()
  await zone.click()
  await page.keyboard.type('new_york')
  await page.keyboard.press('Tab')
  await expect.poll(() => zone.inputValue()).toBe('America/New_York')
  await dialog.getByText(t('ui.chooseFromList')).waitFor({ state: 'detached' })
  await dialog.getByRole('note').waitFor()
  await expectStateAccessible(page)
  await save()
  await periods.nth(1).waitFor()
  await page
    .getByRole('button', { name: t('ui.undo') })
    .last()
    .click()
  await periods.nth(1).waitFor({ state: 'detached' })

  await page.getByRole('button', { name: t('schedule.add') }).click()
  await dialog.getByLabel(t('schedule.form.from')).fill('2026-11-09')
  await dialog.getByLabel(t('workHours.total')).fill('32')
  await dialog.getByRole('checkbox', { name: look.language === 'de' ? 'Freitag' : 'Friday' }).dispatchEvent('click')
  await dialog.getByText('+8:00').first().waitFor()
  await save()
  await periods.nth(1).waitFor()
  await page.getByText(t('sync.saved')).waitFor({ state: 'attached' })
  await periods.first().getByTitle(t('ui.delete')).click()
  await dialog.getByText('−8:00').first().waitFor()
  await dialog.getByRole('button', { name: t('ui.delete') }).click()
  await periods.nth(1).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await periods.nth(1).waitFor()
  expect(errors.filter((error) => !error.includes('409'))).toEqual([])
})

test.each(looks)(
  'weeks take turns, are copied and moved, and have their number in Week: $size $language',
  async (look) => {
    const stage = await openStage()
    const t = wordsOf(look.language)
    const { page, errors } = await stage.page(look)
    const dialog = page.getByRole('dialog')
    const week = (number: string) => dialog.getByRole('region', { name: t('workHours.rotation.week', { number }) })
    const total = (number: string) => week(number).getByLabel(t('workHours.total'))
    await stage.signUp(page)
    await stage.visit(page, '/schedule')
    await page.getByRole('button', { name: t('schedule.add') }).click()
    await dialog.getByLabel(t('schedule.form.from')).fill('2026-11-20')
    await dialog.getByRole('button', { name: t('workHours.rotation.begin') }).click()
    await total('2').fill('30')
    await week('2')
      .getByRole('button', { name: t('workHours.rotation.copy', { number: '2' }) })
      .click()
    await total('3').fill('20')
    await week('3')
      .getByRole('button', { name: t('workHours.rotation.up', { number: '3' }) })
      .click()
    await expect.poll(() => total('2').inputValue()).toBe('20:00')
    await expectStateAccessible(page)
    await week('1')
      .getByRole('button', { name: t('workHours.rotation.remove', { number: '1' }) })
      .click()
    await dialog.getByRole('button', { name: t('ui.save') }).click()
    await page.getByText(t('workHours.rotation.sum', { number: '2', sum: '30:00' })).waitFor()
    await expectStateAccessible(page)
    for (const [path, number, target] of [
      ['/week/2026-W47', '1', '4:00'],
      ['/week/2026-W48', '2', '30:00'],
      ['/day/2026-11-30', '1', '4:00'],
    ] as const) {
      await stage.visit(page, path)
      await page.getByText(t('workHours.rotation.ofRotation', { number, count: '2' })).waitFor()
      await page.getByText(target).first().waitFor()
    }
    expect(errors).toEqual([])
  },
)

test.each(looks)(
  'hints say what working-time law may not allow, before and after it happens: $size $language',
  async (look) => {
    const stage = await openStage()
    const t = wordsOf(look.language)
    const { page, errors } = await stage.page(look)
    const dialog = page.getByRole('dialog')
    await stage.signUp(page, '2026-11-16')
    await stage.work(page, '2026-11-18', '10:00', '14:00')
    await stage.work(page, '2026-11-19', '07:43', '16:44')
    const running = { kind: 'work', started_at: '2026-11-20T03:00:00+01:00' }
    await stage.ask(page, 'POST', '/api/entries', running)
    await stage.visit(page, '/schedule')
    await page.getByRole('button', { name: t('schedule.editOne').slice(0, 12) }).click()
    await dialog.getByLabel(t('schedule.hints.label')).click()
    await page.getByRole('option', { name: t('workHours.breaks.de.name') }).click()
    const coreTime = dialog.getByRole('group', { name: t('schedule.hints.core_time.label') })
    await coreTime.getByLabel(t('schedule.hints.from')).fill('9')
    await coreTime.getByLabel(t('schedule.hints.from')).blur()
    await dialog.getByText(t('schedule.hints.problem')).waitFor()
    expect(await dialog.getByRole('button', { name: t('ui.save') }).isDisabled()).toBe(true)
    await coreTime.getByLabel(t('schedule.hints.to')).fill('15')
    await coreTime.getByLabel(t('schedule.hints.to')).blur()
    await expectStateAccessible(page)
    await dialog.getByRole('button', { name: t('ui.save') }).click()
    await page.getByText(t('schedule.hints.span', { from: '09:00', to: '15:00' })).waitFor()

    const missed = t('workHours.hint.core_time_missed', { time: '2:00' })
    const missingBreak = t('workHours.hint.missing_break', { time: '0:30' })
    for (const [path, text] of [
      ['/', t('workHours.hint.reached', { limit: '10', at: '13:00' })],
      ['/', t('workHours.hint.short_rest', { time: '10:16' })],
      ['/day/2026-11-18', missed],
      ['/day/2026-11-19', missingBreak],
      ['/week', missed],
      ['/week', missingBreak],
    ] as const) {
      await stage.visit(page, path)
      await page.getByText(text).waitFor()
      await expectStateAccessible(page)
    }
    expect(errors).toEqual([])
  },
)
