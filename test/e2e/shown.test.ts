import type { Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { expectReading } from './reading.ts'
import { fillShownAccount, SHOWN_NOW } from './shown-account.ts'
import { desktop, Stage, wordsOf } from './stage.ts'

const t = wordsOf(desktop.language)

let stage: Stage
let page: Page
beforeAll(async () => {
  stage = await Stage.open(SHOWN_NOW)
  page = (await stage.page(desktop)).page
  await stage.signUp(page, null)
  await fillShownAccount(stage, page)
  await stage.visit(page)
  await page.getByText(t('sync.saved')).waitFor({ state: 'attached' })
  // Ages and running time stand still.
  await page.clock.setFixedTime(SHOWN_NOW)
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
  ['day-over', '/day/2026-11-18'],
  ['day-of-absence', '/day/2026-10-20'],
  ['day-ahead', '/day/2026-11-27'],
  ['day-before-account', '/day/2026-09-27'],
  ['week', '/week'],
  ['week-closed', '/week/2026-W44'],
  ['week-open', '/week/2026-W46'],
  ['account', '/account'],
  ['month', '/calendar/2026/11'],
  ['sheet', '/calendar/2026/11/sheet'],
  ['schedule', '/schedule'],
  ['search', '/search'],
  ['search-of-absences', '/search?kind=vacation'],
  ['reports', '/reports'],
  ['reports-by-tag', '/reports?by=tag&dates=this-year'],
  ['reports-by-week', '/reports?by=week&dates=last-month&project=Harbour'],
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
  ['entry-new', '/', () => press(t('today.add'))],
  ['entry-work', '/day/2026-11-17', () => main().getByRole('list').getByText('16:00 – 17:00').click()],
  ['entry-break', '/', () => main().getByRole('list').getByText('12:20 – 12:55').click()],
  ['entry-absence', '/day/2026-11-27', () => main().getByRole('list').getByText('1:30 h').click()],
  ['adjustment-new', '/account', () => press(t('account.adjust'))],
  ['adjustment', '/account', () => press(t('account.kind.opening'))],
  ['close-weeks', '/week/2026-W46', () => press(t('openWeeks.open', { count: '2' }))],
  ['absence-new', '/calendar/2026/11', () => press(t('calendar.add'))],
  ['vacation', '/calendar/2026/11', () => press(t('calendar.vacation.open'))],
  ['schedule-new', '/schedule', () => press(t('schedule.add'))],
  ['schedule-edit', '/schedule', () => press(t('schedule.editOne', { date: '2 November 2026' }))],
  ['schedule-delete', '/schedule', () => press(t('schedule.deleteOne', { date: '7 December 2026' }))],
  ['sign-out', '/settings', () => press(t('app.signOut.action'))],
  ['change-email', '/settings', () => press(t('settings.account.changeEmail'))],
  ['delete-account', '/settings', () => press(t('settings.data.delete'))],
  ['remove-data', '/settings', () => press(t('settings.data.remove'))],
  ['invite', '/accounts', () => press(t('accounts.invite'))],
  ['palette', '/', () => page.keyboard.press('Control+k')],
])('the dialog "%s" has its fields, values, states and buttons', async (name, path, open) => {
  await go(path)
  await main().getByRole('heading', { level: 1 }).waitFor()
  await open()
  await expectReading(dialog(), name)
  await close()
})
