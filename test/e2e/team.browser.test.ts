import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { codeAt } from '../../packages/server/test/http/authenticator.ts'
import { expectAccessible, expectStateAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { desktop, type Look, looks, person, type Stage, wordsOf } from './stage.ts'

const grace = { name: 'Grace Hopper', email: 'grace@example.com', password: 'a new horse battery' }
/** Sets up a second factor, which roles over others need (D24.9). */
async function giveSecondFactor(stage: Stage, page: Page): Promise<void> {
  const path = '/api/me/second-factor'
  const { key } = await stage.ask(page, 'POST', path, { password: person.password })
  await stage.ask(page, 'POST', `${path}/confirmation`, { code: codeAt(key, stage.nowMs) })
}

/** Lets HR join the company, and ask for a day on which a member is to stand in. */
async function askWithSubstitute(stage: Stage, hr: Page, member: Page): Promise<void> {
  const { company } = await stage.ask(hr, 'GET', '/api/team')
  const dates = { group_id: company.id, from: '2026-11-27' }
  const { items } = await stage.ask(hr, 'PUT', '/api/team/people', { items: [{ email: person.email, ...dates }] })
  await stage.ask(hr, 'POST', `/api/me/memberships/${items[0].id}/acceptance`)
  const { user_id: substitute } = await stage.ask(member, 'GET', '/api/me')
  const absence = { kind: 'request', asks: 'absence', absence: 'vacation', date: '2026-12-14', last_date: '2026-12-14' }
  await stage.ask(hr, 'POST', '/api/entries', { ...absence, substitute })
  await stage.runDueJobs()
}

interface Person {
  page: Page
  t: ReturnType<typeof wordsOf>
}

/** Has November submitted and locked, and a correction of it asked for and approved. */
async function correctMonth(stage: Stage, { page, t }: Person, hr: Person): Promise<void> {
  await stage.goOn('2026-12-02T11:00:00.000Z')
  await stage.visit(page, '/team/months')
  await page.getByRole('button', { name: `${t('team.month.submit')}: November 2026` }).click()
  await page.getByText(t('team.month.state.submitted'), { exact: true }).waitFor()
  await expectStateAccessible(page)
  await stage.runDueJobs()

  await stage.visit(hr.page, '/team/board/2026-11')
  await hr.page.getByRole('checkbox', { name: hr.t('team.people.choose', { name: grace.name }) }).check()
  await hr.page.getByRole('button', { name: hr.t('team.board.lock') }).click()
  await hr.page.getByRole('cell').getByText(hr.t('team.month.state.locked'), { exact: true }).waitFor()
  await expectStateAccessible(hr.page)

  await stage.visit(page, '/day/2026-11-27')
  await page.getByRole('button', { name: t('today.add'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('sync.rejected.askCorrection') })
    .click()
  await page.getByText(t('team.ask.asked')).first().waitFor()
  await page.getByText(t('sync.saved')).first().waitFor({ state: 'attached' })

  await stage.runDueJobs()
  await stage.visit(hr.page, '/team/inbox')
  await hr.page.getByText(hr.t('team.request.asked'), { exact: true }).waitFor()
  await expectStateAccessible(hr.page)
  // A reason that is typed stays while another view is shown.
  const reason = hr.page.getByLabel(hr.t('team.inbox.reason'))
  await reason.fill('As we said')
  await stage.visit(hr.page, '/team/months')
  await stage.visit(hr.page, '/team/inbox')
  await expect.poll(() => reason.inputValue()).toBe('As we said')
  await hr.page.keyboard.press('a')
  await hr.page.getByText(hr.t('team.inbox.none')).waitFor()
  const { state, sheet } = await stage.ask(page, 'GET', '/api/me/months/2026-11')
  expect([state, sheet.totals.worked_ms > 0]).toEqual(['locked', true])
}

/** Enters a personnel number and a wage type, leaves the other person out, and has the payroll file of November. */
async function makePayrollFile(stage: Stage, { page, t }: Person): Promise<void> {
  await stage.visit(page, '/team/payroll/personnel')
  await page.getByRole('button', { name: t('team.payroll.personnel.edit', { name: grace.name }) }).click()
  await page.getByRole('dialog').getByLabel(t('team.payroll.personnel.number')).fill('007')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('ui.save') })
    .click()
  await page.getByRole('cell', { name: '007' }).waitFor()
  await expectStateAccessible(page)
  await page.getByRole('link', { name: t('team.payroll.part.mapping') }).click()
  for (const sum of [t('team.payroll.sum.worked'), t('entries.kind.vacation')]) {
    await page.getByLabel(sum, { exact: true }).first().click()
    await page.getByRole('option', { name: t('team.payroll.choice.send') }).click()
    await page.getByLabel(`${t('team.payroll.column.wage_type')}: ${sum}`).fill('100')
  }
  await page.getByRole('button', { name: t('ui.save') }).click()
  await page.getByText(t('team.payroll.mapping.saved')).waitFor()
  await expectStateAccessible(page)
  await stage.visit(page, '/team/payroll/2026-11')
  await page.getByRole('button', { name: t('team.payroll.files.make') }).click()
  await page.getByRole('button', { name: `${t('team.payroll.files.leaveOut')}: ${person.name}` }).click()
  await expectStateAccessible(page)
  await page.getByRole('button', { name: t('team.payroll.files.make') }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: t('team.payroll.files.download'), exact: true }).click()
  expect(await readFile(await (await downloading).path(), 'utf8')).toContain(`007;${grace.name};2026-11;100;`)
}

/** Has the device remember another last row of the log than the service has. */
async function findLostTrail(stage: Stage, page: Page, t: Person['t']): Promise<void> {
  await stage.visit(page, '/today')
  const keys = await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('saldo.seen-trail.')))
  expect(keys).toHaveLength(1)
  // Before the app looks, since a look in progress would write over it.
  await page.addInitScript(
    (key) => localStorage.setItem(key, JSON.stringify({ number: 1, hash: 'other' })),
    keys[0] ?? '',
  )
  await page.reload()
  await page.getByText(t('team.log.lost.rewritten')).waitFor()
  await expectStateAccessible(page)
  await page.getByRole('button', { name: t('team.log.noted') }).click()
  await page.getByText(t('team.log.lost.rewritten')).waitFor({ state: 'detached' })
}

/** Founds a company by its HR, and lets a member join it by the link of an invitation. */
async function join(look: Look) {
  const stage = await openStage('2026-11-27T11:00:00.000Z')
  const t = wordsOf(look.language)
  const hr = await stage.page(desktop)
  const words = wordsOf(desktop.language)
  await stage.signUp(hr.page, '2026-11-02')
  await giveSecondFactor(stage, hr.page)
  await stage.visit(hr.page, '/accounts')
  expect(await hr.page.getByRole('link', { name: words('team.title') }).count()).toBe(0)
  await hr.page.getByRole('button', { name: words('userAccounts.company.found') }).click()
  const dialog = hr.page.getByRole('dialog')
  await dialog.getByLabel(words('userAccounts.company.name')).fill('Acme')
  await dialog.getByLabel(words('ui.ownPassword'), { exact: true }).fill(person.password)
  await dialog.getByRole('button', { name: words('userAccounts.company.found') }).click()
  await hr.page.getByRole('heading', { level: 1, name: 'Acme' }).waitFor()

  await hr.page.getByRole('button', { name: words('team.people.add') }).click()
  await dialog.getByLabel(words('team.add.list')).fill(`${grace.name} <${grace.email}>\nnobody`)
  await dialog.getByRole('button', { name: words('team.add.preview') }).click()
  await dialog.getByText(words('team.add.problem.address')).waitFor()
  await dialog.getByLabel(words('ui.ownPassword'), { exact: true }).fill(person.password)
  await dialog.getByRole('button', { name: words('team.add.add_one') }).click()
  const [, link = ''] = (await dialog.locator('pre').innerText()).split(' ')
  await hr.page.keyboard.press('Escape')

  const { page, errors, context } = await stage.page(look, { installed: true })
  await page.goto(link)
  await page.getByLabel(t('signIn.link.password'), { exact: true }).fill(grace.password)
  await page.getByRole('button', { name: t('signIn.link.set') }).click()
  await page.getByText(t('team.membership.seesMembers')).waitFor()
  await expectStateAccessible(page)
  await page.getByRole('button', { name: t('team.invitation.accept') }).click()
  await page.getByRole('button', { name: t('firstRun.begin') }).click()
  await page.getByText(t('sync.saved')).first().waitFor({ state: 'attached' })
  return { stage, hr: { page: hr.page, t: words }, member: { page, t }, context, errors: [hr.errors, errors] }
}

/** Lets the member ask for vacation, and HR approve it; each learns of the other by an event. */
async function askAndApprove(stage: Stage, { page, t }: Person, hr: Person): Promise<void> {
  await stage.visit(hr.page, '/team/inbox')
  await hr.page.getByText(hr.t('team.inbox.none')).waitFor()
  await stage.lookAtTeams()
  await stage.visit(page, '/calendar/2026/12')
  await page.getByRole('button', { name: t('calendar.add') }).click()
  const form = page.getByRole('dialog')
  await form.getByText(t('team.context.nobodyAway')).waitFor()
  await form.getByRole('button', { name: t('team.ask.ask') }).click()
  await page.getByText(t('team.ask.asked')).first().waitFor()
  await stage.visit(page, '/team/requests')
  await page.getByText(t('team.requests.state.waiting'), { exact: true }).waitFor()
  await expectStateAccessible(page)

  await stage.runDueJobs()
  // An event says that there is something to decide, and then that it was decided.
  await stage.lookAtTeams()
  await hr.page.getByText(hr.t('team.context.nobodyAway')).waitFor()
  await expectAccessible(hr.page)
  await hr.page.keyboard.press('a')
  await hr.page.getByText(hr.t('team.inbox.none')).waitFor()
  await stage.runDueJobs()
  await stage.lookAtTeams()
  await page.getByText(t('team.requests.state.approved'), { exact: true }).waitFor()
}

/** Shows the feed and the webhooks of the company to HR. */
async function offerFeedAndWebhook(stage: Stage, { page, t }: Person): Promise<void> {
  await stage.visit(page, '/settings#feeds')
  const feeds = page.getByRole('region', { name: t('settings.feeds.title') })
  await feeds.getByRole('button', { name: t('settings.feeds.make') }).click()
  await feeds.getByLabel(t('settings.feeds.name'), { exact: true }).fill('Acme')
  await feeds.getByRole('combobox', { name: t('settings.feeds.whose') }).click()
  const ofGroup = t('settings.feeds.shows.group', { name: 'Acme' })
  await page.getByRole('option', { name: ofGroup }).click()
  await feeds.getByLabel(t('settings.password.current'), { exact: true }).fill(person.password)
  await feeds.getByRole('button', { name: t('settings.feeds.make') }).click()
  await feeds.getByText(t('settings.feeds.once')).waitFor()
  await feeds.getByText(ofGroup).waitFor()
  await page.goto(`${stage.url}/settings#webhooks`)
  await page.getByRole('button', { name: t('settings.webhooks.make') }).click()
  await page.getByRole('checkbox', { name: t('settings.webhooks.events.company') }).waitFor()
}

test.each(looks)(
  '[D24.3] [D26.11] [D30.4] [D30.5] a company is joined and asked, and shows who is away offline: $size $language',
  async (look) => {
    const { stage, hr, member, context, errors } = await join(look)
    const { page, t } = member
    await askAndApprove(stage, member, hr)
    await stage.visit(page, '/team')
    await page.getByText(t('team.away.list')).waitFor()
    await context.setOffline(true)
    await page.reload()
    const [before = ''] = t('team.asOf', { when: '…' }).split('…')
    await page.getByText(before).waitFor()
    await context.setOffline(false)
    expect(errors.flat().filter((text) => !/ERR_INTERNET_DISCONNECTED/.test(text))).toEqual([])
  },
)

heavyTest.each(looks)(
  '[D26.13] [D27.10] [D29.4] [D31.3] a company asks a substitute, locks and pays: $size $language',
  async (look) => {
    const { stage, hr, member, errors } = await join(look)
    const { page, t } = member
    await askAndApprove(stage, member, hr)
    await askWithSubstitute(stage, hr.page, page)
    await page.reload()
    await page.getByRole('button', { name: `${t('team.substitutions.answer.cannot')}: ${person.name}` }).click()
    await page.getByText(t('team.substitutions.answer.cannot'), { exact: true }).waitFor()
    await expectStateAccessible(page)
    await stage.visit(hr.page, '/team/requests')
    await hr.page.getByText(hr.t('team.substitute.cannot', { name: grace.name })).waitFor()
    await stage.visit(hr.page, '/team/company/trail')
    await hr.page.getByText(hr.t('team.trail.kind.member_joined', { name: grace.name, group: 'Acme' })).waitFor()
    await expectStateAccessible(hr.page)
    await offerFeedAndWebhook(stage, hr)
    await stage.visit(hr.page, '/team/away/2026-12')
    await hr.page.getByRole('row', { name: grace.name }).getByText(hr.t('entries.kind.vacation')).first().waitFor()
    await expectStateAccessible(hr.page)

    await correctMonth(stage, member, hr)
    await makePayrollFile(stage, hr)
    await findLostTrail(stage, page, t)
    expect(errors.flat().filter((text) => !/ERR_INTERNET_DISCONNECTED|409/.test(text))).toEqual([])
  },
)
