import { datesIn, datesOfMonth, type Month, monthAfter, weekdayIndex } from '@saldo/core'
import { expect, test } from 'vitest'
import { checkedWageTypes, payrollFaults } from '../../packages/server/test/team/year-checker.ts'
import { addSecondFactor, foundAcme, joinAcme } from './acme.ts'
import {
  approve,
  askForVacation,
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
import { openStage } from './open-stage.ts'
import { desktop, person, phone, type Stage, untilInstalled } from './stage.ts'

const FIRST = '2026-01-01'
const LAST_OF_LEAVER: Month = '2026-06'
const MINUTE_MS = 60_000
/** A year in the app takes long. */
const YEAR_MS = 30 * MINUTE_MS
const names = [
  ...['Lena Vogt', 'Paul Sommer', 'Mia Winter', 'Dora Klein', 'Olga Petrova', 'Emil Fuchs'],
  ...['Hanna Richter', 'Lukas Brandt', 'Nele Hahn', 'Timo Lang', 'Sara Wolf', 'Jonas Beck'],
]

interface Member extends Person {
  user: number
  index: number
}

interface Year {
  stage: Stage
  hr: Person
  members: readonly Member[]
  lead: Member
  /** On a phone. */
  member: Member
  leaver: Member
  /** The payroll files, as they were downloaded. */
  files: string[]
}

/** Founds a company whose HR is the first user, with twelve members and a lead, on the first day of 2026. */
async function startYear(stage: Stage): Promise<Year> {
  const hr = await personOf(stage, person.name, desktop)
  const groupId = await foundAcme(stage, hr.page, FIRST)
  const members: Member[] = []
  for (const [index, name] of names.entries()) {
    const one = await personOf(stage, name, index === 1 ? phone : desktop)
    const who = { name, email: emailOf(index) }
    const user = await joinAcme({ stage, hr: hr.page, groupId, since: FIRST }, one.page, who)
    members.push({ ...one, user, index })
  }
  const [lead, member, leaver] = members as [Member, Member, Member]
  await addSecondFactor(stage, lead.page)
  const role = { user_id: lead.user, role: 'lead', group_id: groupId, from: FIRST }
  const { items } = await stage.ask(hr.page, 'PUT', '/api/team/roles', { items: [role], password: person.password })
  expect(items).toMatchObject([{ outcome: 'added' }])
  await stage.ask(hr.page, 'PUT', '/api/team/personnel', {
    items: members.map(({ user, index }) => ({ user_id: user, number: String(100 + index) })),
  })
  await stage.ask(hr.page, 'PUT', '/api/team/mapping', mapping)
  return { stage, hr, members, lead, member, leaver, files: [] }
}

const emailOf = (index: number) => `member${index}@example.com`

const mapping = {
  ...{ columns: ['personnel_number', 'month', 'wage_type', 'amount'], separator: ';', decimal_sign: '.' },
  ...{ encoding: 'utf-8', header: false },
  rules: [
    ...Object.entries(checkedWageTypes).map(([wage_type, { figure, perUnit }]) => {
      return { sum: figure, wage_type, unit: perUnit === 1 ? 'minutes' : 'days' }
    }),
    ...['public_holiday', 'time_off_in_lieu'].map((sum) => ({ sum, wage_type: null, unit: 'days' })),
  ],
}

/** Has members of a month record their work with a break, and a day of sickness now and then, as devices push it. */
async function recordMonth(year: Year, month: Month): Promise<void> {
  const { stage } = year
  for (const { page, index } of membersIn(year, month)) {
    const records = [...datesIn(datesOfMonth(month))].flatMap((date): object[] => {
      const day = Date.parse(date) / 86_400_000
      if (weekdayIndex(date) > 4) return []
      if ((index * 31 + day) % 37 === 0) return [{ kind: 'sick', date, day_share: 1, amount_ms: null }]
      const at = (minutes: number) => new Date(Date.parse(date) + minutes * MINUTE_MS).toISOString()
      const end = 420 + 510 + ((index * 7 + day * 13) % 91) - 45
      return [
        { kind: 'work', started_at: at(420), ended_at: at(end) },
        { kind: 'break', started_at: at(600), ended_at: at(630) },
      ]
    })
    await pushAll(stage, page, records)
  }
}

async function pushAll(stage: Stage, page: Person['page'], records: readonly object[]): Promise<void> {
  const updated_at = new Date(stage.nowMs).toISOString()
  const changes = records.map((record) => {
    return { kind: 'entries', op: 'upsert', record: { id: crypto.randomUUID(), ...record, updated_at } }
  })
  const { results } = await stage.ask(page, 'POST', '/api/sync/push', { changes })
  expect(results.filter(({ status }: { status: string }) => status !== 'applied')).toEqual([])
}

function membersIn({ members, leaver }: Year, month: Month): Member[] {
  return members.filter((one) => one !== leaver || month <= LAST_OF_LEAVER)
}

/** Returns a month as a person reads it. */
function nameOf(month: Month, { page: _page, ...one }: Person): string {
  const locale = one.t('ui.save') === 'Save' ? 'en-GB' : 'de-DE'
  return new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01`),
  )
}

async function submitMonth(year: Year, month: Month): Promise<void> {
  const { stage, member, leaver } = year
  for (const one of membersIn(year, month)) {
    const isInApp = one === member || (one === leaver && month === LAST_OF_LEAVER)
    if (isInApp) await submit(stage, one, nameOf(month, one))
    else await stage.ask(one.page, 'POST', `/api/me/months/${month}/submission`)
  }
  await stage.runDueJobs()
}

/** Chooses people on the board of a month, by name or all of them, and locks their months. */
async function lock(stage: Stage, by: Person, month: Month, who: Person, choice: 'all' | 'one'): Promise<void> {
  const { page, t } = by
  await stage.visit(page, `/team/board/${month}`)
  const label = choice === 'all' ? t('team.board.chooseAll') : t('team.people.choose', { name: who.name })
  await page.getByRole('checkbox', { name: label }).check()
  await press(page, t('team.board.lock'))
  await stateOf(by, who, 'locked').waitFor()
}

/** Adds an entry by the form of a day, with the words of its button. */
async function addEntry(one: Person, action: string): Promise<void> {
  await press(one.page, one.t('today.add'))
  await finish(one, action)
}

/** Has an edit that was made without a network refused, asked for under Sync status, and approved. */
async function correctUnderSyncStatus(year: Year, month: Month, lockAll: () => Promise<void>): Promise<void> {
  const { stage, lead, member } = year
  const { page, t, context } = member
  await untilInstalled(page)
  await context.setOffline(true)
  await lockAll()
  await page.goto(`${stage.url}/day/${month}-27`)
  await addEntry(member, t('ui.save'))
  await page.getByText(t('entries.added')).waitFor()
  await context.setOffline(false)
  const attention = page.getByRole('link', { name: t('sync.attention_one') }).first()
  await attention.click()
  await press(page, t('sync.rejected.askCorrection'))
  await attention.waitFor({ state: 'detached' })
  await saved(member)
  await approve({ stage }, lead, member)
}

/** Has a correction asked for by the form, declined with a reason, asked for again, and approved. */
async function correctByForm({ stage, lead, member }: Year, month: Month): Promise<void> {
  const { page, t } = member
  const askByForm = async () => {
    await stage.visit(page, `/day/${month}-27`)
    await addEntry(member, t('sync.rejected.askCorrection'))
    await page.getByText(t('team.ask.asked')).first().waitFor()
    await saved(member)
    await stage.runDueJobs()
  }
  await askByForm()
  await stage.visit(lead.page, '/team/inbox')
  await lead.page.getByRole('heading', { level: 2, name: member.name }).waitFor()
  await press(lead.page, lead.t('team.inbox.decline'))
  await lead.page.getByText(lead.t('team.inbox.noReason')).waitFor()
  await lead.page.getByLabel(lead.t('team.inbox.reason')).fill('Which order was that for?')
  await press(lead.page, lead.t('team.inbox.decline'))
  await lead.page.getByText(lead.t('team.inbox.none')).waitFor()
  await waitForState(stage, member, 'declined')
  await page.getByText('Which order was that for?').waitFor()
  await askByForm()
  await approve({ stage }, lead, member)
}

/** HR reopens a month that payroll had: the next file has the difference alone (D31.2). */
async function reopen(year: Year, month: Month): Promise<void> {
  const { stage, hr, lead, member } = year
  const { page, t } = hr
  await stage.visit(page, `/team/board/${month}`)
  await page.getByRole('checkbox', { name: t('team.people.choose', { name: member.name }) }).check()
  await press(page, t('team.board.reopen'))
  await dialogOf(hr).getByLabel(t('team.inbox.reason')).fill('A Saturday is missing')
  await finish(hr, t('team.board.reopen'))
  await stateOf(hr, member, 'open').waitFor()
  const times = { started_at: `${month}-18T08:00:00.000Z`, ended_at: `${month}-18T10:05:00.000Z` }
  await pushAll(stage, member.page, [{ kind: 'work', ...times }])
  await submit(stage, member, nameOf(month, member))
  await stage.runDueJobs()
  await lock(stage, lead, month, member, 'one')
  const difference = await makePayrollFile(year, month, { leavesOut: false })
  expect(difference).toContain(`101;${month};100;125`)
  year.files.push(difference)
}

/** HR proposes another end of work; the member declines, and the sheet has their remark (D28.4). */
async function dispute({ stage, hr, member }: Year, month: Month): Promise<void> {
  const { page, t } = hr
  await stage.visit(page, `/team/board/${month}`)
  await page.getByRole('link', { name: member.name }).click()
  await press(page, t('team.person.show'))
  const entry = page.getByRole('list', { name: t('team.person.records') }).getByRole('button')
  await entry.first().click()
  await dialogOf(hr)
    .getByRole('textbox', { name: t('entries.editor.end'), exact: true })
    .fill('16:10')
  await dialogOf(hr).getByLabel(t('team.inbox.reason')).fill('The gate says otherwise')
  await finish(hr, t('team.person.propose'))
  await stage.visit(member.page, '/team/months')
  await press(member.page, member.t('team.proposals.decline'))
  await member.page.getByRole('button', { name: member.t('team.proposals.decline') }).waitFor({ state: 'detached' })
  await stage.visit(member.page, `/team/months/${month}`)
  await member.page.getByLabel(member.t('team.remarks.new')).fill('Ich war bis zum Ende der Schicht da.')
  await press(member.page, member.t('team.remarks.add'))
  await member.page.getByRole('listitem').getByText('Ich war bis zum Ende der Schicht da.').waitFor()
}

/** HR ends the membership of somebody with the last date of the month. */
async function endMembership({ stage, hr, leaver }: Year): Promise<void> {
  const { page, t } = hr
  await stage.visit(page, '/team/company')
  await press(page, t('team.people.actionsOf', { name: leaver.name }))
  await page.getByRole('menuitem', { name: t('team.people.end') }).click()
  await fill(dialogOf(hr), t('team.people.lastDay'), '30 Jun 2026')
  await finish(hr, t('team.people.end'))
}

/** A backup of before the lock is put back: the month is open again, and the phone sends what the service has lost. */
async function restore(year: Year, month: Month): Promise<void> {
  const { stage, lead, member } = year
  const { page, t } = member
  const putBack = await stage.backUp()
  await submitMonth(year, month)
  await lock(stage, lead, month, member, 'all')
  const today = `${monthAfter(month, 1)}-01`
  await stage.visit(page, `/day/${today}`)
  await addEntry(member, t('ui.save'))
  await saved(member)
  const entries = async () =>
    (await stage.ask(page, 'GET', `/api/entries?from=${today}&to=${today}`)).items.length as number
  await expect.poll(entries).toBe(1)
  await putBack()
  expect(await entries()).toBe(0)
  await stage.visit(page, `/day/${today}`)
  await expect.poll(entries).toBe(1)
  await saved(member)
  await stage.visit(page, '/team/months')
  await page.getByRole('button', { name: `${t('team.month.submit')}: ${nameOf(month, member)}` }).waitFor()
}

/** Has vacation approved by the lead and then by HR, as the policy asks from the next day on. */
async function decideInTwoStages({ stage, hr, lead, member }: Year): Promise<void> {
  const { items } = await stage.ask(hr.page, 'GET', '/api/team/policy')
  await stage.ask(hr.page, 'PUT', '/api/team/policy', { ...items.at(-1).policy, second_stage: ['vacation'] })
  await stage.goOn('2026-11-03T08:00:00.000Z')
  await stage.runDueJobs()
  await askForVacation(stage, member, '12.11.2026', '13.11.2026')
  await waitForState(stage, member, 'waiting')
  await approve({ stage }, lead, member)
  await waitForState(stage, member, 'waiting_for_hr')
  await approve({ stage }, hr, member)
  await waitForState(stage, member, 'approved')
}

/** The payroll files add up to the accounts, by a program that shares no code with ours. */
async function expectPayroll({ stage, members, leaver, files }: Year): Promise<void> {
  const people = []
  for (const one of members) {
    const exported = await stage.ask(one.page, 'GET', '/api/me/export')
    const lastMonth = one === leaver ? LAST_OF_LEAVER : '2026-12'
    people.push({ personnelNumber: String(100 + one.index), lastMonth, exported })
  }
  expect(payrollFaults(files, people)).toEqual([])
}

test(
  '[D26.3] [D26.8] [D27.1] [D27.11] [D27.12] [D27.14] [D28.4] [D31.2] \
a company of twelve lives through a year in the app, and its payroll adds up to the minute',
  async () => {
    const stage = await openStage(`${FIRST}T08:00:00.000Z`)
    const year = await startYear(stage)
    const { hr, lead, member, leaver } = year
    for (const month of Array.from({ length: 12 }, (_, index) => monthAfter('2026-01', index))) {
      if (month === LAST_OF_LEAVER) {
        await stage.goOn('2026-06-15T08:00:00.000Z')
        await endMembership(year)
      }
      if (month === '2026-11') await decideInTwoStages(year)
      // Sessions end after a year.
      await stage.goOn(`${monthAfter(month, 1)}-01T06:00:00.000Z`)
      await recordMonth(year, month)
      await stage.runDueJobs()
      if (month === '2026-08') await restore(year, month)
      if (month === '2026-06') {
        await stage.visit(leaver.page, '/team')
        await leaver.page.getByRole('heading', { name: leaver.t('team.months.title') }).waitFor()
      }
      await submitMonth(year, month)
      const lockAll = async () => {
        await lock(stage, lead, month, member, 'all')
        await lock(stage, hr, month, lead, 'one')
      }
      if (month === '2026-03') await correctUnderSyncStatus(year, month, lockAll)
      else await lockAll()
      if (month === '2026-10') await correctByForm(year, month)
      if (month === '2026-06') await dispute(year, month)
      year.files.push(await makePayrollFile(year, month, { leavesOut: false }))
      if (month === '2026-04') await reopen(year, month)
    }
    await expectPayroll(year)
    const errors = [hr, ...year.members].flatMap((one) => one.errors)
    expect(
      errors.filter((text) => !/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|status of 4|Failed to fetch/.test(text)),
    ).toEqual([])
  },
  YEAR_MS,
)
