import type { Page } from 'playwright-core'
import { afterEach, expect, test, vi } from 'vitest'
import { axeFindings, type Look, looks, person, Stage, wordsOf } from './stage.ts'

// Whole browsers beside everything else that is being tested.
vi.setConfig({ testTimeout: 180_000 })

let stage: Stage | undefined
afterEach(() => stage?.close())

const wide: Look = { size: 'desktop', scheme: 'light', language: 'en' }
const small: Look = { size: 'phone', scheme: 'dark', language: 'de' }
const t = wordsOf(wide.language)

async function quickEntry(page: Page, { language }: Look, text: string): Promise<void> {
  await page.getByLabel(wordsOf(language)('today.quick.label')).fill(text)
  await page.keyboard.press('Enter')
}

/** Gives the day's entry another project, in the editor. */
async function setProject(page: Page, { language }: Look, project: string): Promise<void> {
  const words = wordsOf(language)
  await page.getByRole('list').getByText('09:00 – 10:00').click()
  await page.getByRole('dialog').getByLabel(words('entries.editor.project')).fill(project)
  await page.getByRole('button', { name: words('ui.save') }).click()
  await page.getByRole('list').getByText(project, { exact: true }).waitFor()
}

test.each(looks.map((look) => [`${look.size}, ${look.scheme}, ${look.language}`, look] as const))(
  'what waits is told, offline too: %s',
  async (_name, look) => {
    stage = await Stage.open()
    const words = wordsOf(look.language)
    const { page, context } = await stage.page(look)
    await stage.signUp(page, look)
    await page.evaluate('navigator.serviceWorker.ready.then(() => null)')
    await context.setOffline(true)
    await quickEntry(page, look, '9-10 Saldo')
    await page.getByRole('img', { name: words('today.isPending') }).waitFor()
    await page
      .getByRole('link', { name: /1 |eine|one/i })
      .first()
      .click()
    await page.getByRole('heading', { name: words('sync.outbox.title') }).waitFor()
    await page.getByText(words('sync.storage.keep')).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await context.setOffline(false)
    await page.getByText(words('sync.nothing')).waitFor()
    expect(await axeFindings(page)).toEqual([])
  },
)

test('what the service refuses is kept, and is sent again once it is corrected', async () => {
  stage = await Stage.open()
  const { page, context } = await stage.page(wide)
  await page.goto(stage.setupUrl)
  await page.getByLabel(t('signIn.email')).fill(person.email)
  await page.getByLabel(t('signIn.password'), { exact: true }).fill(person.password)
  await page.getByRole('button', { name: t('signIn.signUp') }).click()
  await page.getByRole('heading', { name: t('firstRun.title') }).waitFor()
  // All adjustments together cannot be more than two hours above this.
  await page.evaluate(
    async (delta_ms) => {
      const content = { effective_date: '2026-11-01', delta_ms, kind: 'other', reason: 'Very much' }
      const headers = { 'content-type': 'application/json' }
      await fetch('/api/balance/adjustments', { method: 'POST', headers, body: JSON.stringify(content) })
    },
    2 ** 52 - 2 * 3_600_000,
  )
  await context.setOffline(true)
  await page.getByLabel(t('firstRun.opening')).last().fill('3:15')
  await page.getByRole('button', { name: t('firstRun.begin') }).click()
  await page.getByRole('heading', { name: t('today.entries') }).waitFor()
  await context.setOffline(false)

  await page.getByRole('link', { name: t('sync.attention_one') }).click()
  const tray = page.getByRole('region', { name: t('sync.refused.title') })
  await tray.getByText('+3:15').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await tray.getByRole('button', { name: t('sync.refused.discard') }).click()
  await tray.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: t('ui.undo') }).click()
  await tray.getByText('+3:15').waitFor()

  await tray.getByRole('button', { name: t('sync.refused.edit') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('sync.fact.amount')).fill('1:00')
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: t('sync.refused.send') }).click()
  await page.getByText(t('sync.nothing')).waitFor()
})

test('what another device overrode stands beside what won, and is taken back in one tap', async () => {
  stage = await Stage.open()
  const phone = await stage.page(small)
  await stage.signUp(phone.page, small)
  await quickEntry(phone.page, small, '9-10 Saldo')
  const desk = await stage.page(wide)
  await stage.signIn(desk.page, wide)
  await desk.page.getByRole('list').getByText('09:00 – 10:00').waitFor()

  await desk.page.evaluate('navigator.serviceWorker.ready.then(() => null)')
  await desk.context.setOffline(true)
  await setProject(desk.page, wide, 'Garden')
  await setProject(phone.page, small, 'House')
  await desk.context.setOffline(false)

  await desk.page.getByRole('link', { name: t('sync.attention_one') }).click()
  const row = desk.page.getByRole('row').filter({ hasText: t('sync.fact.project') })
  await row.getByRole('cell', { name: 'Garden' }).waitFor()
  await row.getByRole('cell', { name: 'House' }).waitFor()
  expect(await axeFindings(desk.page)).toEqual([])
  await desk.page.getByRole('button', { name: t('sync.overridden.dismiss') }).click()
  await desk.page.getByText(t('sync.overridden.dismissed')).waitFor()
  await desk.page.getByRole('button', { name: t('ui.undo') }).click()
  await desk.page.getByRole('button', { name: t('sync.overridden.takeBack') }).click()
  await phone.page.getByRole('list').getByText('Garden', { exact: true }).waitFor()
  await desk.page.getByText(t('sync.nothing')).waitFor()
})
