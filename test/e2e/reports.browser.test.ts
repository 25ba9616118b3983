import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { expectAccessible, expectStateAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { desktop, type Look, looks, type Stage, wordsOf } from './stage.ts'

let stage: Stage

/** Opens a path on a page of a user with work of three projects and on two days; it overlaps for half an hour. */
async function opened(look: Look, path: string): Promise<Page> {
  stage = await openStage()
  const { page } = await stage.page(look)
  await stage.signUp(page, '2026-11-01')
  await stage.work(page, '2026-11-19', '08:00', '10:00', { project: 'Harbour', tags: ['ui', 'code'] })
  await stage.work(page, '2026-11-19', '09:30', '11:00', { project: 'Garden', note: 'Roses' })
  await stage.work(page, '2026-11-20', '08:00', '09:15', { project: 'Harbor', tags: ['ui'] })
  await stage.work(page, '2026-10-05', '08:00', '12:00', { project: 'Harbour' })
  await stage.visit(page, path)
  return page
}

/** The texts of the lines of a table, as far as they are seen, and of its sums. */
async function linesOf(table: Locator): Promise<string[]> {
  await table.waitFor()
  const texts = await table.locator('tbody tr, tfoot tr').allInnerTexts()
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').trim())
}

/** Chooses an option of a select by its label. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test.each(looks)('a report adds up, and its address keeps its filters: $size $language', async (look) => {
  const t = wordsOf(look.language)
  const page = await opened(look, '/reports')
  const table = page.getByRole('table')
  await expect
    .poll(() => linesOf(table))
    .toEqual([
      'Harbour 1 2:00',
      'Garden 1 1:30',
      'Harbor 1 1:15',
      `${t('reports.repeated')} −0:30`,
      `${t('reports.total')} 4:15`,
    ])
  await expectAccessible(page)
  await choose(page, t('reports.group.label'), t('reports.group.day'))
  await expect.poll(() => linesOf(table)).toHaveLength(3)
  await choose(page, t('reports.group.label'), t('reports.group.tag'))
  await expect
    .poll(() => linesOf(table))
    .toEqual([
      '#ui 2 3:15',
      '#code 1 2:00',
      `${t('reports.noTag')} 1 1:30`,
      `${t('reports.repeated')} −2:30`,
      `${t('reports.total')} 4:15`,
    ])
  await page.getByRole('searchbox').fill('ROSES')
  await expect.poll(() => linesOf(table)).toEqual([`${t('reports.noTag')} 1 1:30`, `${t('reports.total')} 1:30`])
  const bookmark = page.url()
  await page.goBack()
  await expect.poll(() => linesOf(table)).toHaveLength(3)
  await page.goBack()
  await expect.poll(() => table.getByText('Garden').count()).toBe(1)
  await page.getByRole('link', { name: 'Harbour' }).click()
  await expect.poll(() => page.url()).toContain('project=Harbour')
  await page.goto(bookmark)
  expect(await page.getByRole('searchbox').inputValue()).toBe('ROSES')
  // A mistyped address is not taken for one without dates.
  await page.goto(bookmark.replace(/by=\w+/, 'by=colour'))
  await page.getByText(t('ui.notFound.part', { part: 'by=colour' })).waitFor()
  await page.goto(bookmark)
  await expect.poll(() => linesOf(table)).toEqual([`${t('reports.noTag')} 1 1:30`, `${t('reports.total')} 1:30`])
})

heavyTest.each(looks)(
  'the arrow keys lead to other months, and presets to other periods: $size $language',
  async (look) => {
    const t = wordsOf(look.language)
    const page = await opened(look, '/reports#by=month')
    const table = page.getByRole('table')
    await expect.poll(() => table.getByText('4:15').count()).toBe(2)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => table.getByText('4:00').count()).toBe(2)
    expect(page.url()).toContain('dates=last-month')
    await page.keyboard.press('ArrowLeft')
    await page.getByText(t('reports.nothing')).waitFor()
    await page.keyboard.press('t')
    await expect.poll(() => table.getByText('4:15').count()).toBe(2)
    await choose(page, t('reports.dates.label'), t('reports.dates.all'))
    await expect.poll(() => linesOf(table)).toHaveLength(3)
    await page.getByLabel(t('reports.to'), { exact: true }).fill('2026-10-31')
    await page.keyboard.press('Tab')
    await expect.poll(() => linesOf(table)).toHaveLength(2)
    expect(page.url()).toContain('to=2026-10-31')
  },
)

heavyTest('the search shows the sum of its report, whatever it looks for', async () => {
  const t = wordsOf(desktop.language)
  const page = await opened(desktop, '/search')
  await stage.work(page, '2026-11-20', '08:30', '08:45', { kind: 'break' })
  const status = page.getByRole('status').filter({ hasText: '·' })
  const sumOfSearch = async () => /· (\S+) /.exec(await status.innerText())?.[1]
  const sumOfReport = async () => {
    await page.getByRole('link', { name: t('search.report') }).click()
    const total = page.getByRole('row', { name: t('reports.total') })
    const time = (await total.getByRole('cell').innerText()).trim()
    await page.goBack()
    return time
  }
  const words = page.getByRole('searchbox')
  await expect.poll(sumOfSearch).toBe('8:00')
  expect(await sumOfReport()).toBe('8:00')
  await words.fill('harb')
  await expect.poll(sumOfSearch).toBe('7:00')
  await page.getByLabel(t('search.from'), { exact: true }).fill('2026-11-19')
  await page.keyboard.press('Tab')
  await expect.poll(sumOfSearch).toBe('3:00')
  expect(await sumOfReport()).toBe('3:00')
  // The way back from the report leads to the same search.
  expect(await words.inputValue()).toBe('harb')
  await words.fill('')
  await choose(page, t('search.kind'), t('entries.kind.break'))
  await expect.poll(sumOfSearch).toBe('0:15')
  expect(await sumOfReport()).toBe('0:15')
})

heavyTest.each(looks)('a project is merged into another, and that is undone as one: $size $language', async (look) => {
  const t = wordsOf(look.language)
  const page = await opened(look, '/projects')
  const table = page.getByRole('table').first()
  const names = async () => (await table.locator('tbody th').allInnerTexts()).toSorted()
  await expect.poll(names).toEqual(['Garden', 'Harbor', 'Harbour'])
  const act = async (name: string, action: string) => {
    await page.getByRole('button', { name: t('projects.actionsOf', { name }), exact: true }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await expectStateAccessible(page)
  await act('Harbor', t('projects.rename'))
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox').fill('Harbour')
  await dialog.getByText(t('projects.merges_one', { number: '1', name: 'Harbor', other: 'Harbour' })).waitFor()
  await expectStateAccessible(page)
  await dialog.getByRole('button', { name: t('projects.merge') }).click()
  await expect.poll(names).toEqual(['Garden', 'Harbour'])
  await table.getByText('7:15').waitFor()
  await page.getByRole('button', { name: t('ui.undo') }).click()
  await expect.poll(names).toEqual(['Garden', 'Harbor', 'Harbour'])

  await act('Garden', t('projects.rename'))
  await dialog.getByRole('combobox').fill('Park')
  await page.keyboard.press('Enter')
  await expect.poll(names).toEqual(['Harbor', 'Harbour', 'Park'])
  const stored = async () => {
    const answer = await stage.ask(page, 'GET', '/api/entries?from=2026-11-19&to=2026-11-19')
    return answer.items.map(({ project, note }: { project: string; note: string }) => [project, note])
  }
  await expect.poll(stored).toContainEqual(['Park', 'Roses'])
  await act('Park', t('projects.archive'))
  await page.getByRole('heading', { name: t('projects.archived') }).waitFor()
  await expect.poll(names).toEqual(['Harbor', 'Harbour'])
  await stage.visit(page, '/day/2026-11-20')
  await page.getByRole('list').getByText('Harbor').click()
  await dialog.getByLabel(t('entries.editor.project')).fill('')
  await page.getByRole('option', { name: 'Harbour' }).waitFor()
  expect(await page.getByRole('option', { name: 'Park' }).count()).toBe(0)
})

heavyTest.each(looks)('an exported report has the figures that are shown: $size $language', async (look) => {
  const t = wordsOf(look.language)
  const page = await opened(look, '/reports')
  await page.getByRole('table').waitFor()
  const saved = async (format: 'csv' | 'xlsx') => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: t('reports.export.label') }).click()
    await page.getByRole('menuitem', { name: t(`reports.export.${format}`) }).click()
    const file = await download
    return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
  }
  const csv = await saved('csv')
  expect(csv.name).toBe('report-2026-11-01-2026-11-30.csv')
  expect(csv.bytes.toString('utf8').split('\r\n')).toEqual([
    'project,hours,entries',
    'Harbour,2,1',
    'Garden,1.5,1',
    'Harbor,1.25,1',
    `${t('reports.repeated')},-0.5,`,
    '',
  ])
  const workbook = await saved('xlsx')
  expect(workbook.bytes.subarray(0, 2).toString('latin1')).toBe('PK')
})

heavyTest('on paper a report has all its lines and no buttons', async () => {
  const t = wordsOf(desktop.language)
  const page = await opened(desktop, '/reports#words=roses')
  await page.getByRole('table').waitFor()
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('button').count()).toBe(0)
  await page.getByText(`${t('reports.words')}: roses`).waitFor()
  expect(await linesOf(page.getByRole('table'))).toEqual(['Garden 1 1:30', `${t('reports.total')} 1:30`])
})
