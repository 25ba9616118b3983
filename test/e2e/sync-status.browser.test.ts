import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { expectAccessible, expectStateAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { desktop, type Look, looks, person, untilInstalled, wordsOf } from './stage.ts'

const t = wordsOf(desktop.language)

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

heavyTest.each(looks)('unsent changes are shown, offline too: $size $language', async (look) => {
  const stage = await openStage()
  const words = wordsOf(look.language)
  const { page, context } = await stage.page(look, { installed: true })
  await page.addInitScript(`window.asked = 0
    navigator.storage.persist = async () => { window.asked += 1; return false }`)
  await stage.signUp(page)
  await stage.visit(page)
  await untilInstalled(page)
  await context.setOffline(true)
  await quickEntry(page, look, '9-10 Saldo')
  await page.getByRole('img', { name: words('today.isPending') }).waitFor()
  await page
    .getByRole('link', { name: /1 |eine|one/i })
    .first()
    .click()
  await page.getByRole('heading', { name: words('sync.outbox.title') }).waitFor()
  await page.getByText(words('sync.storage.keep')).waitFor()
  // The app has asked the browser once to keep what is on this device only.
  await expect.poll(() => page.evaluate('window.asked')).toBe(1)
  await expectAccessible(page)
  await context.setOffline(false)
  await page.getByText(words('sync.nothing')).waitFor()
  await expectStateAccessible(page)
})

heavyTest.each(looks)(
  'a service that does not answer shows an error in the user’s language: $size $language',
  async (look) => {
    const stage = await openStage()
    const words = wordsOf(look.language)
    const { page } = await stage.page(look)
    await stage.signUp(page)
    await stage.visit(page, '/sync')
    await page.getByText(words('sync.nothing')).waitFor()
    await stage.end()
    await page.getByRole('button', { name: words('sync.now') }).click()
    await page.getByText(words('sync.error.unreachable')).waitFor()
    await expectStateAccessible(page)
  },
)

heavyTest.each(looks)('a captive portal is named in the user’s language: $size $language', async (look) => {
  const stage = await openStage()
  const words = wordsOf(look.language)
  const { page } = await stage.page(look)
  await stage.signUp(page)
  await stage.visit(page, '/sync')
  await page.getByText(words('sync.nothing')).waitFor()
  await page.route('**/api/**', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Hotel</h1>' }))
  await page.getByRole('button', { name: words('sync.now') }).click()
  await page.getByText(words('ui.failure.wrongService')).waitFor()
  await expectStateAccessible(page)
})

heavyTest('a rejected change is kept, and is sent again after a correction', async () => {
  const stage = await openStage()
  const { page, context } = await stage.page(desktop)
  await page.goto(stage.setupUrl)
  await page.getByLabel(t('signIn.email')).fill(person.email)
  await page.getByLabel(t('signIn.name'), { exact: true }).fill(person.name)
  await page.getByLabel(t('signIn.password'), { exact: true }).fill(person.password)
  await page.getByRole('button', { name: t('signIn.signUp') }).click()
  await page.getByRole('heading', { name: t('firstRun.title') }).waitFor()
  // All adjustments together cannot be more than two hours above this.
  const delta_ms = 2 ** 52 - 2 * 3_600_000
  const much = { effective_date: '2026-11-01', delta_ms, kind: 'other', reason: 'Very much' }
  await stage.ask(page, 'POST', '/api/balance/adjustments', much)
  await context.route('**/api/**', (route) => route.abort('internetdisconnected'))
  await page.getByLabel(t('firstRun.opening')).last().fill('3:15')
  await page.getByRole('button', { name: t('firstRun.begin') }).click()
  await page.getByRole('heading', { name: t('today.entries') }).waitFor()
  await context.unroute('**/api/**')
  await page.evaluate('dispatchEvent(new Event("online"))')

  await page.getByRole('link', { name: t('sync.attention_one') }).click()
  const rejected = page.getByRole('region', { name: t('sync.rejected.title') })
  await rejected.getByText('+3:15').waitFor()
  await expectStateAccessible(page)
  await rejected.getByRole('button', { name: t('sync.rejected.discard') }).click()
  await rejected.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: t('ui.undo') }).click()
  await rejected.getByText('+3:15').waitFor()

  await rejected.getByRole('button', { name: t('sync.rejected.edit') }).click()
  const dialog = page.getByRole('dialog')
  // A correction that cannot be sent stays in the form.
  await dialog.getByLabel(t('sync.field.amount')).fill('0')
  await dialog.getByRole('button', { name: t('sync.rejected.send') }).click()
  await page.getByText(t('ui.failure.invalid')).waitFor()
  await dialog.getByLabel(t('sync.field.amount')).fill('1:00')
  await expectStateAccessible(page)
  await dialog.getByRole('button', { name: t('sync.rejected.send') }).click()
  await page.getByText(t('sync.nothing')).waitFor()
})

heavyTest('of two rejected changes, the chosen one is discarded, sent again or edited', async () => {
  const stage = await openStage()
  const { page, context } = await stage.page(desktop)
  await stage.signUp(page)
  const id = '11111111-1111-4111-8111-111111111111'
  // All adjustments together cannot be more than an hour above this.
  const much = { effective_date: '2026-11-20', delta_ms: 2 ** 52 - 3_600_000, kind: 'other', reason: 'Very much' }
  await stage.ask(page, 'POST', '/api/balance/adjustments', { id, ...much })
  await stage.visit(page, '/account')
  await context.route('**/api/**', (route) => route.abort('internetdisconnected'))
  const dialog = page.getByRole('dialog')
  for (const hours of ['2', '3', '4']) {
    await page.getByRole('button', { name: t('account.adjust') }).click()
    await dialog.getByLabel(t('account.editor.hours')).fill(hours)
    await dialog.getByText(t('account.editor.adds'), { exact: true }).click()
    await dialog.getByLabel(t('account.editor.reason')).fill(`Of ${hours}`)
    await dialog.getByRole('button', { name: t('ui.save') }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  const undo = page.getByRole('button', { name: t('ui.undo') }).last()
  // Under the mouse, the message of success stays until the service rejects a change.
  await undo.hover()
  await context.unroute('**/api/**')
  await page.evaluate('dispatchEvent(new Event("online"))')
  await undo.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: t('sync.attention_other', { count: '3' }) }).click()

  const items = page.getByRole('region', { name: t('sync.rejected.title') }).getByRole('listitem')
  const item = (hours: string) => items.filter({ hasText: `+${hours}:00` })
  const press = (hours: string, verb: string) =>
    item(hours)
      .getByRole('button', { name: t(`sync.rejected.${verb}`) })
      .click()
  const shown = () => Promise.all(['2', '3', '4'].map((hours) => item(hours).count()))
  await press('3', 'discard')
  await expect.poll(shown).toEqual([1, 0, 1])
  await undo.click()
  await expect.poll(shown).toEqual([1, 1, 1])
  await stage.ask(page, 'PUT', `/api/balance/adjustments/${id}`, { ...much, delta_ms: 1 })
  await press('3', 'retry')
  await expect.poll(shown).toEqual([1, 0, 1])
  await press('4', 'edit')
  await dialog.getByLabel(t('sync.field.amount')).fill('5:00')
  await dialog.getByRole('button', { name: t('sync.rejected.send') }).click()
  await expect.poll(shown).toEqual([1, 0, 0])
  // A change leaves the list when it is sent again, before the service has it.
  const stored = async () => {
    const { items } = await stage.ask(page, 'GET', '/api/balance/adjustments')
    return items.map(({ reason, delta_ms }: Record<string, unknown>) => [reason, delta_ms]).toSorted()
  }
  await expect.poll(stored).toEqual([
    ['Of 3', 3 * 3_600_000],
    ['Of 4', 5 * 3_600_000],
    ['Very much', 1],
  ])
})

test('a conflict shows both versions, and one click restores the other', async () => {
  const stage = await openStage()
  const { page, context } = await stage.page(desktop)
  await stage.signUp(page)
  const id = '11111111-1111-4111-8111-111111111111'
  await stage.work(page, '2026-11-20', '09:00', '10:00', { id, project: 'Saldo' })
  await stage.visit(page)
  await page.getByRole('list').getByText('09:00 – 10:00').waitFor()

  await context.route('**/api/**', (route) => route.abort('internetdisconnected'))
  await setProject(page, desktop, 'Garden')
  // Another device is later.
  const times = { started_at: '2026-11-20T08:00:00Z', ended_at: '2026-11-20T09:00:00Z' }
  await stage.ask(page, 'PUT', `/api/entries/${id}`, { kind: 'work', ...times, project: 'House', note: 'Roof' })
  await context.unroute('**/api/**')
  await page.evaluate('dispatchEvent(new Event("online"))')

  await page.getByRole('link', { name: t('sync.attention_one') }).click()
  const cells = (field: string) =>
    page
      .getByRole('row')
      .filter({ hasText: t(field) })
      .getByRole('cell')
  await expect.poll(() => cells('sync.field.project').allTextContents()).toEqual(['Garden', 'House'])
  expect(await cells('sync.field.note').allTextContents()).toEqual(['–', 'Roof'])
  await expectStateAccessible(page)
  await page.getByRole('button', { name: t('sync.conflicts.dismiss') }).click()
  await page.getByText(t('sync.nothing')).waitFor()
  await page.getByRole('link', { name: t('today.title') }).click()
  await page.getByRole('list').getByText('House', { exact: true }).waitFor()
  await page
    .getByRole('link', { name: t('sync.title') })
    .first()
    .click()
  await page.getByText(t('sync.nothing')).waitFor()
  await page.keyboard.press('Control+z')
  await page.getByRole('button', { name: t('sync.conflicts.restoreMine') }).click()
  await page.getByText(t('sync.nothing')).waitFor()
  expect(await stage.ask(page, 'GET', `/api/entries/${id}`)).toMatchObject({ project: 'Garden' })
  await page.getByRole('button', { name: t('ui.undo') }).click()
  const entry = () => stage?.ask(page, 'GET', `/api/entries/${id}`)
  await expect.poll(entry).toMatchObject({ project: 'House' })
})

test('a conflict of a deletion says that it deletes', async () => {
  const stage = await openStage()
  const { page, context } = await stage.page(desktop)
  await stage.signUp(page)
  const id = '11111111-1111-4111-8111-111111111111'
  await stage.work(page, '2026-11-20', '09:00', '10:00', { id, project: 'Saldo' })
  await stage.visit(page)
  const row = page.getByRole('listitem').filter({ hasText: '09:00 – 10:00' })
  await row.waitFor()
  await context.route('**/api/**', (route) => route.abort('internetdisconnected'))
  await row.getByRole('button', { name: t('ui.delete') }).click()
  await row.waitFor({ state: 'detached' })
  const times = { started_at: '2026-11-20T08:00:00Z', ended_at: '2026-11-20T09:00:00Z' }
  await stage.ask(page, 'PUT', `/api/entries/${id}`, { kind: 'work', ...times, project: 'House' })
  await context.unroute('**/api/**')
  await page.evaluate('dispatchEvent(new Event("online"))')

  await page.getByRole('link', { name: t('sync.attention_one') }).click()
  await page.getByRole('button', { name: t('sync.conflicts.deleteAgain') }).click()
  const list = async () => (await stage.ask(page, 'GET', '/api/entries')).items
  await expect.poll(list).toEqual([])
  // The message of the first deletion may still be on its way out.
  await expect.poll(() => page.getByText(t('sync.conflicts.deletedAgain'), { exact: true }).count()).toBe(1)
  await page.getByRole('button', { name: t('ui.undo') }).click()
  await expect.poll(list).toMatchObject([{ id, project: 'House' }])
})
