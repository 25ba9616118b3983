import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { codeAt } from '../../packages/server/test/http/authenticator.ts'
import { type MailBox, openMailBox } from '../../packages/server/test/mail/smtp-server.ts'
import { expectStateAccessible } from './accessible.ts'
import { COLLEAGUE_PASSWORD } from './acme.ts'
import {
  approve,
  ask,
  askForVacation,
  choose,
  dialogOf,
  fill,
  finish,
  makePayrollFile,
  type Person,
  personOf,
  press,
  saved,
  stateOf,
  submit,
  waitForState,
} from './company-acts.ts'
import { layoutFaults } from './layout.ts'
import { openStage } from './open-stage.ts'
import { desktop, person, phone, type Stage, untilInstalled } from './stage.ts'

const FIRST_DAY = '2026-11-09T08:00:00.000Z'
const HOURS = [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * 3_600_000)
/** Everybody but the admin, with their groups. */
const listed = {
  Office: ['Hanna Richter', 'Lukas Brandt', 'Nele Hahn', 'Timo Lang', 'Sara Wolf'],
  Workshop: ['Lena Vogt', 'Dora Klein', 'Paul Sommer', 'Mia Winter', 'Olga Petrova', 'Emil Fuchs'],
}
const colleagues = Object.values(listed).flat()
const addressOf = (name: string) => `${name.split(' ')[0]?.toLowerCase()}@example.com`

interface Company {
  stage: Stage
  box: MailBox
  admin: Person
  hr: Person
  /** The leads of the workshop and of the office, and the deputy of the first. */
  lead: Person
  officeLead: Person
  deputy: Person
  /** On a phone. */
  member: Person
  leaver: Person
  others: readonly Person[]
}

/** Returns a port that nothing listens on: links in mails need the address of the service before it starts. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Returns the link of the invitation that was mailed to an address. */
async function linkTo(box: MailBox, address: string): Promise<string> {
  const links = () => box.to(address).flatMap(({ text }) => /http\S+#\S+/.exec(text ?? '')?.[0] ?? [])
  await expect.poll(() => links().length).toBe(1)
  return links()[0] ?? ''
}

/** Returns the texts of the mails of the company to somebody, once one of them has a text. */
async function mailsTo(box: MailBox, { name }: Person, text: string): Promise<string> {
  const all = () => box.to(addressOf(name)).map((mail) => mail.text ?? '')
  await expect.poll(() => all().join()).toContain(text)
  return all().join()
}

/** Chooses a password by the link of the mail, accepts the invitation if there is one, and begins. */
async function join({ box }: Pick<Company, 'box'>, one: Person, { isMember = true } = {}): Promise<void> {
  const { page, t, name } = one
  await page.goto(await linkTo(box, addressOf(name)))
  await fill(page, t('signIn.link.password'), COLLEAGUE_PASSWORD)
  await press(page, t('signIn.link.set'))
  if (isMember) await press(page, t('team.invitation.accept'))
  await press(page, t('firstRun.begin'))
  await saved(one)
}

/** Does the same without pages. */
async function joinByApi({ box, stage }: Pick<Company, 'box' | 'stage'>, { page, name }: Person): Promise<void> {
  const [, secret = ''] = (await linkTo(box, addressOf(name))).split('#')
  await stage.ask(page, 'POST', '/api/auth/link/password', { secret, password: COLLEAGUE_PASSWORD })
  await stage.ask(page, 'POST', '/api/auth/sign-in', { email: addressOf(name), password: COLLEAGUE_PASSWORD })
  const { items } = await stage.ask(page, 'GET', '/api/me/memberships')
  await stage.ask(page, 'POST', `/api/me/memberships/${items[0].id}/acceptance`)
  const schedule = { effective_from: '2026-11-09', time_zone: 'Europe/Berlin', target_ms: HOURS }
  await stage.ask(page, 'POST', '/api/settings', schedule)
}

/** Sets up a second factor by the notice that a role waits for one (D24.9). */
async function turnOnSecondFactor(stage: Stage, { page, t, password }: Person): Promise<void> {
  await stage.visit(page, '/team')
  await page.getByRole('link', { name: t('team.key.setUp') }).click()
  await press(page, t('settings.secondFactor.begin'))
  const form = page.locator('form').filter({ has: page.getByText(t('settings.secondFactor.begin'), { exact: true }) })
  await fill(form, t('settings.password.current'), password)
  await press(form, t('settings.secondFactor.begin'))
  await page.getByRole('img', { name: t('settings.secondFactor.qr') }).waitFor()
  const key = ((await page.locator('form code').textContent()) ?? '').replaceAll(' ', '')
  await fill(page, t('ui.code.label'), codeAt(key, stage.nowMs))
  await press(page, t('settings.secondFactor.confirm'))
  await press(page, t('settings.secondFactor.kept'))
  await stage.visit(page, '/team')
  expect(await page.getByRole('link', { name: t('team.key.setUp') }).count()).toBe(0)
}

/** Signs the admin up, has them invite HR by mail and found the company, and returns both. */
async function found({ stage, box }: Pick<Company, 'stage' | 'box'>): Promise<Pick<Company, 'admin' | 'hr'>> {
  const admin = await personOf(stage, person.name, desktop)
  const { page, t } = admin
  await page.goto(stage.setupUrl)
  await fill(page, t('signIn.name'), person.name)
  await fill(page, t('signIn.email'), person.email)
  await fill(page, t('signIn.password'), person.password)
  await press(page, t('signIn.signUp'))
  await press(page, t('firstRun.begin'))
  await saved(admin)

  const hr = await personOf(stage, 'Hanna Richter', desktop)
  await stage.visit(page, '/accounts')
  await press(page, t('userAccounts.invite'))
  await fill(dialogOf(admin), t('userAccounts.name'), hr.name)
  await fill(dialogOf(admin), t('signIn.email'), addressOf(hr.name))
  await fill(dialogOf(admin), t('ui.ownPassword'), admin.password)
  await press(dialogOf(admin), t('userAccounts.createInvitation'))
  await join({ box }, hr, { isMember: false })
  await page.keyboard.press('Escape')

  await press(page, t('userAccounts.company.found'))
  await fill(dialogOf(admin), t('userAccounts.company.name'), 'Acme')
  await choose(dialogOf(admin), t('userAccounts.company.hr'), t('userAccounts.company.other'))
  await dialogOf(admin).getByLabel(t('userAccounts.company.email')).fill(addressOf(hr.name))
  await finish(admin, t('userAccounts.company.found'), { withPassword: true })
  await page.getByRole('heading', { level: 1, name: 'Acme' }).waitFor()
  await mailsTo(box, hr, 'Hanna Richter (HR, Acme): the role was given. It takes effect once')
  await turnOnSecondFactor(stage, hr)
  return { admin, hr }
}

/** Adds two groups and all people from a CSV file, who are invited by mail. */
async function invite(stage: Stage, admin: Person): Promise<void> {
  const { page, t } = admin
  const dialog = dialogOf(admin)
  await stage.visit(page, '/team/company/groups')
  for (const name of Object.keys(listed)) {
    await press(page, t('team.groups.add'))
    await dialog.getByLabel(t('team.groups.name')).fill(name)
    await dialog.getByRole('switch', { name: t('team.defaults.setHours') }).check()
    await dialog.getByRole('switch', { name: t('team.defaults.setVacation') }).check()
    await finish(admin, t('ui.save'))
  }
  await page.getByRole('link', { name: t('team.company.part.people') }).click()
  await press(page, t('team.people.add'))
  const lines = Object.entries(listed).flatMap(([group, names]) =>
    names.map((name) => `${name};${addressOf(name)};${group}`),
  )
  const text = ['Name;E-Mail;Gruppe', ...lines, 'Nobody;nobody;Office'].join('\r\n')
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
  await page.locator('input[type=file]').setInputFiles(file)
  await press(dialog, t('team.add.preview'))
  await dialog.getByText(t('team.add.problem.address')).waitFor()
  await finish(admin, t('team.add.add_other', { count: '11' }), { withPassword: true })
  await page.getByText(t('team.people.added_other', { count: '11' })).waitFor()
  await page.getByText(t('team.people.states.invited'), { exact: true }).first().waitFor()
}

interface GivenRole {
  name: string
  role: 'lead' | 'deputy'
  group: string
  standsInFor?: string
}

async function giveRole(stage: Stage, by: Person, { name, role, group, standsInFor }: GivenRole): Promise<void> {
  const { page, t } = by
  await stage.visit(page, '/team/company/roles')
  await press(page, t('team.roles.give'))
  const dialog = dialogOf(by)
  await choose(dialog, t('team.roles.person'), name)
  await dialog.getByRole('radio', { name: t(`team.role.${role}.name`) }).check()
  if (standsInFor) await choose(dialog, t('team.roles.standsInFor'), standsInFor)
  await choose(dialog, t('team.roles.group'), group)
  await finish(by, t('team.roles.give'), { withPassword: true })
}

/** Founds the company, has everybody join, and gives the roles: twelve people. */
async function startCompany(stage: Stage, box: MailBox): Promise<Company> {
  const { admin, hr } = await found({ stage, box })
  await invite(stage, admin)
  await stage.visit(hr.page, '/team')
  await press(hr.page, hr.t('team.invitation.accept'))
  const member = await personOf(stage, 'Paul Sommer', phone)
  const deputy = await personOf(stage, 'Dora Klein', phone)
  const lead = await personOf(stage, 'Lena Vogt', desktop)
  for (const one of [member, deputy, lead]) await join({ box }, one)
  const byApi: Person[] = []
  for (const name of colleagues) {
    if ([hr, member, deputy, lead].some((one) => one.name === name)) continue
    const one = await personOf(stage, name, desktop)
    await joinByApi({ stage, box }, one)
    byApi.push(one)
  }
  const named = (name: string) => byApi.find((one) => one.name === name) as Person
  const company = {
    ...{ stage, box, admin, hr, lead, deputy, member },
    officeLead: named('Lukas Brandt'),
    leaver: named('Mia Winter'),
    others: byApi,
  }

  // HR asks the admin to join: nobody adds themself.
  await stage.visit(hr.page, '/team/company')
  await press(hr.page, hr.t('team.people.add'))
  await dialogOf(hr).getByLabel(hr.t('team.add.list')).fill(`${person.name} <${person.email}>`)
  await press(dialogOf(hr), hr.t('team.add.preview'))
  await finish(hr, hr.t('team.add.add_one'))
  await stage.visit(admin.page, '/team')
  await press(admin.page, admin.t('team.invitation.accept'))
  await admin.page.getByRole('link', { name: admin.t('team.page.requests') }).waitFor()
  await giveRoles(company)
  return company
}

/** Gives two leads and a deputy their roles, one of them by the admin, whom HR confirms (D24.4). */
async function giveRoles({ stage, box, admin, hr, lead, officeLead, deputy, member }: Company): Promise<void> {
  await giveRole(stage, hr, { name: lead.name, role: 'lead', group: 'Workshop' })
  await giveRole(stage, hr, { name: deputy.name, role: 'deputy', group: 'Workshop', standsInFor: lead.name })
  await giveRole(stage, admin, { name: officeLead.name, role: 'lead', group: 'Office' })
  expect(await mailsTo(box, member, 'Lena Vogt (lead, Workshop)')).not.toContain('second factor')
  await mailsTo(box, lead, 'Lena Vogt (lead, Workshop): the role was given. It takes effect once')
  await turnOnSecondFactor(stage, lead)
  await turnOnSecondFactor(stage, deputy)
  const path = '/api/me/second-factor'
  const { key } = await stage.ask(officeLead.page, 'POST', path, { password: COLLEAGUE_PASSWORD })
  await stage.ask(officeLead.page, 'POST', `${path}/confirmation`, { code: codeAt(key, stage.nowMs) })
  await stage.visit(hr.page, '/team/company/roles')
  await hr.page.getByText(hr.t('team.roles.state.lead_present')).waitFor()
  await press(hr.page, hr.t('team.roles.confirm'))
  await finish(hr, hr.t('team.roles.confirm'), { withPassword: true })
  await hr.page.getByText(hr.t('team.roles.state.waits_for_hr')).waitFor({ state: 'detached' })
}

/** Has vacation approved, in which somebody falls ill: the day is given back, and colleagues see no difference. */
async function fallIll(company: Company): Promise<void> {
  const { stage, box, lead, member, leaver } = company
  const vacation = async () => (await stage.ask(member.page, 'GET', '/api/account/vacation?year=2026')).vacation
  await stage.goOn('2026-11-10T08:00:00.000Z')
  await askForVacation(stage, member, '16.11.2026', '20.11.2026')
  await waitForState(stage, member, 'waiting')
  await approve(company, lead, member)
  await mailsTo(box, member, 'Lena Vogt has approved your request')
  await waitForState(stage, member, 'approved')
  expect(await vacation()).toMatchObject({ planned: 5, left: -2.5 })

  await stage.goOn('2026-11-18T08:00:00.000Z')
  await stage.visit(member.page, '/calendar/2026/11')
  await press(member.page, member.t('calendar.add'))
  await dialogOf(member).getByText(member.t('entries.kind.sick'), { exact: true }).click()
  await fill(dialogOf(member), member.t('calendar.absence.from'), '18.11.2026')
  const [given = ''] = member.t('calendar.plan.replaced', { dates: '…' }).split('…')
  await dialogOf(member).getByText(given).waitFor()
  await finish(member, member.t('calendar.absence.enter'))
  await member.page
    .getByText(member.t('calendar.entered_one', { count: '1' }))
    .first()
    .waitFor()
  await saved(member)
  expect(await vacation()).toMatchObject({ taken: 2, planned: 2, left: -1.5 })

  await stage.runDueJobs()
  await stage.visit(leaver.page, '/team/away/2026-11')
  const row = leaver.page.getByRole('row', { name: member.name })
  await row.getByText(leaver.t('team.away.sight.away')).first().waitFor()
  for (const kind of ['vacation', 'sick']) {
    expect(await row.getByText(leaver.t(`entries.kind.${kind}`)).count()).toBe(0)
  }
}

/** Records a request without a network, which reaches the lead when the phone is back (D30.5). */
async function askOffline(company: Company): Promise<void> {
  const { stage, lead, member } = company
  const { page, t, context } = member
  await stage.visit(page, '/team/requests')
  await page.evaluate('navigator.serviceWorker.ready.then(() => null)')
  await context.setOffline(true)
  await askForVacation(stage, member, '21.12.2026', '23.12.2026')
  await page.goto(`${stage.url}/team/requests`)
  await page.getByText(t('team.requests.state.unsent'), { exact: true }).waitFor()
  await context.setOffline(false)
  await page.getByText(t('team.requests.state.waiting'), { exact: true }).waitFor()
  await approve(company, lead, member)
}

/** Has half a day of an approved vacation asked back: it stays as it is until that is approved (D26.5). */
async function changeApproved(company: Company): Promise<void> {
  const { stage, lead, member } = company
  const { page, t } = member
  const shares = async () => {
    const { items } = await stage.ask(page, 'GET', '/api/entries?from=2026-12-23&to=2026-12-24')
    return items.filter(({ kind }: { kind: string }) => kind === 'vacation').map(shareOf)
  }
  await stage.visit(page, '/calendar/2026/12')
  await page.locator('[data-date="2026-12-23"]').first().click()
  const chosen = page.getByRole('region', { name: t('calendar.chosen') })
  await chosen
    .getByRole('button', { name: t('entries.kind.vacation') })
    .first()
    .click()
  await dialogOf(member).getByText(t('entries.size.half'), { exact: true }).click()
  await dialogOf(member).getByText(t('team.ask.change')).waitFor()
  await ask(member)
  await waitForState(stage, member, 'waiting')
  expect(await shares()).toEqual([1])
  await approve(company, lead, member)
  expect(await shares()).toEqual([0.5])
}

function shareOf({ day_share }: { day_share: number }): number {
  return day_share
}

/** Has a request decided by the deputy, who can do that on the days of the lead's absence alone (D24.6). */
async function standIn(company: Company): Promise<void> {
  const { stage, box, hr, lead, deputy, leaver } = company
  const { page, t } = deputy
  await askForVacation(stage, lead, '23 Nov 2026', '27 Nov 2026')
  await stage.visit(lead.page, '/team/requests')
  await lead.page.getByText(lead.t('team.requests.deciders', { names: hr.name })).waitFor()
  await approve(company, hr, lead)
  await askForVacation(stage, leaver, '1 Dec 2026', '2 Dec 2026')
  await stage.runDueJobs()
  await stage.visit(page, '/team/inbox')
  await page.getByText(t('team.noRole')).waitFor()

  await stage.goOn('2026-11-23T08:00:00.000Z')
  await stage.runDueJobs()
  await mailsTo(box, deputy, 'Mia Winter: December 1, 2026')
  await approve(company, deputy, leaver)
  await stage.goOn('2026-11-30T08:00:00.000Z')
  await stage.runDueJobs()
  await stage.visit(page, '/team/inbox')
  await page.getByText(t('team.noRole')).waitFor()
}

/** Submits November on a phone, which has no network while the lead locks the months of their group. */
async function endMonth({ stage, lead, deputy, member, leaver, others }: Company): Promise<void> {
  for (const one of [member, leaver]) {
    for (const date of ['2026-11-12', '2026-11-26'])
      await stage.work(one.page, date, '09:00', '17:00', { note: 'a secret' })
  }
  await stage.goOn('2026-12-01T08:00:00.000Z')
  await submit(stage, member)
  await untilInstalled(member.page)
  await member.context.setOffline(true)
  for (const one of [...others, deputy]) await stage.ask(one.page, 'POST', '/api/me/months/2026-11/submission')
  await stage.runDueJobs()
  await stage.visit(lead.page, '/team/board')
  await lead.page.getByRole('checkbox', { name: lead.t('team.board.chooseAll') }).check()
  await press(lead.page, lead.t('team.board.lock'))
  await stateOf(lead, member, 'locked').waitFor()
  await lead.page.getByRole('row', { name: lead.name }).getByText(lead.t('team.board.refusal.not_allowed')).waitFor()
}

/** Has a late edit refused that was made without a network, asked for and approved, and adds a remark. */
async function correct(company: Company): Promise<void> {
  const { stage, lead, member } = company
  const { page, t, context } = member
  await page.goto(`${stage.url}/day/2026-11-27`)
  await press(page, t('today.add'))
  await finish(member, t('ui.save'))
  await page.getByText(t('entries.added')).waitFor()
  await context.setOffline(false)
  const attention = page.getByRole('link', { name: t('sync.attention_one') }).first()
  await attention.click()
  await press(page, t('sync.rejected.askCorrection'))
  await attention.waitFor({ state: 'detached' })
  await saved(member)
  await approve(company, lead, member)
  const { state, sheet } = await stage.ask(page, 'GET', '/api/me/months/2026-11')
  expect([state, sheet.days.find(({ date }: { date: string }) => date === '2026-11-27').worked_ms > 0]).toEqual([
    'locked',
    true,
  ])

  await stage.visit(page, '/team/months/2026-11')
  await page.getByLabel(t('team.remarks.new')).fill('Das Terminal war kaputt.')
  await press(page, t('team.remarks.add'))
  await page.getByRole('listitem').getByText('Das Terminal war kaputt.').waitFor()
}

/** Enters personnel data from a table, and the wage types. */
async function preparePayroll({ stage, hr, leaver }: Company): Promise<void> {
  const { page, t } = hr
  await stage.visit(page, '/team/payroll/personnel')
  await press(page, t('team.payroll.list.title'))
  const lines = colleagues.map(
    (name, index) => `${addressOf(name)};${1001 + index};${name === leaver.name ? '02.12.2026' : ''}`,
  )
  const table = ['E-mail;Personnel number;Exit', ...lines].join('\n')
  await dialogOf(hr).getByLabel(t('team.payroll.list.table')).fill(table)
  await press(dialogOf(hr), t('team.add.preview'))
  await finish(hr, t('team.payroll.list.save_other', { count: '11' }))
  await page.getByRole('cell', { name: '1008' }).waitFor()
  await page.getByRole('link', { name: t('team.payroll.part.mapping') }).click()
  const wageTypes = { 'team.payroll.sum.worked': '100', 'entries.kind.vacation': '200', 'entries.kind.sick': '300' }
  for (const [key, number] of Object.entries(wageTypes)) {
    await page.getByLabel(t(key), { exact: true }).first().click()
    await page.getByRole('option', { name: t('team.payroll.choice.send') }).click()
    await page.getByLabel(`${t('team.payroll.column.wage_type')}: ${t(key)}`).fill(number)
  }
  await press(page, t('ui.save'))
  await page.getByText(t('team.payroll.mapping.saved')).waitFor()
}

/** Reopens a month after payroll had it: the next file has the difference alone (D31.2). */
async function reopenAfterPayroll(company: Company): Promise<void> {
  const { stage, hr, member } = company
  const { page, t } = hr
  await stage.visit(page, '/team/board/2026-11')
  await page.getByRole('checkbox', { name: t('team.board.chooseAll') }).check()
  await press(page, t('team.board.lock'))
  await page.getByRole('row', { name: hr.name }).getByText(t('team.board.refusal.not_allowed')).waitFor()
  expect(await makePayrollFile(company)).toContain(`1008;${member.name};2026-11;300;1,00;days`)

  await stage.visit(page, '/team/board/2026-11')
  await page.getByRole('checkbox', { name: t('team.people.choose', { name: member.name }) }).check()
  await press(page, t('team.board.reopen'))
  await dialogOf(hr).getByLabel(t('team.inbox.reason')).fill('An hour of the 26th is missing')
  await finish(hr, t('team.board.reopen'))
  await stage.visit(member.page, '/team/months')
  await member.page.getByText('An hour of the 26th is missing').waitFor()
  await stage.work(member.page, '2026-11-26', '17:00', '18:00')
  await submit(stage, member)
  await stage.runDueJobs()
  await stage.visit(page, '/team/board/2026-11')
  await page.getByRole('checkbox', { name: t('team.people.choose', { name: member.name }) }).check()
  await press(page, t('team.board.lock'))
  await stateOf(hr, member, 'locked').waitFor()
  const difference = await makePayrollFile(company)
  expect(difference.trim().split('\n')).toHaveLength(2)
  expect(difference).toContain(`1008;${member.name};2026-11;100;1,00;hours`)
}

/** Has somebody leave: the proposal is accepted, and after the last day neither sees anything of the other. */
async function leave({ stage, hr, leaver, member }: Company): Promise<void> {
  const { page, t } = hr
  await stage.visit(page, '/team/payroll/personnel')
  await press(page, t('team.settlement.open', { name: leaver.name }))
  await dialogOf(hr).getByRole('definition').first().waitFor()
  await finish(hr, t('team.person.propose'))
  await stage.visit(page, '/team/company')
  await press(page, t('team.people.actionsOf', { name: leaver.name }))
  await page.getByRole('menuitem', { name: t('team.people.end') }).click()
  await fill(dialogOf(hr), t('team.people.lastDay'), '2 Dec 2026')
  await finish(hr, t('team.people.end'))
  await stage.visit(leaver.page, '/team/months')
  await press(leaver.page, leaver.t('team.proposals.accept'))
  await leaver.page.getByRole('button', { name: leaver.t('team.proposals.accept') }).waitFor({ state: 'detached' })

  await stage.goOn('2026-12-03T08:00:00.000Z')
  await stage.runDueJobs()
  await stage.visit(page, '/team/company')
  await page.getByRole('row', { name: leaver.name }).getByText(t('team.people.states.left')).waitFor()
  await stage.visit(page, '/team/away/2026-12')
  await page.getByRole('row', { name: member.name }).waitFor()
  await stage.visit(leaver.page, '/team')
  await leaver.page.getByRole('heading', { name: leaver.t('team.months.title') }).waitFor()
  await expectStateAccessible(leaver.page)
  const { items } = await stage.ask(leaver.page, 'GET', '/api/settings')
  expect(items.at(-1)).toMatchObject({ effective_from: '2026-12-03', target_ms: Array(7).fill(0) })
}

/** Opens a sheet as HR, which its person reads (D25.10). */
async function look({ stage, hr, member }: Company): Promise<void> {
  await stage.visit(hr.page, '/team/board/2026-11')
  await hr.page.getByRole('link', { name: member.name }).click()
  await hr.page.getByText(hr.t('team.board.looks')).waitFor()
  expect(await hr.page.getByText('a secret').count()).toBe(0)
  await stage.visit(member.page, '/settings#visibility')
  const [seen = ''] = member.t('team.log.kind.sheet_read', { name: hr.name, month: '…' }).split('…')
  await member.page.getByText(seen).first().waitFor()
}

/** The pages of HR, each with a text that it has once it is loaded. */
function pagesOfHr(t: Person['t']): Record<string, string> {
  return {
    company: 'Timo Lang',
    'company/groups': 'Workshop',
    'company/roles': 'Lena Vogt',
    'company/policy': t('team.policy.notes'),
    'company/blocks': t('team.blocks.none'),
    'company/leave': t('team.leave.none'),
    'company/trail': t('team.trail.kind.group_added', { group: 'Workshop' }),
    payroll: t('team.payroll.files.made'),
    'payroll/personnel': '1010',
    'payroll/mapping': t('team.payroll.mapping.columnsLead'),
    'board/2026-11': 'Timo Lang',
    'away/2026-12': 'Timo Lang',
    inbox: t('team.inbox.none'),
    requests: t('team.requests.none'),
    months: t('team.months.lead'),
  }
}

/** Looks at all pages of HR with twelve people, on a phone and on a desktop. */
async function expectPagesOfHr({ stage, hr: { page, t } }: Company): Promise<void> {
  const faults: string[] = []
  for (const [path, text] of Object.entries(pagesOfHr(t))) {
    await stage.visit(page, `/team/${path}`)
    await page.getByText(text).first().waitFor()
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      faults.push(...(await layoutFaults(page)).map((fault) => `${path} ${width}: ${fault}`))
    }
  }
  expect(faults).toEqual([])
}

test('[D24.3] [D24.4] [D24.5] [D24.6] [D24.9] [D24.10] [D25.2] [D25.10] [D26.5] [D27.1] [D27.10] \
[D27.11] [D27.12] [D28.4] [D30.5] [D31.2] [D31.5] \
a company of twelve begins on an empty service, asks, decides, locks, pays, corrects, and one leaves', async () => {
  const box = await openMailBox()
  const port = await freePort()
  const mail = { smtpUrl: box.url, mailFrom: 'saldo@example.com', publicUrl: `http://localhost:${port}` }
  const stage = await openStage(FIRST_DAY, { port, ...mail })
  const company = await startCompany(stage, box)
  await fallIll(company)
  await askOffline(company)
  await changeApproved(company)
  await standIn(company)
  await endMonth(company)
  await correct(company)
  await preparePayroll(company)
  await reopenAfterPayroll(company)
  await look(company)
  await leave(company)
  await expectPagesOfHr(company)
  expect(everyErrorOf(company)).toEqual([])
})

/** The errors that browsers reported, but for the network that was switched off. */
function everyErrorOf({ others, ...named }: Company): string[] {
  const people = [named.admin, named.hr, named.lead, named.deputy, named.member, ...others]
  return people.flatMap(({ errors }) => errors).filter((text) => !/ERR_INTERNET_DISCONNECTED|status of 409/.test(text))
}
