import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectStateAccessible } from './accessible.ts'
import { foundAcme, joinAcme } from './acme.ts'
import { openStage } from './open-stage.ts'
import { desktop, looks, type Stage, wordsOf } from './stage.ts'

const MONTH = '2026-11'
const DAY = '/day/2026-11-27'

interface Member {
  stage: Stage
  page: Page
  t: ReturnType<typeof wordsOf>
}

/** Presses a button of the dialog that is open, which says that the month is locked, and waits until it closes. */
async function answer({ page, t }: Member, action: string, message?: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  const [, why = ''] = t('team.correction.locked_one', { months: '…' }).split('…')
  await dialog.getByText(`November 2026${why}`).waitFor()
  if (message) await dialog.getByLabel(t('team.ask.message')).fill(message)
  await expectStateAccessible(page)
  await dialog.getByRole('button', { name: action, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Asks for a correction by the dialog that is open, and waits until the service has the request. */
async function ask(member: Member, message: string): Promise<void> {
  const { stage, page, t } = member
  await answer(member, t('sync.rejected.askCorrection'), message)
  await page.getByText(t('team.ask.asked')).first().waitFor()
  await expect.poll(async () => (await requestsOf(stage, page)).some(({ note }) => note === message)).toBe(true)
}

interface Request {
  note: string
  date: string
  changes: { op: string; record?: { ended_at: string; note: string } }[]
}

async function requestsOf(stage: Stage, page: Page): Promise<Request[]> {
  const { items } = await stage.ask(page, 'GET', '/api/entries?from=2026-11-01&to=2026-12-31')
  return items.filter(({ kind }: { kind: string }) => kind === 'request')
}

function rowOf({ page }: Member): Locator {
  return page.getByRole('list').getByRole('button', { name: /^0?9:00 – 17:00/ })
}

/** Deletes the entry of the day by the button in its row. */
async function pressDelete({ page, t }: Member): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${t('ui.delete')}: `) }).click()
}

async function typeLine({ page, t }: Member): Promise<Locator> {
  const line = page.getByLabel(t('today.quick.label'))
  await line.fill('18-19 Inventur')
  await page.keyboard.press('Enter')
  return line
}

/** Changes the end of the entry in its row, where there is room for that. */
async function typeTimes({ page, t }: Member): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${t('today.changeTimes')}: `) }).click()
  await page.getByLabel(t('entries.editor.end'), { exact: true }).fill('16:30')
  await page.keyboard.press('Enter')
}

test.each(looks)(
  '[D27.19] a change of a month that is known to be locked is asked for before it is made: $size $language',
  async (look) => {
    const stage = await openStage('2026-11-20T08:00:00.000Z')
    const hr = await stage.page(desktop)
    const groupId = await foundAcme(stage, hr.page, '2026-11-02')
    const { page, context, errors } = await stage.page(look, { installed: true })
    const grace = { name: 'Grace Hopper', email: 'grace@example.com' }
    const user = await joinAcme({ stage, hr: hr.page, groupId, since: '2026-11-20' }, page, grace)
    await stage.work(page, '2026-11-27', '09:00', '17:00')
    await stage.goOn('2026-12-02T08:00:00.000Z')
    await stage.ask(page, 'POST', `/api/me/months/${MONTH}/submission`)
    await stage.runDueJobs()
    const { items } = await stage.ask(hr.page, 'POST', `/api/team/months/${MONTH}/lock`, { users: [user] })
    expect(items).toMatchObject([{ outcome: 'changed' }])
    const member = { stage, page, t: wordsOf(look.language) }
    const { t } = member

    // A month that is open is written as ever.
    await stage.visit(page, '/day/2026-12-01')
    await page.getByRole('button', { name: t('today.add'), exact: true }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('ui.save') })
      .click()
    await page.getByText(t('entries.added')).waitFor()

    await stage.visit(page, DAY)
    await rowOf(member).click()
    await page
      .getByRole('dialog')
      .getByRole('textbox', { name: t('entries.editor.end'), exact: true })
      .fill('17:30')
    await ask(member, 'by the form')
    await pressDelete(member)
    await answer(member, t('ui.cancel'))
    await rowOf(member).waitFor()
    await pressDelete(member)
    await ask(member, 'by the row')
    const line = await typeLine(member)
    await answer(member, t('ui.cancel'))
    expect(await line.inputValue()).toBe('18-19 Inventur')
    await typeLine(member)
    await ask(member, 'by the line')
    await expect.poll(() => line.inputValue()).toBe('')
    if (look.size === 'desktop') {
      await typeTimes(member)
      await ask(member, 'by the times')
    }
    await rowOf(member).waitFor()
    const requests = await requestsOf(stage, page)
    const changesOf = (message: string) => requests.find(({ note }) => note === message)?.changes
    expect(changesOf('by the form')).toMatchObject([{ op: 'upsert', record: { ended_at: '2026-11-27T16:30:00.000Z' } }])
    expect(changesOf('by the row')).toMatchObject([{ op: 'delete' }])
    expect(changesOf('by the line')).toMatchObject([{ op: 'upsert', record: { ended_at: '2026-11-27T18:00:00.000Z' } }])
    // Nothing was refused on the way.
    await page.getByText(t('sync.saved')).first().waitFor({ state: 'attached' })

    // Without a network, what the device has kept says it.
    await page.evaluate('navigator.serviceWorker.ready.then(() => null)')
    await context.setOffline(true)
    await page.goto(stage.url + DAY)
    await pressDelete(member)
    await answer(member, t('ui.cancel'))
    await context.setOffline(false)
    expect(errors.filter((text) => !/ERR_INTERNET_DISCONNECTED/.test(text))).toEqual([])
  },
)
