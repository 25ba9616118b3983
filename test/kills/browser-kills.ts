import { setTimeout } from 'node:timers/promises'
import { addDays } from '@saldo/core'
import { errors, type Page } from 'playwright-core'
import { KillableBrowser } from '../browser/chromium.ts'
import { type Person, RealService } from '../browser/service.ts'
import { wordsOf } from '../e2e/stage.ts'
import { chanceOf } from '../simulation/chance.ts'
import { eventually } from './recorded-account.ts'
import { someSettings } from './records.ts'

/** The first day on which something is recorded; each kill has a day of its own. */
const FIRST = '2026-01-05'
/** The longest that is recorded before the kill, in milliseconds. */
const LONGEST_MS = 2_500

const t = wordsOf('en')

export interface BrowserKillsOptions {
  kills: number
  seed: number
  tell?: (line: string) => void
}

export interface BrowserKillsResult {
  kills: number
  /** Of the kills, those while the page had no network. */
  offline: number
  /** Entries that the page listed. */
  acknowledged: number
  /** Of those, at the times of the kills, the ones that no answer of the service had settled. */
  unsent: number
}

/**
 * A person who records in the app, whose browser is killed, again and again. Throws unless everything that the page has
 * ever listed is on the device after the kill, and once at the service when the app has run again.
 */
export async function killBrowser({ kills, seed, tell }: BrowserKillsOptions): Promise<BrowserKillsResult> {
  const chance = chanceOf(seed)
  const service = await RealService.open({
    SALDO_WRITES_PER_MINUTE: '1000000',
    SALDO_WRITE_MEGABYTES_PER_MINUTE: '1000000',
  })
  const browser = await KillableBrowser.open()
  try {
    const person = await service.addPerson()
    await service.ask(person, '/api/settings', someSettings(8, 'all'))
    const result = { kills: 0, offline: 0, acknowledged: 0, unsent: 0 }
    const listed: string[] = []
    while (result.kills < kills) {
      const date = addDays(FIRST, result.kills)
      const isOffline = chance.below(2) === 0
      await signIn(browser, service, person)
      const page = await browser.context.newPage()
      await page.goto(`${service.url}/day/${date}`)
      await page.getByLabel(t('today.quick.label')).waitFor()
      // Changes that the last kill left unsent are sent.
      await eventually(async () => missing(listed, await notesOf(service, person)).length === 0)
      if (isOffline) await browser.context.setOffline(true)
      const recording = record(page, listed, result.kills)
      await setTimeout(chance.below(LONGEST_MS))
      await browser.kill()
      await recording
      await browser.reopen()

      result.kills += 1
      result.offline += isOffline ? 1 : 0
      const stored = await notesOf(service, person)
      result.unsent += missing(listed, stored).length
      const lost = missing(listed, await keptBy(browser, service, person))
      if (lost.length > 0) throw new Error(`lost on the device: ${lost}`)
      tell?.(`${result.kills} kills, ${listed.length} entries`)
    }
    await signIn(browser, service, person)
    await (await browser.context.newPage()).goto(service.url)
    await eventually(async () => missing(listed, await notesOf(service, person)).length === 0)
    result.acknowledged = listed.length
    return result
  } finally {
    await browser.remove()
    await service.close()
  }
}

async function signIn(browser: KillableBrowser, { url }: RealService, { cookie }: Person): Promise<void> {
  await browser.context.addCookies([{ ...cookie, url }])
}

/** Records one entry after the other, and notes which the page lists, until the browser is gone. */
async function record(page: Page, listed: string[], round: number): Promise<void> {
  try {
    for (let number = 0; ; number += 1) {
      const note = `note${lettersOf(round)}x${lettersOf(number)}`
      const minute = String(number % 60).padStart(2, '0')
      await page.getByLabel(t('today.quick.label')).fill(`8:${minute}-9:${minute} @Saldo ${note}`)
      await page.keyboard.press('Enter')
      await page.locator('li').getByText(note, { exact: true }).waitFor()
      listed.push(note)
    }
  } catch (error) {
    const isGone = error instanceof Error && /has been closed|crashed/.test(error.message)
    if (!isGone || error instanceof errors.TimeoutError) throw error
  }
}

/** A number in letters alone, which no one takes for a time. */
function lettersOf(number: number): string {
  return [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
}

const missing = (listed: readonly string[], there: readonly string[]) => {
  const has = new Set(there)
  return listed.filter((note) => !has.has(note))
}

/** Returns the service's records. Throws if it has one twice. */
async function notesOf(service: RealService, person: Person): Promise<string[]> {
  const { changes } = await service.ask(person, '/api/sync/pull')
  const notes = ((changes.entries ?? []) as { note: string }[]).map(({ note }) => note)
  const doubled = notes.filter((note, index) => notes.indexOf(note) !== index)
  if (doubled.length > 0) throw new Error(`doubled: ${doubled}`)
  return notes
}

/** Reads the database of the profile from a page of the same origin without the app. */
async function keptBy(browser: KillableBrowser, { url }: RealService, { user }: Person): Promise<string[]> {
  const page = await browser.context.newPage()
  await page.goto(`${url}/api/version`)
  const name = `saldo-${user}`
  const { names, quota } = await page.evaluate<{ names: string[]; quota: number }>(STORAGE)
  // A browser that is short of space may remove all that a site has.
  if (!names.includes(name)) throw new Error(`gone from the device: ${name}; it has ${names}, and room for ${quota}`)
  const rows: unknown = await page.evaluate(allRows(name))
  await page.close()
  return [...JSON.stringify(rows).matchAll(/"note":"(\w+)"/g)].map(([, note]) => note as string)
}

/** Reads which databases there are, and how many bytes they may have, in a page. */
const STORAGE = `(async () => {
  const names = (await indexedDB.databases()).map(({ name }) => name)
  return { names, quota: (await navigator.storage.estimate()).quota }
})()`

/** Reads all tables of a database, in a page. */
const allRows = (name: string) => `(async () => {
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  const database = await done(indexedDB.open('${name}'))
  const names = [...database.objectStoreNames]
  const transaction = database.transaction(names)
  const rows = await Promise.all(names.map((name) => done(transaction.objectStore(name).getAll())))
  database.close()
  return rows
})()`
