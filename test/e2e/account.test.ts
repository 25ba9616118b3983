import type { Page } from 'playwright-core'
import { afterEach, expect, test, vi } from 'vitest'
import { axeFindings, type Look, Stage, wordsOf } from './stage.ts'

// A whole browser beside everything else that is being tested.
vi.setConfig({ testTimeout: 180_000 })

let stage: Stage | undefined
afterEach(() => stage?.close())

const looks: readonly Look[] = [
  { size: 'desktop', scheme: 'dark', language: 'en' },
  { size: 'phone', scheme: 'light', language: 'de' },
]

/** Two weeks of an account, the first of them closed with 37 hours and edited since to 36:30. */
async function twoWeeks(page: Page): Promise<void> {
  const statuses = await page.evaluate(async () => {
    const send = async (method: string, path: string, body: object) => {
      const headers = { 'content-type': 'application/json' }
      return (await fetch(path, { method, headers, body: JSON.stringify(body) })).status
    }
    const target_ms = [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * 3_600_000)
    const work = (date: string, end: string) => ({
      kind: 'work',
      started_at: `${date}T08:00:00Z`,
      ended_at: `${date}T${end}:00Z`,
    })
    const path = '/api/entries/11111111-1111-4111-8111-111111111111'
    return [
      await send('POST', '/api/settings', { effective_from: '2026-11-09', time_zone: 'Europe/Berlin', target_ms }),
      ...(await Promise.all(
        ['09', '10', '11', '12'].map((day) => send('POST', '/api/entries', work(`2026-11-${day}`, '16:00'))),
      )),
      await send('POST', '/api/entries', { id: path.slice(-36), ...work('2026-11-13', '13:00') }),
      await send('POST', '/api/closed-weeks', { week: '2026-W46' }),
      await send('PUT', path, work('2026-11-13', '12:30')),
    ]
  })
  expect(statuses).toEqual([201, 201, 201, 201, 201, 201, 201, 200])
}

test.each(looks)('the ledger tells how the balance came about, and it is adjusted: $size $language', async (look) => {
  stage = await Stage.open('2026-11-16T11:00:00.000Z')
  const t = wordsOf(look.language)
  const { page, errors } = await stage.page(look)
  await stage.signUp(page, look)
  await twoWeeks(page)
  await page.goto(`${stage.url}/account`)
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
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: t('account.curve.asTable') }).click()
  await page
    .getByRole('table', { name: t('account.curve.table') })
    .getByText('−3:30')
    .waitFor()

  await adjust('2', 'November')
  await dialog.getByText('−3:30 → −5:30').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await ledger.getByText('−5:30').waitFor()
  await page.getByRole('button', { name: t('ui.undo') }).click()
  await ledger.getByText('−5:30').waitFor({ state: 'detached' })

  await adjust('1', 'Dezember', '2026-12-24')
  await dialog.getByText('−3:30 → −4:30').waitFor()
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await ahead.getByText('−4:30').waitFor()
  await page.getByRole('status').getByText('−4:30').waitFor()
  expect(await axeFindings(page)).toEqual([])
  expect(errors).toEqual([])
})
