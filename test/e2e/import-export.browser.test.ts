import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { expectAccessible, expectStateAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { desktop, type Look, phone, type Stage, untilInstalled, wordsOf } from './stage.ts'

const fixtures = join(import.meta.dirname, '../../fixtures')
const TOGGL = join(fixtures, 'data/toggl-week-2018-W41.csv')
const NINE_OCLOCK = join(fixtures, 'import/toggl-nine-oclock.csv')

/** Opens the import with working hours since a date. */
async function opened(look: Look, since: string, options: { installed?: boolean } = {}) {
  const stage = await openStage()
  const { page, context, errors } = await stage.page(look, options)
  await stage.signUp(page, since)
  await stage.visit(page, '/import-export')
  return { stage, page, context, errors, t: wordsOf(look.language) }
}

type Words = ReturnType<typeof wordsOf>

/** Returns the rows of the preview, as name and value. */
async function previewOf(page: Page): Promise<Record<string, string>> {
  await page.locator('dl').waitFor()
  const [names, values] = [await page.locator('dt').allInnerTexts(), await page.locator('dd').allInnerTexts()]
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
}

type GivenFile = Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]

const choose = (page: Page, file: GivenFile) => page.locator('input[type=file]').setInputFiles(file)

async function importFile(page: Page, t: Words, file: GivenFile, count: number): Promise<void> {
  await choose(page, file)
  await page.getByRole('button', { name: t('importExport.preview.import_other', { shown: String(count) }) }).click()
  await page.getByText(t('importExport.done.added_other', { shown: String(count) })).waitFor()
}

async function undo(page: Page, t: Words, label: string, count: string): Promise<void> {
  await page.getByRole('button', { name: label }).first().click()
  await page
    .getByRole('group', { name: t('importExport.undo.question_other', { shown: count }) })
    .getByRole('button', { name: label })
    .click()
  await page.getByText(t('importExport.undo.done_other', { shown: count })).waitFor()
}

test('a file of Toggl is imported with a preview, adds nothing twice, and is undone later', async () => {
  const { stage, page, errors, t } = await opened(desktop, '2018-10-08')
  await stage.visit(page, '/settings')
  await page.getByRole('link', { name: t('importExport.open') }).click()
  await expectAccessible(page)
  await choose(page, TOGGL)
  await expect
    .poll(() => previewOf(page))
    .toMatchObject({
      [t('importExport.preview.entries')]: '21 on 5 days',
      [t('importExport.preview.range')]: '8 – 12 Oct 2018',
      [t('importExport.preview.worked')]: '48:22',
      [t('importExport.preview.covered')]: expect.stringMatching(/^43:14/),
      [t('importExport.preview.balance')]: expect.stringMatching(/from −16952:00 to −16908:46\. One week changes\./),
    })
  await expectStateAccessible(page)
  await page.getByRole('button', { name: t('importExport.preview.import_other', { shown: '21' }) }).click()
  await page.getByRole('button', { name: t('importExport.done.close') }).click()
  await page.getByRole('complementary').getByText('−16908:46').waitFor()
  // The balance here counts entries that are still on their way.
  await expect.poll(() => countAt(stage, page)).toBe(21)

  // Of nine rows that are skipped for one reason, eight are shown at first.
  const lines = readFileSync(TOGGL, 'utf8').split('\n').slice(0, 10)
  await choose(page, { name: 'part.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) })
  await page.getByText('9 rows: 2, 3, 4, 5, 6, 7, 8, 9').waitFor()
  await page.getByRole('button', { name: t('importExport.moreRows_one', { shown: '1' }) }).click()
  await page.getByText('9 rows: 2, 3, 4, 5, 6, 7, 8, 9, 10').waitFor()
  await page.getByRole('button', { name: t('ui.cancel') }).click()

  await choose(page, TOGGL)
  await page.getByText(t('importExport.preview.nothing')).waitFor()
  await page.getByText(t('importExport.skipped.already_imported'), { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: t('importExport.import.title'), exact: true }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: t('ui.cancel') }).click()

  await page.getByText('Toggl Track, 21 entries').waitFor()
  await undo(page, t, t('importExport.undo.action'), '21')
  await page.getByRole('complementary').getByText('−16952:00').waitFor()
  await expect.poll(() => countAt(stage, page)).toBe(0)
  expect(errors).toEqual([])
})

heavyTest('durations without times ask where they go, and the import can be undone at once', async () => {
  const { stage, page, errors, t } = await opened(phone, '2026-01-01')
  await choose(page, NINE_OCLOCK)
  await page.getByText(t('importExport.ask.durationsWhy')).waitFor()
  await expectAccessible(page)
  await page.getByLabel(t('importExport.ask.asIs')).check()
  await expect
    .poll(() => previewOf(page))
    .toMatchObject({ [t('importExport.preview.covered')]: expect.stringMatching(/^2:45/) })
  await page.getByLabel(t('importExport.ask.sequential')).check()
  await expect.poll(() => previewOf(page)).not.toHaveProperty(t('importExport.preview.covered'))
  await page.getByRole('button', { name: t('importExport.preview.import_other', { shown: '3' }) }).click()
  await page.getByText(t('importExport.done.title', { name: 'toggl-nine-oclock.csv' })).waitFor()
  await expectAccessible(page)
  await undo(page, t, t('importExport.undo.import'), '3')
  await page.getByText(t('importExport.import.choose')).waitFor()
  await expect.poll(() => countAt(stage, page)).toBe(0)
  expect(errors).toEqual([])
})

heavyTest('columns that nobody knows are chosen, and a file that cannot be read says so', async () => {
  const { page, t } = await opened(desktop, '2026-01-01')
  const buffer = Buffer.from('Eins;Zwei;Drei\n05.01.2026;8:00;12:00\n06.01.2026;22:00;2:00\n07.01.2026;8:00;')
  await choose(page, { name: 'hours.csv', mimeType: 'text/csv', buffer })
  await page.getByText(t('importExport.unreadable.no_columns')).waitFor()
  for (const [field, column] of Object.entries({ date: 'Eins', start: 'Zwei', end: 'Drei' })) {
    await page.getByRole('combobox', { name: t(`importExport.columns.${field}`), exact: true }).click()
    await page.getByRole('option', { name: column }).click()
  }
  await page.getByText(t('importExport.odd.ends_next_day')).waitFor()
  await expect.poll(() => previewOf(page)).toMatchObject({ [t('importExport.preview.entries')]: '2 on 2 days' })
  await page.getByText(t('importExport.skipped.no_end')).waitFor()
  await page.getByRole('button', { name: t('ui.cancel') }).click()
  await choose(page, { name: 'picture.json', mimeType: 'application/json', buffer: Buffer.from('{"a": 1}') })
  await page.getByText(t('importExport.unreadable.unknown_format')).waitFor()
})

heavyTest('[D11.10] import and export work offline, and another account imports the export', async () => {
  const { stage, page, context, t } = await opened(desktop, '2018-10-08', { installed: true })
  await untilInstalled(page)
  await stage.visit(page, '/import-export')
  await context.setOffline(true)
  await importFile(page, t, TOGGL, 21)
  await page.getByText(t('importExport.done.unsent_other', { shown: '21' })).waitFor()
  await page.getByRole('button', { name: t('importExport.done.close') }).click()
  // Offline, Playwright reports no downloads; so only the service is away now.
  await context.route('**/api/**', (route) => route.abort('internetdisconnected'))
  await context.setOffline(false)
  const json = await download(page, t, 'json')
  expect(json.name).toBe('saldo-2026-11-20.json')
  const csv = await download(page, t, 'csv')
  expect(csv.name).toBe('saldo-entries-2026-11-20.csv')
  expect(csv.text.split('\r\n')).toHaveLength(23)
  expect((await download(page, t, 'xlsx')).text.slice(0, 2)).toBe('PK')
  await context.unroute('**/api/**')
  await page.evaluate('dispatchEvent(new Event("online"))')
  await page.getByText(t('sync.saved')).first().waitFor()

  const other = await opened(desktop, '2018-10-08')
  await choose(other.page, { name: json.name, mimeType: 'application/json', buffer: Buffer.from(json.text) })
  await expect.poll(() => previewOf(other.page)).toMatchObject({ [t('importExport.preview.entries')]: '21 on 5 days' })
  await other.page.getByRole('button', { name: t('importExport.preview.import_other', { shown: '22' }) }).click()
  await other.page.getByRole('button', { name: t('importExport.done.close') }).waitFor()
  await other.page.getByText(t('sync.saved')).first().waitFor()
  const sent = await entriesAt(stage, page)
  await expect.poll(() => entriesAt(other.stage, other.page)).toEqual(sent)
})

heavyTest('[D11.9] [D11.12] an export closes its weeks again and fills in the profile', async () => {
  const { stage, page, context, t } = await opened(desktop, '2018-10-08')
  const plain = { kind: 'work', time_zone: null, note: '', tags: [], project: null, source: null, import_ref: null }
  const entries = ['08', '09'].map((day) => ({
    ...plain,
    id: `00000000-0000-4000-8000-0000000000${day}`,
    started_at: `2018-10-${day}T08:00:00.000Z`,
    ended_at: `2018-10-${day}T10:00:00.000Z`,
  }))
  const user = { name: 'Ada Lovelace', personnel_number: '', employer: '' }
  const buffer = Buffer.from(JSON.stringify({ user, records: { entries, closed_weeks: [{ week: '2018-W41' }] } }))
  const action = t('importExport.close.action')
  // A moment is too long for a button that is enabled too early.
  await page.evaluate(`window.wasEnabled = false
    new MutationObserver(() => {
      const buttons = [...document.querySelectorAll('button')].filter((one) => one.innerText === '${action}')
      window.wasEnabled ||= buttons.some((one) => !one.disabled)
    }).observe(document.body, { childList: true, subtree: true, attributes: true })`)
  await context.route('**/api/sync/**', (route) => route.abort('internetdisconnected'))
  await importFile(page, t, { name: 'saldo.json', mimeType: 'application/json', buffer }, 2)
  await page.getByText(t('importExport.done.unsent_other', { shown: '2' })).waitFor()
  const close = page.getByRole('button', { name: action })
  await close.waitFor()
  expect(await page.evaluate('window.wasEnabled')).toBe(false)
  await context.unroute('**/api/sync/**')
  await page.evaluate('dispatchEvent(new Event("online"))')
  await close.click()
  await page.getByText(t('importExport.close.done')).waitFor()
  await page.getByRole('button', { name: t('importExport.profile.action') }).click()
  await page.getByText(t('importExport.profile.done')).waitFor()
  expect(await stage.ask(page, 'GET', '/api/me')).toMatchObject(user)
  const { items } = await stage.ask(page, 'GET', '/api/closed-weeks')
  expect(items).toMatchObject([{ week: '2018-W41', worked_ms: 14_400_000 }])
})

/** Downloads an export of everything. */
async function download(page: Page, t: Words, format: string): Promise<{ name: string; text: string }> {
  await page.getByRole('combobox', { name: t('importExport.formatLabel') }).click()
  await page.getByRole('option', { name: t(`importExport.export.format.${format}`), exact: true }).click()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: t('importExport.export.action') }).click(),
  ])
  return { name: saved.suggestedFilename(), text: readFileSync(await saved.path(), 'latin1') }
}

/** Returns how many entries the service has. */
async function countAt(stage: Stage, page: Page): Promise<number> {
  return (await stage.ask(page, 'GET', '/api/sync/digest')).kinds.entries.count
}

/** Returns the entries of the service without what it sets itself. */
async function entriesAt(stage: Stage, page: Page): Promise<object[]> {
  const { records } = await stage.ask(page, 'GET', '/api/me/export')
  return records.entries
    .map(({ version: _v, updated_at: _u, created_at: _c, ...entry }: Record<string, unknown>) => entry)
    .toSorted((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1))
}
