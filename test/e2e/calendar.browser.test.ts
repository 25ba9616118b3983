import { expect, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { expectAccessible, expectStateAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { desktop, type Look, phone, wordsOf } from './stage.ts'

async function opened(look: Look) {
  const stage = await openStage()
  const { page, errors } = await stage.page(look)
  await stage.signUp(page)
  await stage.visit(page, '/calendar')
  const t = wordsOf(look.language)
  await page.getByRole('region', { name: t('calendar.dates'), exact: true }).waitFor()
  const dialog = page.getByRole('dialog')
  const day = (date: string) => page.locator(`[data-date="${date}"]`)
  const count = (kind: string) => page.getByRole('row').filter({ hasText: t(`entries.kind.${kind}`) })
  return { page, errors, t, dialog, day, count, stage }
}

test('vacation is entered for a range, undone and counted', async () => {
  const { page, errors, t, dialog, day, count } = await opened(desktop)
  await expectAccessible(page)
  await day('2026-11-23').click()
  await day('2026-11-29').click({ modifiers: ['Shift'] })
  await page.getByText(t('calendar.daysWithTarget_other', { count: '7', target: '5' })).waitFor()
  await page.getByRole('button', { name: t('calendar.add') }).click()
  await dialog.getByText(/^Will be added: 5 days, Mon,? 23 Nov to Fri,? 27 Nov$/).waitFor()
  await dialog.getByText(t('calendar.plan.free_other', { count: '2' })).waitFor()
  await expectStateAccessible(page)
  await dialog.getByRole('button', { name: t('calendar.absence.enter') }).click()
  await count('vacation').getByText('5').first().waitFor()
  expect(await day('2026-11-28').getAttribute('data-off')).toBeNull()

  await page.getByRole('button', { name: t('calendar.deleteAll_other', { count: '5' }) }).click()
  await count('vacation').getByText('5').first().waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await count('vacation').getByText('5').first().waitFor()
  await expectStateAccessible(page)
  expect(errors).toEqual([])
})

heavyTest('keys select dates across the end of a month and enter half a day', async () => {
  const { page, t, dialog, day, count } = await opened(desktop)
  await day('2026-11-20').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('heading', { name: 'December 2026' }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.getByText(/^Wed,? 2 Dec – Thu,? 3 Dec$/).waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByText(t('entries.kind.time_off_in_lieu'), { exact: true }).click()
  await dialog.getByText(t('entries.size.half'), { exact: true }).click()
  await dialog.getByText(/^Will be added: 2 days, .* \(1 day in total\)$/).waitFor()
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await count('time_off_in_lieu').getByText('1').first().waitFor()
})

heavyTest('an absence in hours is read from its times, and the form tells the balance after it', async () => {
  const { page, t, dialog, day } = await opened(desktop)
  await day('2026-11-24').click()
  await page.getByRole('button', { name: t('calendar.add') }).click()
  await dialog.getByText(t('entries.kind.time_off_in_lieu'), { exact: true }).click()
  await dialog.getByText(t('entries.size.hours'), { exact: true }).click()
  const amount = dialog.getByRole('textbox', { name: t('entries.size.amount') })
  await amount.fill('9:00-10:30')
  await dialog.getByText(/^Your balance: .*, then .*\.$/).waitFor()
  await expectStateAccessible(page)
  await amount.blur()
  expect(await amount.inputValue()).toBe('1:30')
  await dialog.getByRole('button', { name: t('calendar.absence.enter') }).click()
  await dialog.waitFor({ state: 'detached' })
  await day('2026-11-24').getByText('1:30 h').first().waitFor()

  // An absence that is moved leaves its date.
  const chosen = page.getByRole('region', { name: t('calendar.chosen') })
  await chosen.getByRole('button', { name: /1:30 h$/ }).click()
  await dialog.getByLabel(t('calendar.absence.date')).fill('25 Nov')
  await amount.fill('2:00')
  await dialog.getByText(t('calendar.absence.balanceChanges', { now: '0:00', after: '−0:30' })).waitFor()

  // An edit that cannot be stored comes back as it was typed, and stays an edit.
  const note = dialog.getByLabel(t('calendar.absence.note'))
  await note.evaluate((field) => field.removeAttribute('maxlength'))
  await note.fill('x'.repeat(5_001))
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await page.getByText(t('ui.failure.invalid')).waitFor()
  expect([await amount.inputValue(), (await note.inputValue()).length]).toEqual(['2:00', 5_001])
  await note.fill('Dentist')
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await dialog.waitFor({ state: 'detached' })
  await day('2026-11-25').getByText('2:00 h').first().waitFor()
  expect(await day('2026-11-24').getAttribute('data-off')).toBeNull()
})

heavyTest('public holidays of a state are chosen in the schedule, and the year shows them', async () => {
  const { page, errors, t, dialog, day, stage } = await opened(phone)
  const choice = (name: string) => dialog.getByRole('combobox', { name, exact: true })
  await expectAccessible(page)
  await page.getByRole('link', { name: t('calendar.holidays') }).click()
  await page.getByRole('button', { name: t('schedule.editOne').slice(0, 12) }).click()
  await choice(t('holidays.country')).click()
  await page.getByRole('option', { name: 'Deutschland' }).dispatchEvent('click')
  await choice(t('holidays.state')).click()
  await page.getByRole('option', { name: 'Bayern' }).dispatchEvent('click')
  await choice('24. Dezember').click()
  await page.getByRole('option', { name: t('schedule.holidays.day.half') }).dispatchEvent('click')
  await expectStateAccessible(page)
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Deutschland · Bayern').waitFor()

  const generated = async () => {
    await stage.runDueJobs()
    const response = await page.request.get(`${stage.url}/api/entries?from=2027-01-06&to=2027-01-06`)
    return ((await response.json()) as { items: unknown[] }).items.length
  }
  await expect.poll(generated).toBe(1)
  await stage.visit(page, '/calendar/2027')
  await day('2027-01-06').tap()
  await page.getByRole('button', { name: 'Feiertag (Heilige Drei Könige)', exact: true }).waitFor()
  await day('2027-12-24').tap()
  await page.getByRole('button', { name: 'Feiertag (Heiliger Abend), 50 % des Tages', exact: true }).waitFor()
  await expectStateAccessible(page)
  expect(errors).toEqual([])
})
