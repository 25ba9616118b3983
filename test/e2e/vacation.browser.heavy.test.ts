import { expect, test } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { phone, wordsOf } from './stage.ts'

const t = wordsOf(phone.language)

test('the calendar tells the days of vacation left, and so does the form of an absence', async () => {
  const stage = await openStage()
  const { page } = await stage.page(phone)
  await stage.signUp(page)
  await stage.visit(page, '/schedule')
  await page.getByRole('button', { name: t('schedule.add') }).click()
  await page.getByRole('switch', { name: t('schedule.vacation.label') }).click()
  await page.getByLabel(t('schedule.vacation.days')).fill('24')
  const altered = { year: '2026', entitledBefore: '0', entitled: '2', leftBefore: '0', left: '2' }
  await page.getByText(t('schedule.vacation.changes', altered)).waitFor()
  await page.getByRole('button', { name: t('ui.save') }).click()
  await page.getByText(t('schedule.vacation.summary_other', { days: '24' })).waitFor()

  await stage.visit(page, '/calendar')
  const account = page.getByRole('region', { name: t('calendar.vacation.title', { year: '2026' }) })
  // From 20 November on, one full month.
  await account.getByRole('row', { name: `${t('calendar.vacation.left')} 2` }).waitFor()
  await page.getByRole('button', { name: t('calendar.add') }).click()
  await page.getByText(t('calendar.vacation.leftAfter_one', { days: '1' })).waitFor()
  // A vacation of another year is taken from the days of that year.
  const first = page.getByLabel(t('calendar.absence.from'))
  await first.fill('2027-02-01')
  await page.getByText(t('calendar.vacation.leftAfter_other', { days: '25' })).waitFor()
  await first.fill('2026-11-20')
  await page.getByText(t('calendar.vacation.leftAfter_one', { days: '1' })).waitFor()
  await page.getByRole('button', { name: t('calendar.absence.enter'), exact: true }).click()
  await account.getByRole('row', { name: `${t('calendar.vacation.left')} 1` }).waitFor()

  await account.getByRole('button', { name: t('calendar.vacation.open') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: t('calendar.vacation.grant.title') }).click()
  await dialog.getByLabel(t('calendar.vacation.grant.days')).fill('3,5')
  await dialog.getByLabel(t('calendar.absence.note')).fill('Mitgebracht')
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await dialog.getByText('Mitgebracht').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('row', { name: `${t('calendar.vacation.left')} 4,5` }).waitFor()
  await dialog.getByRole('button', { name: t('calendar.vacation.grant.edit', { date: 'Do., 1. Jan.' }) }).click()
  await dialog.getByRole('button', { name: t('ui.delete') }).click()
  await dialog.getByRole('row', { name: `${t('calendar.vacation.left')} 1` }).waitFor()
  expect(await dialog.getByText('Mitgebracht').count()).toBe(0)

  await stage.visit(page, '/calendar/2027')
  const next = page.getByRole('region', { name: t('calendar.vacation.title', { year: '2027' }) })
  await next.getByRole('row', { name: `${t('calendar.vacation.left')} 25` }).waitFor()
})
