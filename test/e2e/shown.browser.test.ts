import type { Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { expectReading } from './reading.ts'
import { openShown, SHOWN_NOW } from './shown-account.ts'
import { desktop, type Stage, wordsOf } from './stage.ts'

const t = wordsOf(desktop.language)

let stage: Stage
let page: Page
beforeAll(async () => {
  ;({ stage, page } = await openShown())
  // Ages and running time stand still.
  await stage.standStill(SHOWN_NOW)
})
afterAll(() => stage?.close())

/** Follows a link of the app, wherever it is. */
async function go(path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '${path}')`)
}

const main = () => page.locator('main')
const dialog = () => page.getByRole('dialog')
const press = (name: string) => main().getByRole('button', { name, exact: true }).first().click()

/** Closes the dialog that a test has left open. */
async function close(): Promise<void> {
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
}

test.each([
  ['today', '/'],
  ['day-with-warnings', '/day/2026-11-17'],
  ['week', '/week'],
  ['account', '/account'],
  ['month', '/calendar/2026/11'],
  ['sheet', '/calendar/2026/11/sheet'],
  ['schedule', '/schedule'],
  ['search', '/search#from=2026-11-17'],
  ['reports', '/reports'],
  ['projects', '/projects'],
  ['sync', '/sync'],
  ['settings', '/settings'],
  ['import-export', '/import-export'],
  ['accounts', '/accounts'],
  ['nowhere', '/nowhere'],
])('the view "%s" has its texts, values, states and links', async (name, path) => {
  await go(path)
  await expectReading(main(), name)
})

test('the year shows a month like its own view, in short', async () => {
  await go('/calendar/2026')
  await expectReading(page.getByRole('table', { name: t('calendar.monthOf', { month: 'November 2026' }) }), 'year')
})

test('the side of the page has the balance, the views and the sync status', async () => {
  await go('/')
  await expectReading(page.getByRole('complementary', { name: t('app.side') }), 'side')
})

test.each<[string, string, () => Promise<unknown>]>([
  ['entry-work', '/day/2026-11-17', () => main().getByRole('list').getByText('16:00 – 17:00').click()],
  ['absence-new', '/calendar/2026/11', () => press(t('calendar.add'))],
  ['vacation', '/calendar/2026/11', () => press(t('calendar.vacation.open'))],
  ['schedule-edit', '/schedule', () => press(t('schedule.editOne', { date: '2 November 2026' }))],
])('the dialog "%s" has its fields, values, states and buttons', async (name, path, open) => {
  await go(path)
  await main().getByRole('heading', { level: 1 }).waitFor()
  await open()
  try {
    await expectReading(dialog(), name)
  } finally {
    await close()
  }
})
