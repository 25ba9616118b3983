import { expect, test } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { looks, wordsOf } from './stage.ts'

test.each(looks)(
  'hours above the limit at the end of the year expire only if accepted, and a late edit shows the difference: $size $language',
  async (look) => {
    const stage = await openStage('2027-01-13T11:00:00.000Z')
    const t = wordsOf(look.language)
    const of = (en: string, de: string) => (look.language === 'en' ? en : de)
    const { page, errors } = await stage.page(look)
    await stage.signUp(page, null)
    const hours = (count: number) => count * 3_600_000
    const target_ms = Array(7).fill(0)
    const settings = { effective_from: '2026-12-14', time_zone: 'Europe/Berlin', target_ms }
    await stage.ask(page, 'POST', '/api/settings', settings)
    const opening = { kind: 'opening', effective_date: '2026-12-14', delta_ms: hours(43.5), reason: 'x' }
    await stage.ask(page, 'POST', '/api/balance/adjustments', opening)
    const id = '11111111-1111-4111-8111-111111111111'
    await stage.work(page, '2026-12-30', '09:00', '13:00', { id })
    for (const week of ['2026-W51', '2026-W52', '2026-W53']) {
      await stage.ask(page, 'POST', '/api/closed-weeks', { week })
    }

    await stage.visit(page, '/schedule')
    const since = of('14 December 2026', '14. Dezember 2026')
    await page.getByRole('button', { name: t('schedule.editOne', { date: since }) }).click()
    await page.getByRole('switch', { name: t('schedule.limits.label') }).click()
    await page.getByLabel(t('schedule.limits.green')).fill('60')
    await page.getByText(t('schedule.limits.problem')).waitFor()
    await page.getByLabel(t('schedule.limits.green')).fill('10')
    await page.getByLabel(t('schedule.limits.yellow')).fill('50')
    await page.getByRole('switch', { name: t('schedule.limits.expiry') }).click()
    await page.getByLabel(t('schedule.limits.keep')).fill('40')
    await expectAccessible(page)
    await page.getByRole('button', { name: t('ui.save') }).click()
    await page.getByText(t('schedule.part.limits'), { exact: true }).waitFor()
    await expectAccessible(page)

    await stage.visit(page)
    const side = page.getByRole('complementary', { name: t('app.side') })
    await side.getByText('+47:30').waitFor()
    await side.getByText(t('limits.in.yellow')).waitFor()
    const date = of('31 December 2026', '31. Dezember 2026')
    const open = page.getByText(t('limits.open', { date, balance: '+47:30', keep: '40:00', hours: '7:30' }))
    await open.waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: t('limits.decline') }).click()
    await open.waitFor({ state: 'detached' })
    await page.getByText(t('limits.message.decline')).waitFor()
    await page.getByRole('button', { name: t('ui.undo') }).click()
    await page.getByRole('button', { name: t('limits.accept', { hours: '7:30' }) }).click()
    await open.waitFor({ state: 'detached' })
    await side.getByText('+40:00').waitFor()

    await stage.visit(page, '/account')
    await page.getByLabel(t('account.outlook.perWeek')).fill('-10')
    const green = t('account.outlook.range.returns', { date: of('2 February 2027', '2. Februar 2027') })
    await page.getByText(green).waitFor()
    // An hour more than before.
    const late = { kind: 'work', started_at: '2026-12-30T08:00:00Z', ended_at: '2026-12-30T13:00:00Z' }
    await stage.ask(page, 'PUT', `/api/entries/${id}`, late)
    const changed = page.getByText(t('limits.changed', { date, expired: '7:30', hours: '8:30' }))
    await changed.waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: t('limits.adjust', { hours: '8:30' }) }).click()
    await changed.waitFor({ state: 'detached' })
    const ledger = page.getByRole('table', { name: t('account.ledger.title') })
    await ledger.getByText('−8:30').waitFor()
    await side.getByText('+40:00').waitFor()
    expect(errors).toEqual([])
  },
)
