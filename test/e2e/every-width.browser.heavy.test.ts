import type { Locator, Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { layoutFaultsAtWidths } from './layout.ts'
import { type Stage, wordsOf } from './stage.ts'
import { openWideAccount, openWidePage, type Way } from './wide-account.ts'
import { MEMBER, openWideCompany } from './wide-company.ts'

let stage: Stage
afterEach(() => stage?.close())

/** The longest words with the longest times, and the others. */
const ways: readonly Way[] = [
  { language: 'de', hours: 'h12' },
  { language: 'en', hours: 'h23' },
]

const views = [
  ...['/', '/day/2026-11-17', '/day/2026-11-25', '/week', '/week/2023-W52', '/account', '/calendar/2026'],
  ...[
    '/calendar/2026/11',
    '/calendar/2026/11/sheet',
    '/schedule',
    '/search#from=2026-11-16&to=2026-11-20',
    '/reports#from=2026-11-16&to=2026-11-20',
    '/projects',
    '/sync',
  ],
  ...['/settings', '/import-export', '/accounts', '/nowhere'],
]

/** Opens a view, up to what it shows of the account. */
async function visit(page: Page, path: string, t: ReturnType<typeof wordsOf>): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 800 })
  await stage.visit(page, path)
  await page.getByText(t('sync.saved')).first().waitFor({ state: 'attached' })
}

const viewsOfHr = [
  ...['/team', '/team/away/2026-12', '/team/requests', '/team/inbox', '/team/board/2026-11'],
  ...['/team/payroll/2026-11', '/team/payroll/personnel', '/team/payroll/mapping', '/accounts'],
  ...['people', 'groups', 'roles', 'policy', 'blocks', 'leave', 'trail'].map((part) => `/team/company/${part}`),
]
const viewsOfMember = ['/team', '/team/requests', '/team/inbox', '/team/board/2026-11', '/team/months', '/settings']

/** Returns the faults of views in windows of all widths, by their paths. */
async function faultsOf(page: Page, paths: readonly string[], t: ReturnType<typeof wordsOf>) {
  const found: Record<string, string[]> = {}
  for (const path of paths) {
    await visit(page, path, t)
    const faults = await layoutFaultsAtWidths(page)
    if (faults.length > 0) found[path] = faults
  }
  return found
}

/** A dialog: the path of its view, and what opens it there. */
type Dialog = [path: string, opener: () => Locator]

/** Returns the faults of dialogs in windows of all widths, by their numbers and paths. */
async function faultsOfDialogs(page: Page, dialogs: readonly Dialog[], t: ReturnType<typeof wordsOf>) {
  const found: Record<string, string[]> = {}
  for (const [index, [path, opener]] of dialogs.entries()) {
    await visit(page, path, t)
    await opener().click()
    await page.getByRole('dialog').getByRole('button').nth(1).waitFor()
    const faults = await layoutFaultsAtWidths(page)
    if (faults.length > 0) found[`${index} ${path}`] = faults
  }
  return found
}

test.each(ways)('every view fits windows of 320 to 1,600 pixels: $language, $hours', async (way) => {
  stage = await openWideAccount()
  const page = await openWidePage(stage, way)
  const found = await faultsOf(page, views, wordsOf(way.language))
  await visit(page, '/', wordsOf(way.language))
  await page.getByRole('button', { name: wordsOf(way.language)('today.timer.stop'), exact: true }).click()
  await page.getByRole('timer').waitFor({ state: 'detached' })
  expect({ ...found, withoutTimer: await layoutFaultsAtWidths(page) }).toEqual({ withoutTimer: [] })
})

test.each(ways)('dialogs fit windows of 320 to 1,600 pixels: $language, $hours', async (way) => {
  stage = await openWideAccount()
  const page = await openWidePage(stage, way)
  const t = wordsOf(way.language)
  const main = page.locator('main')
  const button = (name: string) => page.getByRole('button', { name, exact: true }).first()
  const dialogs: readonly Dialog[] = [
    ['/', () => button(t('today.add'))],
    ['/day/2026-11-17', () => main.getByRole('list').getByRole('button').first()],
    ['/', () => button(t('openWeeks.open', { count: '150' }))],
    ['/account', () => button(t('account.adjust'))],
    ['/schedule', () => button(t('schedule.add'))],
    ['/calendar/2026/11', () => button(t('calendar.add'))],
    ['/calendar/2026/11', () => button(t('calendar.vacation.open'))],
    ['/settings', () => button(t('settings.data.delete'))],
    ['/settings', () => button(t('settings.data.remove'))],
    ['/settings', () => button(t('settings.account.changeEmail'))],
    ['/accounts', () => button(t('userAccounts.invite'))],
  ]
  const found = await faultsOfDialogs(page, dialogs, t)
  await visit(page, '/', t)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('option').first().waitFor()
  expect({ ...found, palette: await layoutFaultsAtWidths(page) }).toEqual({ palette: [] })
})

test.each(ways)('views and dialogs of a company fit windows of 320 to 1,600 pixels: $language, $hours', async (way) => {
  const opened = await openWideCompany(way)
  stage = opened.stage
  const t = wordsOf(way.language)
  const button = (name: string) => opened.hr.getByRole('button', { name, exact: true }).first()
  const dialogs: readonly Dialog[] = [
    ['/team/requests', () => opened.hr.getByRole('link', { name: t('team.requests.new') })],
    ['/team/company/people', () => button(t('team.people.add'))],
    ['/team/company/groups', () => button(t('team.groups.add'))],
    ['/team/company/roles', () => button(t('team.roles.give'))],
    ['/team/company/leave', () => button(t('team.leave.add'))],
    ['/team/payroll/personnel', () => button(t('team.payroll.list.title'))],
    ['/team/payroll/personnel', () => button(t('team.payroll.personnel.edit', { name: MEMBER.name }))],
  ]
  const ofHr = await faultsOf(opened.hr, viewsOfHr, t)
  const ofDialogs = await faultsOfDialogs(opened.hr, dialogs, t)
  const ofMember = await faultsOf(opened.member, viewsOfMember, t)
  expect({ ofHr, ofDialogs, ofMember }).toEqual({ ofHr: {}, ofDialogs: {}, ofMember: {} })
})
