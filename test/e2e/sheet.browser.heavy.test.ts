import { readFile } from 'node:fs/promises'
import { deltaText, hoursText, lastCountedDate, type Sheet, sheetOf } from '@saldo/client/export'
import { buildTimeline, computeDay, datesIn, type Entry, type Settings } from '@saldo/core'
import { strFromU8, unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { extractText } from 'unpdf'
import { expect, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { expectAccessible, expectStateAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { desktop, type Look, looks, phone, type Stage, wordsOf } from './stage.ts'

const november = { from: '2026-11-01', to: '2026-11-30' } as const
const profile = { name: 'Ada Lovelace', personnel_number: '007-A', employer: 'Engines & Söhne' }

/** Opens the app on 2 December, with an account from 16 November and a few days of work. */
async function opened(look: Look) {
  const opened = await openStage('2026-12-02T11:00:00.000Z')
  const { page, context, errors } = await opened.page(look)
  await opened.signUp(page, '2026-11-16')
  const target_ms = [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * 3_600_000)
  const hours = { effective_from: '2026-11-18', time_zone: 'Europe/Berlin', target_ms }
  await opened.ask(page, 'POST', '/api/settings', { ...hours, hints: 'de' })
  await opened.work(page, '2026-11-16', '09:00', '12:30', { project: 'Engine', note: 'gears' })
  await opened.work(page, '2026-11-16', '13:00', '17:45')
  // Seconds that are rounded so that they add up.
  for (const date of ['2026-11-18', '2026-11-19']) {
    const times = { started_at: `${date}T08:00:20+01:00`, ended_at: `${date}T16:00:00+01:00` }
    await opened.ask(page, 'POST', '/api/entries', { kind: 'work', ...times })
  }
  await opened.ask(page, 'POST', '/api/entries', { kind: 'sick', date: '2026-11-17', day_share: 0.5 })
  await opened.work(page, '2026-11-17', '09:00', '12:00')
  return { stage: opened, page, context, errors, t: wordsOf(look.language) }
}

/** Returns the sheet that the library makes of the records of the service. */
async function modelOf(stage: Stage, page: Page): Promise<Sheet> {
  const { items: settings }: { items: Settings[] } = await stage.ask(page, 'GET', '/api/settings')
  const { items: entries }: { items: Entry[] } = await stage.ask(page, 'GET', '/api/entries?limit=1000')
  const timeline = buildTimeline(settings)
  const days = [...datesIn({ from: '2026-11-16', to: '2026-12-01' })].map((date) => {
    return { date, state: 'open' as const, closed: null, forecast: computeDay(entries, timeline, date) }
  })
  const account = { timeline, entries, days, closedWeeks: [], adjustments: [], today: '2026-12-02' } as const
  const choices = { withProjects: true, withNotes: true, withHints: true, profile }
  return sheetOf(account, { range: november, countedTo: lastCountedDate(account), ...choices })
}

/** Returns the pages of a print as lines of words. */
async function printed(page: Page): Promise<string[]> {
  const { text } = await extractText(new Uint8Array(await page.pdf({ preferCSSPageSize: true })))
  return text.map((content) => content.replaceAll(/\s+/g, ' '))
}

const saveProfile = async (page: Page, t: ReturnType<typeof wordsOf>) => {
  const section = page.getByRole('region', { name: t('settings.profile.title') })
  for (const field of ['name', 'personnel_number', 'employer'] as const) {
    await section.getByLabel(t(`settings.profile.${field}`), { exact: true }).fill(profile[field])
  }
  await section.getByRole('button', { name: t('ui.save') }).click()
  await section.getByText(t('settings.profile.saved')).waitFor()
}

test.each(looks)(
  '[D8.35] [D13.1] a month sheet is printed with the figures of the account: $size $language',
  async (look) => {
    const { stage, page, errors, t } = await opened(look)
    await stage.visit(page, '/settings')
    await saveProfile(page, t)
    await expectAccessible(page)
    await stage.visit(page, '/calendar/2026/11')
    await page.getByRole('link', { name: t('calendar.sheet.title') }).click()
    const paper = page.getByRole('article')
    await paper.getByText(profile.name).waitFor()
    expect(await paper.getByText('gears').count()).toBe(0)
    await page.getByLabel(t('calendar.sheet.withProjects')).check()
    await page.getByLabel(t('calendar.sheet.withNotes')).check()
    await page.getByLabel(t('calendar.sheet.withHints')).check()
    await paper.getByText('gears').waitFor()
    const missingBreak = t('calendar.sheet.hint.missing_break', { time: '0:30' })
    await paper.getByText(missingBreak).first().waitFor()
    await expectStateAccessible(page)

    const sheet = await modelOf(stage, page)
    const [only = '', ...others] = await printed(page)
    expect(others).toEqual([])
    for (const value of Object.values(profile)) expect(only).toContain(value)
    for (const { date, figures } of sheet.days) {
      if (!figures) continue
      const { breakMinutes, workedMinutes, creditedMinutes, targetMinutes, deltaMinutes } = figures
      const cells = [breakMinutes, workedMinutes, creditedMinutes, targetMinutes].filter((minutes) => minutes > 0)
      expect(only, date).toContain([...cells.map(hoursText), deltaText(deltaMinutes)].join(' '))
    }
    const { workedMinutes, creditedMinutes, targetMinutes, deltaMinutes } = sheet.totals
    expect(only).toContain(
      [t('calendar.sheet.total'), '0:30', ...[workedMinutes, creditedMinutes, targetMinutes].map(hoursText)].join(' '),
    )
    expect([targetMinutes, deltaMinutes]).toEqual([88 * 60, sheet.balanceOutMinutes])
    expect(only).toContain(deltaText(sheet.balanceOutMinutes))
    expect(only).toContain((sheet.digest.match(/.{4}/g) ?? []).join(' '))
    expect(only).toContain(t('entries.kind.sick'))
    expect(only).toContain(t('calendar.sheet.signature.employer'))
    expect(errors).toEqual([])
  },
)

heavyTest('[D13.6] a month that changes after it was printed is marked, until it is printed again', async () => {
  const { stage, page, t } = await opened(phone)
  await stage.visit(page, '/calendar/2026/11/sheet')
  await page.getByRole('article').waitFor()
  await printed(page)
  const mark = page.getByText(t('calendar.sheet.again'))
  await stage.visit(page, '/calendar/2026/11')
  await page.locator('[data-date="2026-11-20"]').waitFor()
  expect(await mark.count()).toBe(0)

  await stage.work(page, '2026-11-20', '09:00', '10:00')
  await mark.waitFor()
  await stage.visit(page, '/calendar/2026')
  await expectStateAccessible(page)
  await mark.click()
  await page.getByRole('article').getByText('10:00').waitFor()
  await printed(page)
  await stage.visit(page, '/calendar/2026/11')
  await page.locator('[data-date="2026-11-20"]').waitFor()
  expect(await mark.count()).toBe(0)
})

heavyTest(
  '[D13.2] a sheet of another range has a header on each page, and its workbook has the same figures',
  async () => {
    const { stage, page, context, errors, t } = await opened(desktop)
    await stage.visit(page, '/settings')
    await saveProfile(page, t)
    await stage.visit(page, '/calendar/2026/11')
    await page.getByRole('link', { name: t('calendar.sheet.title') }).click()
    const paper = page.getByRole('article')
    await paper.getByText(profile.name).waitFor()
    // Without a network, this device still knows the name.
    await context.setOffline(true)
    await page.getByRole('link', { name: t('calendar.sheet.back') }).click()
    await page.getByRole('link', { name: t('calendar.sheet.title') }).click()
    await paper.getByText(profile.name).waitFor()
    await context.setOffline(false)

    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: t('calendar.sheet.workbook') }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe(`Timesheet November 2026, ${profile.name}.xlsx`)
    const files = unzipSync(new Uint8Array(await readFile(await download.path())))
    const cells = strFromU8(files['xl/worksheets/sheet1.xml'] as Uint8Array)
    const { days } = await modelOf(stage, page)
    for (const { figures } of days) {
      if (figures) expect(cells).toContain(`<v>${figures.targetMinutes / 1_440}</v>`)
      if (figures && figures.workedMinutes > 0) expect(cells).toContain(`<v>${figures.workedMinutes / 1_440}</v>`)
    }

    await page.getByLabel(t('calendar.sheet.from'), { exact: true }).fill('2026-09-01')
    await page.keyboard.press('Enter')
    await page.getByRole('article').getByText('Timesheet 1 Sep').waitFor()
    const pages = await printed(page)
    expect(pages.length).toBeGreaterThan(1)
    for (const [index, text] of pages.entries()) {
      expect(text).toContain(profile.name)
      expect(text).toContain(t('calendar.sheet.column.worked'))
      expect(text).toContain(`${index + 1} / ${pages.length}`)
    }
    expect(errors.filter((error) => !error.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  },
)
