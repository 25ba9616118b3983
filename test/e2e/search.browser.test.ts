import { addDays } from '@saldo/core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { runsOf } from '../../packages/core/test/tier.ts'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { expectAccessible, expectStateAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { desktop, type Look, looks, type Stage, wordsOf } from './stage.ts'

let stage: Stage

const t = wordsOf(desktop.language)

async function opened(wanted: Look): Promise<Page> {
  stage = await openStage()
  const { page } = await stage.page(wanted)
  await stage.signUp(page)
  await stage.work(page, '2026-11-20', '08:00', '09:00', { project: 'Saldo', tags: ['ui'], note: 'Drawing' })
  await stage.work(page, '2026-11-20', '09:00', '10:00', { project: 'Garden', note: 'Roses' })
  await stage.work(page, '2026-11-20', '10:00', '11:30', { project: 'Saldo', note: 'Meeting' })
  await stage.visit(page)
  await page.getByRole('list').getByText('10:00 – 11:30').waitFor()
  return page
}

/** Goes to a view by its name, without the mouse. */
async function goTo(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill(name)
  await page.keyboard.press('Enter')
}

test('the palette does not open over a form, and the browser asks before a tab with one goes', async () => {
  const page = await opened(desktop)
  await page.keyboard.press('n')
  const note = page.getByRole('dialog').getByLabel(t('entries.editor.note'))
  await note.fill('Long thoughts')
  await page.keyboard.press('Control+k')
  await page.keyboard.type(' and more')
  expect(await note.inputValue()).toBe('Long thoughts and more')
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  expect(await note.inputValue()).toBe('Long thoughts and more')
})

test.each(looks)('the palette leads to the search, and words and dates find entries: $size $language', async (each) => {
  const words = wordsOf(each.language)
  const page = await opened(each)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByText(words('palette.timer.start')).waitFor()
  await page.getByRole('dialog').locator('input:focus').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await goTo(page, words('search.title'))
  const rows = page.getByRole('list', { name: words('search.entries') }).getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(3)
  await page.getByRole('searchbox', { name: words('search.words') }).fill('saldo drawing')
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByRole('searchbox', { name: words('search.words') }).fill('')
  await page.getByLabel(words('search.to'), { exact: true }).fill('2026-11-19')
  await page.getByText(words('search.nothing')).waitFor()
  await page.getByLabel(words('search.to'), { exact: true }).fill('')
  await page.getByRole('combobox', { name: words('search.project') }).click()
  await page.getByRole('option', { name: 'Garden' }).click()
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByRole('combobox', { name: words('search.project') }).click()
  await page.getByRole('option', { name: 'Garden' }).click()
  await expect.poll(() => rows.count()).toBe(3)
  await page.getByRole('combobox', { name: words('search.kind') }).click()
  await page.getByRole('option', { name: words('entries.kind.sick') }).click()
  await page.getByText(words('search.nothing')).waitFor()
  await page.getByRole('combobox', { name: words('search.kind') }).click()
  await page.getByRole('option', { name: words('entries.kind.sick') }).click()
  await page.getByLabel(words('search.selectAll')).check()
  await page.getByText(words('search.bulk.selected_other', { number: '3' })).waitFor()
  await expectStateAccessible(page)
})

heavyTest('Enter in the palette puts a line into the quick entry, and stores nothing yet', async () => {
  const page = await opened(desktop)
  await goTo(page, '13-14 Saldo')
  const line = page.getByLabel(t('today.quick.label'))
  await expect.poll(() => line.inputValue()).toBe('13-14 Saldo')
  await line.press('Enter')
  await page.getByRole('list').getByText('13:00 – 14:00').waitFor()
  await expect.poll(async () => (await stage.ask(page, 'GET', '/api/entries')).items.length).toBe(4)
})

heavyTest('the palette finds acts, views and dates by the words that people use, and asks views for acts', async () => {
  const page = await opened(desktop)
  await page.keyboard.press('Control+k')
  const field = page.getByRole('dialog').getByRole('combobox')
  const first = page.getByRole('option').first()
  for (const [words, label] of [
    ...['vacation', 'sick', 'holiday', 'day off'].map((word) => [word, t('calendar.add')] as const),
    ...['new entry', 'add', 'break'].map((word) => [word, t('entries.editor.new')] as const),
    ['timer', t('palette.timer.start')],
    ...['adjust', 'payout', 'correction'].map((word) => [word, t('account.adjust')] as const),
    ['close', t('palette.close')],
    ...['timesheet', 'print', 'pdf'].map(
      (word) => [word, t('calendar.sheet.titleMonth', { month: 'November 2026' })] as const,
    ),
    ...['part-time', 'change hours'].map((word) => [word, t('schedule.add')] as const),
    ...['csv', 'toggl', 'backup', 'import', 'export'].map((word) => [word, t('importExport.title')] as const),
    ...['german', 'deutsch'].map((word) => [word, t('palette.language', { name: 'Deutsch' })] as const),
    ...['sign out', 'logout'].map((word) => [word, t('app.signOut.action')] as const),
    ['password', t('settings.password.title')],
    ...['week starts on', '24 hour', 'light theme'].map((word) => [word, t('settings.look.title')] as const),
    ...['remove from this device', 'delete account'].map((word) => [word, t('settings.data.title')] as const),
    ['clock in', t('palette.timer.start')],
    ['next month', 'December 2026'],
    ['2fa', t('settings.secondFactor.title')],
    ['keyboard', t('shortcuts.title')],
    ['reminder', t('settings.reminders.title')],
    ...['help', 'manual'].map((word) => [word, t('help.title')] as const),
    ['invite', t('userAccounts.title')],
    ['overtime', t('account.adjust')],
    ['undo', t('palette.undo')],
    ['dark', t('palette.scheme.dark')],
    ['week 42', t('week.heading', { number: '42' })],
    ['2026-10-12', 'Mon, 12 Oct 2026'],
    ['october', 'October 2026'],
    ['9-12 Saldo', '9-12 Saldo'],
  ] as const) {
    await field.fill(words)
    await expect.poll(() => first.textContent(), { message: words }).toContain(label)
  }
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByLabel(t('today.quick.label')).inputValue()).toBe('9-12 Saldo')
  for (const [words, title] of [
    ['payout', t('account.editor.new')],
    ['vacation', t('calendar.absence.new')],
    ['change hours', t('schedule.dialog.add')],
    ['new entry', t('entries.editor.new')],
    ['logout', t('app.signOut.title')],
  ] as const) {
    await goTo(page, words)
    await page.getByRole('dialog', { name: title }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await goTo(page, 'password')
  await expect.poll(() => page.url()).toContain('/settings#password')
  await page.keyboard.press('?')
  await page.getByRole('heading', { level: 2, name: 'Recording' }).waitFor()
  await expectAccessible(page)
})

heavyTest('the address of a search keeps its filters, and the way back leads through them', async () => {
  const page = await opened(desktop)
  await stage.visit(page, '/search#words=saldo')
  const rows = page.getByRole('list', { name: t('search.entries') }).getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByRole('combobox', { name: t('search.tag') }).click()
  await page.getByRole('option', { name: 'ui' }).click()
  await expect.poll(() => rows.count()).toBe(1)
  const words = page.getByRole('searchbox', { name: t('search.words') })
  await words.press('End')
  await words.pressSequentially(' draw')
  await expect.poll(() => new URL(page.url()).hash).toBe('#tag=ui&words=saldo+draw')
  await page.reload()
  await expect.poll(() => rows.count()).toBe(1)
  expect(await words.inputValue()).toBe('saldo draw')
  await page.goBack()
  await expect.poll(() => rows.count()).toBe(2)
})

heavyTest('the sum of a range is what the week shows, and a project is set for work alone', async () => {
  const page = await opened(desktop)
  const also = [
    { kind: 'break', from: '08:30', until: '09:15' },
    { from: '11:00', until: '12:00' },
  ]
  for (const { from, until, ...more } of also) await stage.work(page, '2026-11-20', from, until, more)
  await stage.ask(page, 'POST', '/api/entries', { kind: 'sick', date: '2026-11-20', day_share: 0.5 })
  await goTo(page, t('week.title'))
  await page.getByRole('definition').getByText('3:15').first().waitFor()
  await goTo(page, t('search.title'))
  await page.getByText(t('search.worked', { time: '3:15' })).waitFor()
  await page.getByLabel(t('search.selectAll')).check()
  await page.getByRole('button', { name: t('search.bulk.project') }).click()
  await page.getByRole('dialog').getByLabel(t('search.bulk.projectName')).fill('House')
  // The first takes the name as a new project, the second sends the form.
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  const list = page.getByRole('list', { name: t('search.entries') })
  await expect.poll(() => list.getByText('House').count()).toBe(4)
  await list.getByText(t('entries.kind.sick')).waitFor()
  await list.getByText(t('entries.kind.break')).waitFor()
})

heavyTest('a deletion of more than ten entries asks, and can be undone after a reload', async () => {
  stage = await openStage()
  const { page } = await stage.page(desktop)
  await stage.signUp(page, '2026-11-02')
  for (let hour = 10; hour < 21; hour += 1) await stage.work(page, '2026-11-19', `${hour}:00`, `${hour}:30`)
  await stage.visit(page, '/search')
  const all = page.getByText(t('search.found_other', { number: '11' }))
  await all.waitFor()
  await page.getByLabel(t('search.selectAll')).check()
  const ask = () => page.getByRole('button', { name: t('ui.delete'), exact: true }).click()
  const dialog = page.getByRole('dialog', { name: t('entries.deletion.title_other', { number: '11' }) })
  await ask()
  await dialog.getByRole('button', { name: t('ui.cancel') }).click()
  await ask()
  await dialog.getByRole('button', { name: t('entries.deletion.action_other', { number: '11' }) }).click()
  await page.getByText(t('search.nothing')).waitFor()
  await page.reload()
  await page.getByText(t('search.nothing')).waitFor()
  await page.keyboard.press('Control+z')
  await all.waitFor()
})

heavyTest(
  'after a reload, undo leaves entries alone that were changed before something that it cannot undo',
  async () => {
    stage = await openStage()
    const { page } = await stage.page(desktop)
    await stage.signUp(page, '2026-11-02')
    await stage.visit(page)
    const line = page.getByLabel(t('today.quick.label'))
    const entries = page.getByRole('region', { name: t('today.entries') })
    const record = async (typed: string) => {
      await line.fill(typed)
      await page.keyboard.press('Enter')
      await entries.getByText(typed.slice(-6)).waitFor()
    }
    await record('8-9 @Garden')
    await page.getByRole('link', { name: t('account.title'), exact: true }).click()
    await page.getByRole('button', { name: t('account.adjust') }).click()
    await page.getByLabel(t('account.editor.hours'), { exact: true }).fill('2')
    await page.getByLabel(t('account.editor.reason'), { exact: true }).fill('Paid')
    await page.getByRole('button', { name: t('ui.save') }).click()
    await page.getByText(t('account.message.added')).waitFor()
    await stage.visit(page)
    await record('9-10 @Kernel')
    await page.reload()
    await entries.getByText('Kernel').waitFor()
    await page.keyboard.press('Control+z')
    await entries.getByText('Kernel').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await record('10-11 @Meadow')
    await entries.getByText('Garden').waitFor()
  },
)

heavyTest('bulk edits change all selected entries and are undone as one', async () => {
  const page = await opened(desktop)
  await goTo(page, t('search.title'))
  const list = page.getByRole('list', { name: t('search.entries') })
  const boxes = list.getByRole('checkbox')
  await boxes.first().check()
  await boxes.last().click({ modifiers: ['Shift'] })
  await page.getByText(t('search.bulk.selected_other', { number: '3' })).waitFor()
  await page.getByRole('button', { name: t('search.bulk.clear') }).click()
  await page.getByRole('searchbox', { name: t('search.words') }).fill('saldo')
  await expect.poll(() => list.getByRole('listitem').count()).toBe(2)
  await page.getByLabel(t('search.selectAll')).check()
  await page.getByRole('button', { name: t('search.bulk.addTag') }).click()
  await page.getByRole('dialog').getByLabel(t('search.bulk.tag')).fill('billed')
  await page.keyboard.press('Enter')
  await expect.poll(() => list.getByText('#billed').count()).toBe(2)
  await page.keyboard.press('Control+z')
  await expect.poll(() => list.getByText('#billed').count()).toBe(0)

  await page.getByRole('button', { name: t('ui.delete') }).click()
  await page.getByText(t('search.nothing')).waitFor()
  await page.getByRole('button', { name: t('ui.undo') }).click()
  await expect.poll(() => list.getByRole('listitem').count()).toBe(2)
  await list.getByRole('link').first().click()
  await page.getByRole('heading', { name: t('today.entries') }).waitFor()
})

/** Entries of more than a screen, many times. */
const MANY = 600

/** The search over many entries. */
async function openedWithMany(wanted: Look): Promise<Page> {
  const stage = await openStage()
  const { page } = await stage.page(wanted)
  await stage.signUp(page, '2025-01-01')
  const changes = Array.from({ length: MANY }, (_, index) => {
    const started_at = `${addDays('2026-11-19', -index)}T08:00:00.000Z`
    const ended_at = started_at.replace('T08', 'T09')
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
    return { kind: 'entries', op: 'upsert', record: { id, updated_at: started_at, kind: 'work', started_at, ended_at } }
  })
  await stage.ask(page, 'POST', '/api/sync/push', { changes })
  await stage.visit(page, '/search')
  await page.locator(`li[aria-setsize="${MANY}"]`).first().waitFor()
  return page
}

heavyTest.each(looks)(
  'the list loads more entries by keyboard and as it scrolls, up to the last: $size $language',
  async (each) => {
    const words = wordsOf(each.language)
    const page = await openedWithMany(each)
    const rows = page.locator('li[aria-setsize]')
    const first = await rows.count()
    expect(first).toBeLessThan(MANY)
    // Entries that are not loaded are selected too.
    await page.getByLabel(words('search.selectAll')).check()
    await page.getByText(words('search.bulk.selected_other', { number: String(MANY) })).waitFor()
    expect(await rows.count()).toBe(first)
    await page.getByRole('button', { name: words('search.more') }).press('Enter')
    await expect.poll(() => rows.count()).toBeGreaterThan(first)
    const scrolled = async () => {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      return rows.count()
    }
    await expect.poll(scrolled, { interval: 100 }).toBe(MANY)
  },
)

heavyTest('the palette starts and stops the timer, also if the browser is slower than the typing', async () => {
  const page = await opened(desktop)
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: runsOf(4, 10) })
  await goTo(page, t('palette.timer.start'))
  await page.getByRole('timer').waitFor()
  await goTo(page, t('palette.timer.stop'))
  await page.getByRole('timer').waitFor({ state: 'detached' })
})

heavyTest('the palette finds an entry and opens it', async () => {
  const page = await opened(desktop)
  await page.keyboard.press('Control+k')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').fill('garden ros')
  await dialog.getByRole('option', { name: /^Garden Roses/ }).waitFor()
  await expectStateAccessible(page)
  await page.keyboard.press('Enter')
  const project = dialog.getByLabel(t('entries.editor.project'))
  expect(await project.inputValue()).toBe('Garden')
  await project.fill('Park')
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await page.getByRole('list').getByText('Park', { exact: true }).waitFor()
})
