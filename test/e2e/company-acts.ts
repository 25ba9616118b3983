import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import type { OpenPage } from '../browser/chromium.ts'
import { COLLEAGUE_PASSWORD } from './acme.ts'
import { type Look, person, type Stage, wordsOf } from './stage.ts'

/** Somebody of a company at the app. */
export interface Person extends OpenPage {
  name: string
  password: string
  t: ReturnType<typeof wordsOf>
}

export async function personOf(stage: Stage, name: string, look: Look): Promise<Person> {
  const opened = await stage.page(look, { installed: look.size === 'phone' })
  const password = name === person.name ? person.password : COLLEAGUE_PASSWORD
  return { ...opened, name, password, t: wordsOf(look.language) }
}

export function dialogOf({ page }: Person): Locator {
  return page.getByRole('dialog')
}

export async function press(part: Page | Locator, name: string | RegExp): Promise<void> {
  await part.getByRole('button', { name, exact: true }).click()
}

/** Types into a field, and leaves it. */
export async function fill(part: Page | Locator, label: string, text: string): Promise<void> {
  const field = part.getByLabel(label, { exact: true })
  await field.fill(text)
  await field.blur()
}

export async function choose(part: Locator, label: string, option: string): Promise<void> {
  await part.getByRole('combobox', { name: label, exact: true }).click()
  await part.page().getByRole('option', { name: option, exact: true }).click()
}

export async function saved({ page, t }: Person): Promise<void> {
  await page.getByText(t('sync.saved')).first().waitFor({ state: 'attached' })
}

/** Presses the button of the dialog that is open, with the password if it asks for one, and waits until it closes. */
export async function finish(one: Person, action: string | RegExp, { withPassword = false } = {}): Promise<void> {
  const dialog = dialogOf(one)
  if (withPassword) await fill(dialog, one.t('ui.ownPassword'), one.password)
  await press(dialog, action)
  await dialog.waitFor({ state: 'detached' })
}

/** Asks by the form that is open, and waits until the request is recorded. */
export async function ask(one: Person): Promise<void> {
  await finish(one, one.t('team.ask.ask'))
  await one.page.getByText(one.t('team.ask.asked')).first().waitFor()
}

/** Asks for vacation as people do, from the list of requests. */
export async function askForVacation(stage: Stage, one: Person, from: string, to: string): Promise<void> {
  const { page, t } = one
  await page.goto(`${stage.url}/team/requests`)
  await page.getByRole('link', { name: t('team.requests.new') }).click()
  await fill(dialogOf(one), t('calendar.absence.from'), from)
  await fill(dialogOf(one), t('calendar.absence.to'), to)
  await ask(one)
}

/** Approves the one request that waits for somebody. */
export async function approve({ stage }: { stage: Stage }, by: Person, asker: Person): Promise<void> {
  await stage.runDueJobs()
  await stage.visit(by.page, '/team/inbox')
  await by.page.getByRole('heading', { level: 2, name: asker.name }).waitFor()
  await press(by.page, by.t('team.inbox.approve'))
  await by.page.getByText(by.t('team.inbox.none')).waitFor()
}

export async function waitForState(stage: Stage, { page, t }: Person, state: string): Promise<void> {
  await stage.visit(page, '/team/requests')
  await page
    .getByText(t(`team.requests.state.${state}`), { exact: true })
    .first()
    .waitFor()
}

export async function submit(stage: Stage, { page, t }: Person, month = 'November 2026'): Promise<void> {
  await stage.visit(page, '/team/months')
  await press(page, `${t('team.month.submit')}: ${month}`)
  await page.getByText(t('team.month.state.submitted'), { exact: true }).waitFor()
}

/** Returns the state of somebody's month on a board. */
export function stateOf({ page, t }: Person, { name }: Person, state: string): Locator {
  return page.getByRole('row', { name }).getByText(t(`team.month.state.${state}`), { exact: true })
}

/** Makes the payroll file of a month, where some are left out without those whose month is open, and returns it. */
export async function makePayrollFile(
  { stage, hr: { page, t } }: { stage: Stage; hr: Person },
  month = '2026-11',
  { leavesOut = true } = {},
): Promise<string> {
  await stage.visit(page, `/team/payroll/${month}`)
  await press(page, t('team.payroll.files.make'))
  if (leavesOut) {
    const leaveOut = page.getByRole('button', { name: new RegExp(`^${t('team.payroll.files.leaveOut')}: `) })
    await leaveOut.first().waitFor()
    while ((await leaveOut.count()) > 0) await leaveOut.first().click()
    await press(page, t('team.payroll.files.make'))
  }
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: t('team.payroll.files.download'), exact: true }).click()
  return readFile(await (await downloading).path(), 'utf8')
}
