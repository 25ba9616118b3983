import type { Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { expectReading } from './reading.ts'
import { openShown, SHOWN_NOW } from './shown-account.ts'
import { desktop, person, type Stage, wordsOf } from './stage.ts'

const t = wordsOf(desktop.language)

let stage: Stage
let page: Page
beforeAll(async () => {
  ;({ stage, page } = await openShown())
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

/** Types another name of a project into its form. */
async function renameProject(name: string, other: string): Promise<void> {
  await press(t('projects.actionsOf', { name }))
  await page.getByRole('menuitem', { name: t('projects.rename') }).click()
  await dialog().getByRole('combobox').fill(other)
  await page.keyboard.press('Tab')
}

/** Opens the form of the absence of a date, from the calendar. */
async function openAbsence(date: string): Promise<void> {
  await go(`/calendar/${date.slice(0, 7).replace('-', '/')}`)
  await page.locator(`[data-date="${date}"]`).click()
  await main()
    .getByRole('region', { name: t('calendar.chosen') })
    .getByRole('listitem')
    .getByRole('button')
    .first()
    .click()
}

/** Selects the dates from one to another. */
async function chooseDates(from: string, to: string): Promise<void> {
  await page.locator(`[data-date="${from}"]`).click()
  await page.locator(`[data-date="${to}"]`).click({ modifiers: ['Shift'] })
}

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
  ['day-before-account', '/day/2026-09-29'],
  ['week', '/week'],
  ['week-of-beginning', '/week/2026-W40'],
  ['week-closed', '/week/2026-W44'],
  ['week-open', '/week/2026-W46'],
  ['account', '/account'],
  ['month', '/calendar/2026/11'],
  ['sheet', '/calendar/2026/11/sheet'],
  ['sheet-over', '/calendar/2026/10/sheet'],
  ['schedule', '/schedule'],
  ['search', '/search'],
  ['search-of-absences', '/search?kind=vacation'],
  ['reports', '/reports'],
  ['reports-by-tag', '/reports?by=tag&dates=this-year'],
  ['reports-by-week', '/reports?by=week&dates=last-month&project=Harbour'],
  ['reports-since', '/reports?from=2026-11-17&by=day'],
  ['reports-until', '/reports?to=2026-10-31&by=month'],
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

test.each<[string, string, () => Promise<unknown>]>([
  ['timesheet', '/week/2026-W46', () => page.getByText(t('week.asTimesheet'), { exact: true }).click()],
  ['curve-as-table', '/account', () => press(t('account.curve.asTable'))],
  ['date-chosen', '/calendar/2026/11', () => page.locator('[data-date="2026-11-19"]').click()],
  ['dates-chosen', '/calendar/2026/12', () => chooseDates('2026-12-01', '2026-12-02')],
  ['entry-chosen', '/search?project=Office', () => main().getByRole('list').getByRole('checkbox').first().check()],
  ['entries-chosen', '/search?project=Office', () => page.getByLabel(t('search.selectAll')).check()],
  ['token-form', '/settings', () => press(t('settings.tokens.make'))],
  ['feed-form', '/settings', () => press(t('settings.feeds.make'))],
  ['webhook-form', '/settings', () => press(t('settings.webhooks.make'))],
])('the view has its texts, values and states at the step "%s"', async (name, path, act) => {
  await go(path)
  await main().getByRole('heading', { level: 1 }).waitFor()
  await act()
  await expectReading(main(), name)
  // Its steps are forgotten elsewhere.
  await page.evaluate('sessionStorage.clear()')
  await go('/nowhere')
})

test('unsent changes have their texts, ages and links', async () => {
  await go('/day/2026-11-13')
  const field = page.getByLabel(t('today.quick.label'))
  await page.context().route('**/api/**', (route) => route.abort('internetdisconnected'))
  await field.fill('13-14 @House #garden Roses')
  await field.press('Enter')
  await page.getByRole('img', { name: t('today.isPending') }).waitFor()
  await go('/sync')
  await page.getByText(t('sync.error.unreachable')).waitFor()
  await expectReading(main(), 'sync-unsent')
  await page.context().unroute('**/api/**')
  await page.keyboard.press('Control+z')
  await page.evaluate('dispatchEvent(new Event("online"))')
  await page.getByText(t('sync.nothing')).waitFor()
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
  ['entry-over-midnight', '/day/2026-11-17', () => main().getByRole('list').getByText('22:30 –').click()],
  ['entry-break', '/', () => main().getByRole('list').getByText('12:20 – 12:55').click()],
  ['entry-absence', '/day/2026-11-27', () => main().getByRole('list').getByText('1:30 h').click()],
  ['adjustment-new', '/account', () => press(t('account.adjust'))],
  ['adjustment', '/account', () => press(t('account.kind.opening'))],
  ['close-weeks', '/week/2026-W46', () => press(t('openWeeks.open', { count: '2' }))],
  ['absence-new', '/calendar/2026/11', () => press(t('calendar.add'))],
  ['absence', '/day/2026-11-20', () => openAbsence('2026-12-01')],
  ['vacation', '/calendar/2026/11', () => press(t('calendar.vacation.open'))],
  ['schedule-new', '/schedule', () => press(t('schedule.add'))],
  ['schedule-edit', '/schedule', () => press(t('schedule.editOne', { date: '2 November 2026' }))],
  ['schedule-delete', '/schedule', () => press(t('schedule.deleteOne', { date: '7 December 2026' }))],
  ['sign-out', '/settings', () => press(t('app.signOut.action'))],
  ['change-email', '/settings', () => press(t('settings.account.changeEmail'))],
  ['delete-account', '/settings', () => press(t('settings.data.delete'))],
  ['remove-data', '/settings', () => press(t('settings.data.remove'))],
  ['invite', '/accounts', () => press(t('accounts.invite'))],
  ['rename', '/projects', () => renameProject('Office', 'Harbour')],
  ['rename-not', '/projects', () => renameProject('Office', ' Office ')],
  ['palette', '/', () => page.keyboard.press('Control+k')],
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

test.each<[string, string, string]>([
  ['menu-of-account', '/accounts', t('accounts.actionsOf', { name: person.name })],
  ['menu-of-project', '/projects', t('projects.actionsOf', { name: 'Office' })],
  ['menu-of-report', '/reports', t('reports.export.label')],
  ['menu-of-user', '/', t('app.menu.label', { name: person.name })],
])('the menu "%s" has its items and states', async (name, path, button) => {
  await go(path)
  await page.getByRole('button', { name: button }).click()
  const menu = page.getByRole('menu')
  await expectReading(menu, name)
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
})
