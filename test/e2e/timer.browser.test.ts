import { DAY_MS, HOUR_MS, MINUTE_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { runsOf } from '../../packages/core/test/tier.ts'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { expectAccessible, expectStateAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { desktop, digitsOf, looks, person, wordsOf } from './stage.ts'

const t = wordsOf(desktop.language)

/** The text of a timer in a state since a time, in which `#` is any digit. */
const since = (state: 'working' | 'break', time: string) => digitsOf(t(`today.timer.since.${state}`, { time }))

async function opened(now?: string) {
  const stage = await openStage(now)
  const { page, context } = await stage.page(desktop)
  await stage.signUp(page)
  await stage.visit(page)
  // Keys do something once there is what they act on.
  await page.getByLabel(t('today.quick.label')).waitFor()
  return { page, context, stage }
}

test('one key toggles the timer, another a break, even when pressed faster than the browser reacts', async () => {
  const { page, context, stage } = await opened()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: runsOf(1, 8) })
  // Typed text stays while another view is shown, until the start takes it.
  const subject = page.getByLabel(t('today.timer.subject'))
  await subject.fill('Harbour')
  await stage.visit(page, '/week')
  await stage.visit(page)
  await expect.poll(() => subject.inputValue()).toBe('Harbour')
  await page.keyboard.press('s')
  await page.getByText(since('working', '12:0#')).waitFor()
  await stage.pass(HOUR_MS)
  await page.keyboard.press('b')
  await page.getByText(since('break', '13:0#')).waitFor()
  await stage.pass(HOUR_MS / 2)
  await page.keyboard.press('b')
  await page.getByText(since('working', '13:3#')).waitFor()
  await page.getByText(digitsOf('20:3#')).waitFor()
  await page.keyboard.press('s')
  await page.getByRole('list').getByText(digitsOf('12:0# – 13:0#')).waitFor()
  await page.getByRole('list').getByText(digitsOf('13:0# – 13:3#')).waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText(since('working', '13:3#')).waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText(since('break', '13:0#')).waitFor()
  // The key begins work, and the row's button ends that in the same moment, of which the store has not told yet.
  await page.evaluate(`(async () => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'b', code: 'KeyB', bubbles: true }))
    await Promise.resolve()
    document.querySelector('[aria-label^="${t('today.goOn')}"]').click()
  })()`)
  await page.getByRole('list').getByText(digitsOf('13:3# – 13:3#')).waitFor()
})

heavyTest('times are changed in the row of their entry, and Esc leaves them as they are', async () => {
  const { page, stage } = await opened()
  await stage.work(page, '2026-11-20', '08:00', '09:00', { note: 'Call' })
  const list = page.getByRole('region', { name: t('today.entries') }).getByRole('list')
  const change = page.getByRole('button', { name: `${t('today.changeTimes')}: 08:00 – 09:00` })
  await change.click()
  await list.getByLabel(t('entries.editor.start'), { exact: true }).press('Escape')
  await change.click()
  await list.getByLabel(t('entries.editor.start'), { exact: true }).press('Tab')
  await page.keyboard.type('9.45')
  await expectStateAccessible(page)
  await page.keyboard.press('Enter')
  await list.getByText('08:00 – 09:45').waitFor()
  await page.keyboard.press('Control+z')
  await list.getByText('08:00 – 09:00').waitFor()
})

heavyTest('a double click on Start starts the timer, and no break', async () => {
  const { page } = await opened()
  await page.getByRole('button', { name: t('today.timer.start') }).dblclick()
  await page.getByText(since('working', '12:0#')).waitFor()
  await page.getByRole('button', { name: t('today.timer.break') }).click()
  await page.getByText(since('break', '12:0#')).waitFor()
})

heavyTest('a device whose clock is wrong by days says so, and goes by the time of the server everywhere', async () => {
  const stage = await openStage()
  const { page } = await stage.page(desktop)
  await stage.signUp(page, '2026-11-19')
  // An hour more, since the server goes on meanwhile.
  await page.clock.setSystemTime(stage.nowMs + 3 * DAY_MS + HOUR_MS)
  await stage.visit(page)
  await page.getByText(digitsOf(t('app.clock.fast', { age: '3 days', now: '20 Nov 2026, 12:##' }))).waitFor()
  await page.getByRole('heading', { level: 1, name: 'Friday 20 November' }).waitFor()
  await page.getByRole('button', { name: t('today.timer.start') }).click()
  await page.getByText(since('working', '12:##')).waitFor()
  await expect
    .poll(async () => (await stage.ask(page, 'GET', '/api/entries')).items)
    .toMatchObject([{ started_at: expect.stringContaining('2026-11-20T11:') }])
  await expectStateAccessible(page)
  // One day without work, by every view.
  await page.getByRole('link', { name: t('account.title') }).click()
  await page.getByText(t('account.balance.today'), { exact: true }).last().waitFor()
  await expect.poll(() => page.getByText('−8:00').count()).toBeGreaterThan(1)
  await page.evaluate(`history.pushState(null, '', '/sync')`)
  await page.getByText(digitsOf(t('sync.ago', { age: '< 1 min', when: '20 Nov 2026, 12:##' }))).waitFor()
})

heavyTest.each(looks)('the timer starts with recent work and at an earlier time: $size $language', async (look) => {
  const words = wordsOf(look.language)
  const stage = await openStage()
  const { page } = await stage.page(look)
  await stage.signUp(page)
  await stage.work(page, '2026-11-13', '09:00', '10:00', { project: 'Garden' })
  await stage.work(page, '2026-11-19', '09:00', '10:00', { project: 'Saldo', tags: ['ui'], note: 'Drawing' })
  await stage.visit(page)
  await page.getByRole('combobox', { name: words('today.timer.subject') }).fill('draw')
  await page.getByRole('option', { name: 'Saldo Drawing #ui' }).click()
  const startedAt = page.getByLabel(words('today.timer.startedAt'))
  const start = page.getByRole('button', { name: words('today.timer.start'), exact: true })
  await startedAt.fill('13')
  await start.click()
  await page.getByText(words('today.timer.ahead')).waitFor()
  await expectAccessible(page)
  await startedAt.fill('805')
  await start.click()
  await page.getByText(words('today.timer.since.working', { time: '08:05' })).waitFor()
  await page.getByRole('list').getByText('Drawing').waitFor()
  await page.getByRole('button', { name: words('today.timer.stop') }).click()
  await page.getByRole('button', { name: words('ui.undo') }).waitFor()

  // Work of any earlier day goes on today.
  await stage.visit(page, '/day/2026-11-19')
  await page.getByRole('button', { name: words('today.goOn') }).click()
  await page.getByText(digitsOf(words('today.timer.since.working', { time: '12:0#' }))).waitFor()
  await expectStateAccessible(page)
  await stage.visit(page, '/day/2026-11-13')
  await page.getByRole('button', { name: words('today.goOn') }).click()
  const running = page.getByRole('list').locator('[data-running]')
  await running.getByText('Garden').waitFor()
  expect(await running.count()).toBe(1)
})

heavyTest('a timer that ran over midnight asks for its end and shows its real dates', async () => {
  const { page, stage } = await opened('2026-11-20T14:00:00.000Z')
  await page.keyboard.press('s')
  await page.getByRole('timer').waitFor()
  await stage.pass(18 * HOUR_MS)
  const notice = page.getByRole('note')
  await notice.waitFor()
  await page.getByRole('list').getByText(t('today.dayBefore')).waitFor()
  await expectStateAccessible(page)
  await notice.getByRole('button', { name: /^At 23:0/ }).click()
  await notice.waitFor({ state: 'detached' })
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('list').getByText(digitsOf('15:0# – 23:0#')).waitFor()
})

heavyTest('the proposed end of a timer forgotten over a weekend depends on the day of its start', async () => {
  const { page, stage } = await opened('2026-11-20T12:00:00.000Z')
  await stage.work(page, '2026-11-20', '08:00', '12:00')
  await page.getByRole('list').getByText('08:00 – 12:00').waitFor()
  await page.keyboard.press('s')
  await page.getByRole('timer').waitFor()
  await stage.pass(68 * HOUR_MS)
  const notice = page.getByRole('note')
  await notice.getByRole('button', { name: /^At 17:0/ }).waitFor()
  await page.keyboard.press('b')
  await stage.pass(20 * HOUR_MS)
  await notice.getByText(t('today.forgotten.keep.break')).waitFor()
  expect(await notice.getByRole('button', { name: /^At/ }).count()).toBe(0)
})

heavyTest('a timer that ran for more than 31 days asks for an end that the service accepts', async () => {
  const { page, stage } = await opened('2026-11-20T12:00:00.000Z')
  await stage.work(page, '2026-11-20', '08:00', '12:00')
  await page.getByRole('list').getByText('08:00 – 12:00').waitFor()
  await page.keyboard.press('s')
  await page.getByRole('timer').waitFor()
  await stage.pass(32 * DAY_MS)
  const notice = page.getByRole('note').filter({ hasText: t('today.forgotten.tooLong') })
  await notice.waitFor()
  // The proposed end depends on the day of its start.
  await notice.getByRole('button', { name: /^At 17:0/ }).waitFor()
  expect(await notice.getByText(t('today.forgotten.keep.work')).count()).toBe(0)
  await page.getByRole('button', { name: t('today.timer.stop'), exact: true }).click()
  await page.getByText(t('ui.failure.tooLong')).waitFor()
  await page.getByRole('timer').waitFor()
  const end = notice.getByRole('button', { name: t('today.forgotten.end') })
  await notice.getByLabel(t('today.forgotten.when')).fill('17:00')
  await notice.getByLabel(t('today.forgotten.day')).fill('22 Dec')
  expect(await end.isDisabled()).toBe(true)
  await notice.getByLabel(t('today.forgotten.day')).fill('20 Nov')
  await end.click()
  await notice.waitFor({ state: 'detached' })
})

heavyTest('a reminder that is switched on shows one notification; after how long is a setting', async () => {
  const { page, context, stage } = await opened('2026-11-20T07:00:00.000Z')
  // A browser without a window has no notifications.
  await context.addInitScript(`globalThis.shown = []
    globalThis.Notification = class {
      static permission = 'granted'
      static requestPermission = async () => 'granted'
      constructor(title) { shown.push(title) }
    }`)
  await stage.visit(page, '/settings')
  const forgotten = page.getByLabel(t('settings.reminders.kind.forgotten'))
  await forgotten.click({ force: true })
  await expect.poll(() => forgotten.isChecked()).toBe(true)
  await page.getByLabel(t('settings.reminders.longest')).fill('2')
  await expectStateAccessible(page)
  await stage.visit(page)
  await page.getByLabel(t('today.quick.label')).waitFor()
  await page.keyboard.press('s')
  await page.getByRole('timer').waitFor()
  await stage.pass(2 * HOUR_MS + MINUTE_MS)
  await page.getByText(t('today.forgotten.keep.work')).waitFor()
  await expect.poll(() => page.evaluate('shown')).toEqual([t('reminders.forgotten.title')])
  await stage.pass(HOUR_MS)
  expect(await page.evaluate('shown.length')).toBe(1)

  await context.addInitScript("Notification.permission = 'denied'")
  await stage.visit(page, '/settings')
  await page.getByText(t('settings.reminders.denied')).waitFor()
  expect(await forgotten.isChecked()).toBe(false)
})

heavyTest('an overlap is shown and fixed with one tap', async () => {
  const { page } = await opened()
  for (const text of ['8-10 Saldo', '9:30-11 House']) {
    const field = page.getByLabel(t('today.quick.label'))
    await field.fill(text)
    await page.keyboard.press('Enter')
    // An Enter is ignored while the line before it is being stored.
    await expect.poll(() => field.inputValue()).toBe('')
  }
  const notice = page.getByRole('note')
  await notice.getByText('0:30').waitFor()
  await notice.getByRole('button').click()
  await page.getByRole('list').getByText('08:00 – 09:30').waitFor()
  await notice.waitFor({ state: 'detached' })
})

test('after the end of a session the data stays visible, and the password resumes sync', async () => {
  const { page, context } = await opened()
  await context.clearCookies()
  await page.getByLabel(t('today.quick.label')).fill('9-10 Saldo')
  await page.keyboard.press('Enter')
  const indicator = page.getByRole('button', { name: /Sign-in needed/ })
  await indicator.waitFor()
  await page.getByRole('list').getByText('09:00 – 10:00').waitFor()
  await page.reload()
  await page.getByRole('list').getByText('09:00 – 10:00').waitFor()
  await indicator.click()
  await page.getByLabel(t('signIn.password'), { exact: true }).fill('not the password')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText(t('signIn.wrong')).waitFor()
  await page.getByLabel(t('signIn.password'), { exact: true }).fill(person.password)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText(t('sync.saved')).waitFor()
})

heavyTest('signing out asks about unsent changes and hides all data', async () => {
  const { page, context } = await opened()
  const dialog = page.getByRole('dialog')
  const askToSignOut = async () => {
    await page.getByRole('button', { name: t('app.menu.label', { name: person.name }) }).click()
    await page.getByRole('menuitem', { name: t('app.signOut.action') }).click()
    await page.getByText(t('app.signOut.saved')).waitFor()
  }
  // Without a service worker, what messages and dialogs are drawn with comes over the network.
  await page.getByLabel(t('today.quick.label')).fill('8-9 Saldo')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: t('ui.undo') }).waitFor()
  await page.getByText(t('sync.saved')).waitFor()
  await askToSignOut()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await context.setOffline(true)
  await page.getByLabel(t('today.quick.label')).fill('9-10 Saldo')
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: t('today.isPending') }).waitFor()
  await context.setOffline(false)
  await page.getByText(t('sync.saved')).waitFor()
  await askToSignOut()
  await dialog.getByRole('button', { name: t('app.signOut.action') }).click()
  await page.getByRole('heading', { name: t('signIn.title') }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: t('signIn.title') }).waitFor()
})
