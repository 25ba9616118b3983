import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShown } from './shown-account.ts'
import { desktop, type Stage, wordsOf } from './stage.ts'
import { type Stored, storedBy, without } from './stored-records.ts'

const t = wordsOf(desktop.language)

let stage: Stage
let page: Page
beforeAll(async () => {
  ;({ stage, page } = await openShown())
})
afterAll(() => stage?.close())

interface UndoableCase {
  path: string
  /** Does it, as a person does. */
  act(): Promise<void>
  /** The key of the message, and the values in it. */
  message: [key: string, values?: Record<string, string>]
  /** The rows that exist only afterwards, and only before, in any order. */
  after: Stored[]
  before: Stored[]
}

const main = () => page.locator('main')
const dialog = () => page.getByRole('dialog')
const press = (name: string, part = main()) => part.getByRole('button', { name, exact: true }).first().click()
const fill = (key: string, text: string) => dialog().getByLabel(t(key), { exact: true }).fill(text)
const save = (key = 'ui.save') => press(t(key), dialog())
const chosenFrom = async (name: string, option: string) => {
  await dialog().getByRole('combobox', { name, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
/** Selects all entries found, once the one with a text is. */
async function selectAll(text: string): Promise<void> {
  await main().getByRole('list').getByText(text).first().waitFor()
  await page.getByLabel(t('search.selectAll')).check()
}
/** The row of an entry, in the list of a day. */
const row = (text: string) =>
  main()
    .getByRole('region', { name: t('today.entries') })
    .getByRole('listitem')
    .filter({ hasText: text })
const at = (date: string, time: string) => `${date}T${time}:00.000Z`
const spanOf = (date: string, from: string, to: string) => ({ started_at: at(date, from), ended_at: at(date, to) })

const actions: Record<string, UndoableCase> = {
  'a new entry with its break': {
    path: '/day/2026-11-13',
    async act() {
      await press(t('today.add'))
      await fill('entries.editor.start', '8')
      await fill('entries.editor.end', '14')
      await fill('entries.editor.break', '0:30')
      await fill('entries.editor.project', ' House ')
      await fill('entries.editor.note', 'Garden')
      await dialog()
        .getByRole('switch', { name: t('entries.editor.counts') })
        .click()
      await save()
    },
    message: ['entries.added'],
    after: [
      { kind: 'work', ...spanOf('2026-11-13', '07:00', '13:00'), project: 'House', note: 'Garden', counts: false },
      { kind: 'break', ...spanOf('2026-11-13', '11:00', '11:30'), project: null, note: '' },
    ],
    before: [],
  },
  'an edited entry': {
    path: '/day/2026-11-18',
    async act() {
      await row('Questions').getByRole('button').first().click()
      await fill('entries.editor.end', '15:30')
      await save()
    },
    message: ['entries.changed'],
    after: [{ note: 'Questions', ...spanOf('2026-11-18', '12:00', '14:30') }],
    before: [{ note: 'Questions', ...spanOf('2026-11-18', '12:00', '15:00') }],
  },
  'a deleted entry': {
    path: '/day/2026-11-17',
    act: () =>
      row('Mail')
        .getByRole('button', { name: t('ui.delete') })
        .click(),
    message: ['entries.deleted'],
    after: [],
    before: [{ note: 'Mail' }],
  },
  'an entry that is deleted in its editor': {
    path: '/day/2026-11-17',
    async act() {
      await row('Way home').getByRole('button').first().click()
      await press(t('ui.delete'), dialog())
    },
    message: ['entries.deleted'],
    after: [],
    before: [{ note: 'Way home' }],
  },
  'a deleted absence': {
    path: '/day/2026-10-20',
    act: () =>
      row('Sea')
        .getByRole('button', { name: t('ui.delete') })
        .click(),
    message: ['entries.deleted'],
    after: [],
    before: [{ kind: 'vacation', date: '2026-10-20', note: 'Sea' }],
  },
  'an overlap that is ended': {
    path: '/day/2026-11-17',
    act: () => press(t('today.odd.overlap.fix', { last: '11:30' })),
    message: ['today.odd.mended'],
    after: [{ project: 'Harbour', ...spanOf('2026-11-17', '07:00', '10:30') }],
    before: [{ project: 'Harbour', ...spanOf('2026-11-17', '07:00', '11:00') }],
  },
  'an absence of another kind and size': {
    path: '/day/2026-11-27',
    async act() {
      await row(t('entries.kind.time_off_in_lieu')).getByRole('button').first().click()
      await chosenFrom(t('entries.editor.kind'), t('entries.kind.sick'))
      await dialog().getByText(t('entries.size.half'), { exact: true }).click()
      await save()
    },
    message: ['entries.changed'],
    after: [{ kind: 'sick', date: '2026-11-27', day_share: 0.5, amount_ms: null }],
    before: [{ kind: 'time_off_in_lieu', date: '2026-11-27', day_share: null, amount_ms: 5_400_000 }],
  },
  'hours of a project in the timesheet': {
    path: '/week/2026-W46',
    async act() {
      await page.getByText(t('week.asTimesheet'), { exact: true }).click()
      await main().getByLabel(t('week.timesheet.projectName'), { exact: true }).fill('House')
      await press(t('week.timesheet.addProject'))
      const cell = main().getByLabel(t('week.timesheet.cell', { project: 'House', day: 'Friday 13 November' }))
      await cell.fill('1:30')
      await cell.press('Enter')
      await page.getByText(t('week.asDays'), { exact: true }).click()
    },
    message: ['week.timesheet.typed', { day: 'Friday 13 November', time: '1:30' }],
    after: [{ project: 'House', source: 'timesheet', ...spanOf('2026-11-13', '08:00', '09:30') }],
    before: [],
  },
  'a closed day': {
    path: '/week/2026-W46',
    act: () => press(t('week.closeDay', { day: 'Monday 9 November' })),
    message: ['week.message.day.close'],
    after: [{ closed: '2026-11-09' }],
    before: [],
  },
  'a reopened week': {
    path: '/week/2026-W43',
    act: () => press(t('week.closing.reopen')),
    message: ['week.message.week.reopen'],
    after: [],
    before: [
      { closed: '2026-W43' },
      ...['19', '20', '21', '22', '23', '24', '25'].map((day) => ({ closed: `2026-10-${day}` })),
    ],
  },
  'an adjustment': {
    path: '/account',
    async act() {
      await press(t('account.adjust'))
      await chosenFrom(t('account.editor.kind'), t('account.kind.correction'))
      await dialog().getByText(t('account.editor.adds'), { exact: true }).click()
      await fill('account.editor.hours', '1:15')
      await fill('account.editor.reason', ' Trip ')
      await save()
    },
    message: ['account.message.added'],
    after: [{ kind: 'correction', delta_ms: 4_500_000, effective_date: '2026-11-19', reason: 'Trip' }],
    before: [],
  },
  'an edited adjustment': {
    path: '/account',
    async act() {
      await press(t('account.kind.opening'))
      await fill('account.editor.hours', '90')
      await save()
    },
    message: ['account.message.changed'],
    after: [{ kind: 'opening', delta_ms: 324_000_000, reason: 'Old time sheet' }],
    before: [{ kind: 'opening', delta_ms: 333_000_000, reason: 'Old time sheet' }],
  },
  'a deleted adjustment': {
    path: '/account',
    async act() {
      await press(t('account.kind.opening'))
      await press(t('ui.delete'), dialog())
    },
    message: ['account.message.deleted'],
    after: [],
    before: [{ kind: 'opening', reason: 'Old time sheet' }],
  },
  'hours that expire': {
    path: '/account',
    act: () => main().getByRole('note').filter({ hasText: '31 October' }).getByRole('button').first().click(),
    message: ['limits.message.accept', { hours: '17:25' }],
    after: [{ kind: 'expiry', effective_date: '2026-10-31', delta_ms: -62700000 }],
    before: [],
  },
  'weeks closed together': {
    path: '/',
    async act() {
      await press(t('openWeeks.open', { count: '2' }))
      await chosenFrom(t('openWeeks.until'), '8 November 2026')
      await save('openWeeks.close_one')
    },
    message: ['openWeeks.closed_one'],
    after: [{ closed: '2026-W45' }, ...[2, 3, 4, 5, 6, 7, 8].map((day) => ({ closed: `2026-11-0${day}` }))],
    before: [],
  },
  'an absence of several days': {
    path: '/calendar/2026/11',
    async act() {
      await page.locator('[data-date="2026-11-23"]').click()
      await page.locator('[data-date="2026-11-28"]').click({ modifiers: ['Shift'] })
      await press(t('calendar.add'))
      await dialog().getByText(t('entries.kind.sick'), { exact: true }).click()
      await dialog().getByText(t('entries.size.half'), { exact: true }).click()
      await fill('calendar.absence.note', 'Flu')
      await save('calendar.absence.enter')
    },
    message: ['calendar.entered_other', { count: '4' }],
    after: ['23', '24', '25', '26'].map((day) => ({
      kind: 'sick',
      date: `2026-11-${day}`,
      day_share: 0.5,
      note: 'Flu',
    })),
    before: [],
  },
  'one of two chosen absences': {
    path: '/calendar/2026/12',
    async act() {
      await page.locator('[data-date="2026-12-01"]').click()
      await page.locator('[data-date="2026-12-02"]').click({ modifiers: ['Shift'] })
      await main()
        .getByRole('region', { name: t('calendar.chosen') })
        .getByRole('listitem')
        .filter({ hasText: t('entries.kind.unpaid') })
        .getByRole('button')
        .last()
        .click()
    },
    message: ['entries.deleted'],
    after: [],
    before: [{ kind: 'unpaid', date: '2026-12-02' }],
  },
  'absences deleted together': {
    path: '/calendar/2026/12',
    async act() {
      await page.locator('[data-date="2026-12-21"]').click()
      await page.locator('[data-date="2026-12-22"]').click({ modifiers: ['Shift'] })
      await press(t('calendar.deleteAll_other', { count: '2' }))
    },
    message: ['calendar.deletedAll_other', { count: '2' }],
    after: [],
    before: ['21', '22'].map((day) => ({ kind: 'vacation', date: `2026-12-${day}` })),
  },
  'granted days of vacation': {
    path: '/calendar/2026/11',
    async act() {
      await press(t('calendar.vacation.open'))
      await press(t('calendar.vacation.grant.title'), dialog())
      await fill('calendar.vacation.grant.days', '2')
      await save()
      await dialog().getByText(/\+2$/).first().waitFor()
      await page.keyboard.press('Escape')
    },
    message: ['calendar.vacation.grant.saved'],
    after: [{ kind: 'vacation_grant', date: '2026-01-01', days: 2 }],
    before: [],
  },
  'other hours from a date on': {
    path: '/schedule',
    async act() {
      await press(t('schedule.add'))
      await fill('schedule.form.from', '2026-11-30')
      await dialog()
        .getByRole('switch', { name: t('schedule.autoClose.label') })
        .click()
      await fill('schedule.note', 'Winter')
      await dialog().getByText(t('balanceChange.none').slice(0, 15)).waitFor()
      await save()
    },
    message: ['schedule.saved', { date: '30 Nov 2026' }],
    after: [
      { effective_from: '2026-11-30', note: 'Winter', auto_close: { day_after_ms: 86_400_000, week_after_days: 2 } },
    ],
    before: [],
  },
  'deleted hours': {
    path: '/schedule',
    async act() {
      await press(t('schedule.deleteOne', { date: '7 December 2026' }))
      await press(t('ui.delete'), dialog())
    },
    message: ['schedule.deleted'],
    after: [],
    before: [{ effective_from: '2026-12-07', note: 'London' }],
  },
  'a tag of three entries, of which one has it already,': {
    path: '/search#from=2026-11-18&to=2026-11-18',
    async act() {
      await selectAll('Questions')
      await page.getByText(t('search.bulk.selected_other', { number: '3' })).waitFor()
      await press(t('search.bulk.addTag'))
      await fill('search.bulk.tag', '#support')
      await save('search.bulk.apply')
    },
    message: ['search.bulk.changed_other', { number: '2' }],
    after: [
      { project: 'Timetable', note: '', tags: ['support'] },
      { project: 'Timetable', note: 'Questions', tags: ['support'] },
    ],
    before: [
      { project: 'Timetable', note: '', tags: [] },
      { project: 'Timetable', note: 'Questions', tags: [] },
    ],
  },
  'a tag that goes': {
    path: '/search#tag=support',
    async act() {
      await selectAll('22:30 – 00:30')
      await press(t('search.bulk.removeTag'))
      await chosenFrom(t('search.bulk.tag'), 'support')
      await save('search.bulk.apply')
    },
    message: ['search.bulk.changed_one', { number: '1' }],
    after: [{ tags: [] }],
    before: [{ tags: ['support'] }],
  },
  'the project of all entries found': {
    path: '/search#project=Office',
    async act() {
      await selectAll('Mail')
      await press(t('search.bulk.project'))
      await fill('search.bulk.projectName', 'House')
      await save('search.bulk.apply')
    },
    message: ['search.bulk.changed_other', { number: '2' }],
    after: [
      { project: 'House', note: 'Mail' },
      { project: 'House', note: 'Way home' },
    ],
    before: [
      { project: 'Office', note: 'Mail' },
      { project: 'Office', note: 'Way home' },
    ],
  },
  'entries deleted together': {
    path: '/search#project=Office',
    async act() {
      await selectAll('Mail')
      await press(t('ui.delete'))
    },
    message: ['search.bulk.deleted_other', { number: '2' }],
    after: [],
    before: [{ note: 'Mail' }, { note: 'Way home' }],
  },
  'a project that is renamed': {
    path: '/projects',
    async act() {
      await press(t('projects.actionsOf', { name: 'Office' }))
      await page.getByRole('menuitem', { name: t('projects.rename') }).click()
      await dialog().getByRole('combobox').fill(' Desk ')
      await save('projects.apply')
    },
    message: ['projects.renamed_other', { number: '2' }],
    after: [
      { project: 'Desk', note: 'Mail' },
      { project: 'Desk', note: 'Way home' },
    ],
    before: [
      { project: 'Office', note: 'Mail' },
      { project: 'Office', note: 'Way home' },
    ],
  },
  'a project that is merged': {
    path: '/projects',
    async act() {
      await press(t('projects.actionsOf', { name: 'Office' }))
      await page.getByRole('menuitem', { name: t('projects.rename') }).click()
      await dialog().getByRole('combobox').fill('Timetable')
      await save('projects.merge')
    },
    message: ['projects.merged_other', { number: '2', other: 'Timetable' }],
    after: [
      { project: 'Timetable', note: 'Mail' },
      { project: 'Timetable', note: 'Way home' },
    ],
    before: [
      { project: 'Office', note: 'Mail' },
      { project: 'Office', note: 'Way home' },
    ],
  },
}

test.each(Object.entries(actions))('%s can be undone, which leaves all as before', async (_, action) => {
  const old = await storedBy(stage, page)
  await page.evaluate(`history.pushState(null, '', '${action.path}')`)
  await action.act()
  const changed = async () => {
    const now = await storedBy(stage, page)
    return { after: without(now, old), before: without(old, now) }
  }
  const inAnyOrder = (rows: Stored[]) => expect.arrayContaining(rows.map((each) => expect.objectContaining(each)))
  await expect.poll(changed).toEqual({ after: inAnyOrder(action.after), before: inAnyOrder(action.before) })
  const { after, before } = await changed()
  expect([after.length, before.length]).toEqual([action.after.length, action.before.length])

  const message = page.getByRole('group').filter({ hasText: t(...action.message) })
  await message.getByRole('button', { name: t('ui.undo') }).click()
  await expect.poll(changed).toEqual({ after: [], before: [] })
})
