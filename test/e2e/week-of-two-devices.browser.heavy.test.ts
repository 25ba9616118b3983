import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { desktop, type Look, phone, type Stage, untilInstalled, wordsOf } from './stage.ts'

/** A device, as its user goes about with it. */
function deviceOf(at: Stage, page: Page, { language }: Look) {
  const t = wordsOf(language)
  const dialog = page.getByRole('dialog')
  return {
    page,
    t,
    dialog,
    async record(text: string, times: string): Promise<void> {
      await page.getByLabel(t('today.quick.label')).fill(text)
      await page.keyboard.press('Enter')
      await page.getByRole('list').getByText(times).waitFor()
    },
    /** Returns the totals of the days in the week shown. */
    async days(): Promise<string[]> {
      const rows = page.getByRole('table', { name: t('week.table') }).locator('tbody tr')
      return (await rows.locator('td:nth-last-child(2)').allTextContents()).map((text) => text.trim())
    },
    /** The account's lines: what each adds, and the balance with it. */
    ledger: () =>
      page
        .getByRole('table', { name: t('account.ledger.title') })
        .locator('tbody tr:has(th)')
        .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent))),
    async synced(): Promise<void> {
      await page.getByText(t('sync.saved')).waitFor({ state: 'attached' })
    },
    open: (path: string) => at.visit(page, path),
  }
}

test('after a week with one device offline for two days, both devices show the same ledger', async () => {
  const stage = await openStage('2026-11-16T16:40:00.000Z')
  const [desk, hand] = await Promise.all([
    stage.page(desktop).then(({ page, context }) => ({ ...deviceOf(stage, page, desktop), context })),
    stage.page(phone, { installed: true }).then(({ page, context }) => ({ ...deviceOf(stage, page, phone), context })),
  ])
  await stage.signUp(desk.page, '2026-11-16')
  const opening = { effective_date: '2026-11-16', delta_ms: 5 * 3_600_000, kind: 'opening', reason: 'Begin' }
  await stage.ask(desk.page, 'POST', '/api/balance/adjustments', opening)
  await stage.signIn(hand.page)
  await desk.open('/')
  await hand.open('/')
  await untilInstalled(hand.page)

  // Monday, eight hours as planned: 0:00.
  await desk.record('9-12:30 Saldo', '09:00 – 12:30')
  await desk.record('13-17:30 Saldo', '13:00 – 17:30')
  await hand.page.getByRole('list').getByText('13:00 – 17:30').waitFor()

  // Tuesday, eight and a half: +0:30.
  await stage.goOn('2026-11-17T16:40:00.000Z')
  await hand.record('8-16:30 Saldo', '08:00 – 16:30')
  await desk.page.getByRole('list').getByText('08:00 – 16:30').waitFor()

  // Wednesday, eight on one device and one on the other, which has no network: +1:00.
  await stage.goOn('2026-11-18T19:10:00.000Z')
  await hand.context.setOffline(true)
  await desk.record('9-17 Saldo', '09:00 – 17:00')
  await hand.record('18-19 Saldo', '18:00 – 19:00')
  await hand.open('/account')
  await hand.page.getByRole('button', { name: hand.t('account.adjust') }).click()
  await hand.dialog.getByLabel(hand.t('account.editor.hours')).fill('2')
  await hand.dialog.getByLabel(hand.t('account.editor.reason')).fill('Abgegolten')
  await hand.dialog.getByRole('button', { name: hand.t('ui.save') }).click()
  await hand.page.getByText('Abgegolten').waitFor()

  // Thursday, from which on seven hours are planned: three on one device and four on the other, 0:00.
  await stage.goOn('2026-11-19T16:40:00.000Z')
  await hand.open('/')
  await hand.record('9-12 Reise', '09:00 – 12:00')
  await desk.record('13-17 Saldo', '13:00 – 17:00')
  await desk.open('/schedule')
  await desk.page.getByRole('button', { name: desk.t('schedule.add') }).click()
  await desk.dialog.getByLabel(desk.t('schedule.form.from')).fill('2026-11-19')
  await desk.dialog.getByLabel(desk.t('workHours.total')).fill('35')
  await desk.dialog.getByText(desk.t('balanceChange.none').slice(0, 15)).waitFor()
  await desk.dialog.getByRole('button', { name: desk.t('ui.save') }).click()
  await desk.page.getByRole('button', { name: desk.t('ui.undo') }).waitFor()
  await desk.synced()

  // Friday, five and a half: −1:30. The phone is back; an adjustment that is beyond all reason keeps its own from
  // being stored.
  await stage.goOn('2026-11-20T13:40:00.000Z')
  await desk.open('/')
  await desk.record('9-14:30 Saldo', '09:00 – 14:30')
  const mistake = { ...opening, delta_ms: -(2 ** 52) + 3_600_000 + opening.delta_ms, kind: 'correction' }
  const { id } = await stage.ask(desk.page, 'POST', '/api/balance/adjustments', mistake)
  await hand.context.setOffline(false)
  await hand.page.getByRole('link', { name: hand.t('sync.attention_one') }).click()
  const refused = hand.page.getByRole('region', { name: hand.t('sync.rejected.title') })
  await refused.getByText('−2:00').waitFor()
  await refused.getByText(hand.t('ui.problem.invalid_record')).waitFor()
  await refused.getByText(hand.t('sync.rejected.beyondBalance')).waitFor()
  await expectAccessible(hand.page)
  await stage.ask(desk.page, 'DELETE', `/api/balance/adjustments/${id}`)
  await refused.getByRole('button', { name: hand.t('sync.rejected.retry') }).click()
  await refused.waitFor({ state: 'detached' })
  await hand.page.getByText(hand.t('sync.nothing')).waitFor()

  // Saturday, two hours that nobody planned: +2:00.
  await stage.goOn('2026-11-21T11:10:00.000Z')
  await hand.open('/')
  await hand.record('10-12 Saldo', '10:00 – 12:00')
  await hand.synced()

  // The week comes to 0:30 + 1:00 − 1:30 + 2:00 = +2:00, and is closed on the Monday after it.
  await stage.goOn('2026-11-23T08:00:00.000Z')
  await desk.open('/week/2026-W47')
  await hand.open('/week/2026-W47')
  const days = ['0:00', '+0:30', '+1:00', '0:00', '−1:30', '+2:00', '0:00']
  await expect.poll(() => desk.days()).toEqual(days)
  await expect.poll(() => hand.days()).toEqual(days)
  await desk.page.getByRole('button', { name: desk.t('week.closing.close') }).click()
  await hand.page.getByRole('button', { name: hand.t('week.closing.reopen') }).waitFor()
  await hand.page.getByRole('definition').getByText('+2:00').waitFor()

  // Tuesday's work ended half an hour earlier after all.
  await hand.open('/day/2026-11-17')
  await hand.page.getByRole('list').getByText('08:00 – 16:30').click()
  await hand.dialog.getByLabel(hand.t('entries.editor.end'), { exact: true }).fill('16:00')
  await hand.dialog.getByRole('button', { name: hand.t('ui.save') }).click()
  await hand.page.getByRole('list').getByText('08:00 – 16:00').waitFor()
  await hand.synced()

  for (const device of [desk, hand]) {
    await device.open('/week/2026-W47')
    await expect.poll(() => device.days()).toEqual(days.with(1, '0:00'))
    await device.open('/account')
    await expect
      .poll(() => device.ledger())
      .toEqual([
        ['+1:30', '+4:30'],
        ['−2:00', '+3:00'],
        ['+5:00', '+5:00'],
      ])
    const changes = device.page.getByRole('table', { name: device.t('account.ledger.title') }).getByRole('listitem')
    expect(await changes.allTextContents()).toEqual([expect.stringContaining('−0:30')])
    await expectAccessible(device.page)
  }
  const { balance_ms } = await stage.ask(desk.page, 'GET', '/api/balance')
  expect(balance_ms).toBe(4.5 * 3_600_000)
})
