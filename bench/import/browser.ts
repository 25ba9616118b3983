import { mondayOf, utcDate, weekOf } from '@saldo/core'
import type { Page } from 'playwright-core'
import { type Ask, openApp } from '../app/browser.ts'
import { load } from '../app/scenarios.ts'
import { median, type Result, within } from '../result.ts'
import {
  type Balance,
  FIRST_DAY,
  type ImportSizes,
  MOST_IMPORT_MS,
  MOST_PREVIEW_MS,
  togglCsv,
  until,
} from './scenarios.ts'

const MOST_REPORT_MS = 200
const REPORTS = 10

/** The same import in the app, with the service beside the browser; then reports of what was imported. */
export async function importingInBrowser({ rows }: ImportSizes): Promise<Result[]> {
  const bench = await openApp(addClosedWeeks, 1)
  try {
    const page = await bench.page()
    await load(page, `${bench.url}/import-export`)
    const buffer = Buffer.from(togglCsv(rows))
    await page.evaluate(`
      addEventListener('change', () => { window.previewed = probe.whenPainted([{ selector: 'dl' }]) })
      addEventListener('change', () => { window.fileChosenMs = performance.now() }, { capture: true })`)
    await page.locator('input[type=file]').setInputFiles({ name: 'toggl.csv', mimeType: 'text/csv', buffer })
    const previewMs: number = await page.evaluate('previewed.then((ms) => ms - fileChosenMs)')
    const beganMs = performance.now()
    await page.getByRole('button', { name: /^Import .* entries$/ }).click()
    await until(async () => await isSettled(bench.ask, rows))
    const importMs = performance.now() - beganMs
    await page.locator('[data-kind=saved]').waitFor({ state: 'attached', timeout: 120_000 })
    const reportMs = median(await reportTimes(page, bench.url))
    return [
      within(`preview of ${rows} rows in the app`, previewMs, MOST_PREVIEW_MS, 'ms'),
      within(`import of ${rows} rows in the app, sent and settled`, importMs, MOST_IMPORT_MS, 'ms'),
      within(`a report of ${rows} entries in the app, after the first`, reportMs, MOST_REPORT_MS, 'ms'),
    ]
  } finally {
    await bench.close()
  }
}

/** Sets working hours and waits until the service has closed all weeks before this one. */
async function addClosedWeeks(ask: Ask): Promise<void> {
  const settings = { time_zone: 'Europe/Berlin', auto_close: { day_after_ms: 0, week_after_days: 0 } }
  const target_ms = [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * 3_600_000)
  await ask('POST', '/api/settings', { ...settings, effective_from: FIRST_DAY, target_ms })
  const monday = mondayOf(weekOf(utcDate(Date.now())))
  await ask('POST', '/api/settings', { ...settings, effective_from: monday, target_ms: Array(7).fill(0) })
  await until(async () => ((await ask('GET', '/api/balance')) as Balance).open_delta_ms === 0)
}

async function isSettled(ask: Ask, rows: number): Promise<boolean> {
  const { kinds } = (await ask('GET', '/api/sync/digest')) as { kinds: { entries: { count: number } } }
  return kinds.entries.count === rows && ((await ask('GET', '/api/balance')) as Balance).recomputing.length === 0
}

/** Returns how long the table of another report takes from the choice to its frame, in milliseconds. */
async function reportTimes(page: Page, url: string): Promise<number[]> {
  await page.goto(`${url}/reports#dates=all`)
  await page.locator('main table tbody tr').first().waitFor()
  await page.evaluate('probe.rest()')
  const times: number[] = []
  for (let round = 0; round < REPORTS; round += 1) {
    const not = (await page.locator('main table').textContent()) ?? ''
    await page.getByRole('combobox').nth(1).click()
    const option = page.getByRole('option').nth((round + 1) % 5)
    await option.waitFor()
    await page.evaluate('probe.rest()')
    await page.evaluate(`probe.arm(${JSON.stringify([[{ selector: 'main table', not }]])})`)
    await option.click()
    times.push((await page.evaluate<number[]>('probe.answer()'))[0] ?? Number.NaN)
  }
  return times
}
