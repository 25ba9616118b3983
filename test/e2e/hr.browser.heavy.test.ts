import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { codeAt } from '../../packages/server/test/http/authenticator.ts'
import { expectStateAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { desktop, looks, person, type Stage, wordsOf } from './stage.ts'

const grace = { name: 'Grace Hopper', email: 'grace@example.com', password: 'a new horse battery' }
const words = wordsOf(desktop.language)

interface Person {
  page: Page
  t: ReturnType<typeof wordsOf>
}

/** Founds a company whose HR is the first user, with Grace as a member who works on weekdays. Returns her page. */
async function startCompany(stage: Stage, hr: Page): Promise<{ page: Page; errors: string[] }> {
  await stage.signUp(hr, '2026-11-02')
  const { password } = person
  const { key } = await stage.ask(hr, 'POST', '/api/me/second-factor', { password })
  await stage.ask(hr, 'POST', '/api/me/second-factor/confirmation', { code: codeAt(key, stage.nowMs) })
  const { id } = await stage.ask(hr, 'POST', '/api/admin/companies', { name: 'Acme', hr: person.email, password })
  const invited = { ...{ email: grace.email, name: grace.name }, group_id: id, from: '2026-11-02' }
  const { items } = await stage.ask(hr, 'PUT', '/api/team/people', { items: [invited], password })
  const { page, errors } = await stage.page(desktop)
  await page.goto(`${stage.url}${items[0].link}`)
  await page.getByLabel(words('signIn.link.password'), { exact: true }).fill(grace.password)
  await page.getByRole('button', { name: words('signIn.link.set') }).click()
  await page.getByRole('button', { name: words('team.invitation.accept') }).click()
  await page.getByRole('button', { name: words('firstRun.begin'), exact: true }).click()
  await page.getByText(words('sync.saved')).first().waitFor({ state: 'attached' })
  await stage.runDueJobs()
  return { page, errors }
}

/** Enters leave between the years after its preview, and removes it again. */
async function enterCompanyLeave(stage: Stage, { page, t }: Person): Promise<void> {
  await stage.visit(page, '/team/company/leave')
  await page.getByRole('button', { name: t('team.leave.add') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: t('team.leave.from'), exact: true }).fill('28.12.2026')
  await dialog.getByRole('textbox', { name: t('team.leave.to'), exact: true }).fill('31.12.2026')
  await dialog.getByRole('button', { name: t('team.add.preview') }).click()
  await dialog.getByText(t('team.leave.takes_other', { count: '4', people: t('team.leave.people_one') })).waitFor()
  await expectStateAccessible(page)
  await dialog.getByRole('button', { name: t('team.leave.write_one') }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(t('team.leave.people_one')).waitFor()
  await expectStateAccessible(page)
}

/** Proposes another end of the work of the 27th, as HR sees it on the sheet of November. */
async function proposeChange(stage: Stage, { page, t }: Person): Promise<void> {
  await stage.visit(page, '/team/board/2026-11')
  await page.getByRole('link', { name: grace.name }).click()
  await page.getByRole('button', { name: t('team.person.show') }).click()
  const entry = page.getByRole('list', { name: t('team.person.records') }).getByRole('button')
  await entry.first().waitFor()
  await expectStateAccessible(page)
  await entry.first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: t('entries.editor.end'), exact: true }).fill('10:30')
  await dialog.getByLabel(t('team.inbox.reason')).fill('The terminal was broken')
  await expectStateAccessible(page)
  await dialog.getByRole('button', { name: t('team.person.propose'), exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  const withdraw = page.getByRole('button', { name: `${t('team.person.withdraw')}: The terminal was broken` })
  await withdraw.waitFor()
  await expectStateAccessible(page)
}

/** Enters personnel data by a table, and proposes the end of the working hours of somebody who leaves. */
async function settle(stage: Stage, { page, t }: Person): Promise<void> {
  await stage.visit(page, '/team/payroll/personnel')
  await page.getByRole('button', { name: t('team.payroll.list.title') }).click()
  const dialog = page.getByRole('dialog')
  const table = `Name;Personalnummer;Austritt\n${grace.name};0042;31.12.2026\nNobody;7;`
  await dialog.getByLabel(t('team.payroll.list.table')).fill(table)
  await dialog.getByRole('button', { name: t('team.add.preview') }).click()
  await dialog.getByText(t('team.payroll.list.problem.nobody')).waitFor()
  await expectStateAccessible(page)
  await dialog.getByRole('button', { name: t('team.payroll.list.save_one') }).click()
  await page.getByRole('cell', { name: '0042' }).waitFor()
  await page.getByRole('button', { name: t('team.settlement.open', { name: grace.name }) }).click()
  await dialog.getByRole('definition').waitFor()
  await expectStateAccessible(page)
  await dialog.getByRole('button', { name: t('team.person.propose') }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Has a change asked for whose record changes again, and makes it anyway. */
async function approveOverwriting(stage: Stage, { page, t }: Person, member: Page, id: string): Promise<void> {
  const { version: _version, created_at: _at, ...record } = await stage.ask(member, 'GET', `/api/entries/${id}`)
  const changes = [{ kind: 'entries', op: 'upsert', record: { ...record, ended_at: '2026-11-27T09:00:00.000Z' } }]
  const dates = { date: '2026-11-27', last_date: '2026-11-27' }
  await stage.ask(member, 'POST', '/api/entries', { kind: 'request', asks: 'change', ...dates, changes })
  await stage.ask(member, 'PUT', `/api/entries/${id}`, { ...record, ended_at: '2026-11-27T09:15:00.000Z' })
  await stage.runDueJobs()
  await stage.visit(page, '/team/inbox')
  await page.getByRole('button', { name: t('team.inbox.approve') }).click()
  await page.getByText(t('team.inbox.recordChanged')).waitFor()
  await expectStateAccessible(page)
  await page.getByRole('button', { name: t('team.inbox.overwrite') }).click()
  await page.getByText(t('team.inbox.none')).waitFor()
  expect((await stage.ask(member, 'GET', `/api/entries/${id}`)).ended_at).toBe('2026-11-27T09:00:00.000Z')
}

test.each(looks)(
  '[D25.10] [D27.11] [D28.1] [D28.7] [D31.1] [D31.5] HR proposes, enters leave and settles in the app: $size $language',
  async (look) => {
    const stage = await openStage('2026-11-27T11:00:00.000Z')
    const hr = { ...(await stage.page(look)), t: wordsOf(look.language) }
    const { page, errors } = await startCompany(stage, hr.page)
    const times = { started_at: '2026-11-27T07:00:00.000Z', ended_at: '2026-11-27T10:00:00.000Z' }
    const { id } = await stage.ask(page, 'POST', '/api/entries', { kind: 'work', ...times, note: 'a secret' })

    await enterCompanyLeave(stage, hr)
    await proposeChange(stage, hr)
    await settle(stage, hr)

    await stage.visit(page, '/team/months')
    const proposals = page.getByRole('region', { name: words('team.proposals.title') })
    await proposals.getByText('10:30').waitFor()
    expect(await proposals.getByText(words('team.request.otherNote')).count()).toBe(0)
    const accept = proposals.getByRole('button', { name: words('team.proposals.accept') })
    await accept.last().click()
    await accept.nth(1).waitFor({ state: 'detached' })
    await accept.click()
    await accept.waitFor({ state: 'detached' })
    expect(await stage.ask(page, 'GET', `/api/entries/${id}`)).toMatchObject({
      ...{ ended_at: '2026-11-27T09:30:00.000Z', note: 'a secret' },
    })
    const { items } = await stage.ask(page, 'GET', '/api/settings')
    expect(items.at(-1)).toMatchObject({ effective_from: '2027-01-01', target_ms: Array(7).fill(0) })

    await approveOverwriting(stage, hr, page, id)

    await stage.visit(page, '/team/months/personnel')
    await page.getByText('0042').waitFor()
    await expectStateAccessible(page)
    await stage.visit(page, '/settings#visibility')
    const looksAt = page.getByText(words('team.log.kind.days_read', { name: person.name }))
    await looksAt.first().waitFor()
    await expectStateAccessible(page)

    await stage.visit(hr.page, '/team/company/leave')
    await hr.page.getByRole('button', { name: hr.t('team.leave.remove') }).click()
    await hr.page
      .getByRole('button', { name: hr.t('team.leave.remove'), exact: true })
      .first()
      .click()
    await hr.page.getByText(hr.t('team.leave.removed_other', { count: '4' })).waitFor()
    await expectStateAccessible(hr.page)
    expect([...errors, ...hr.errors].filter((text) => !text.includes('409'))).toEqual([])
  },
)
