import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDays, type LocalDate, utcDate, weekOf } from '@saldo/core'
import { readConfig, startService, systemClock, systemRandom } from '@saldo/server'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { rolldown } from 'rolldown'

const SYSTEM = '/usr/bin/chromium'
const APP = join(import.meta.dirname, '../../packages/web/dist')
const silent = { error() {}, warn() {}, info() {}, debug() {} }

/** The real service with the built app, a user with an account, and a browser with a profile that is signed in. */
export interface AppBench {
  url: string
  /** A page of which the processor seems as much slower as was asked for. */
  page(): Promise<Page>
  close(): Promise<void>
}

/**
 * The user has so many entries, two a day until today, and all weeks closed but the last two; the processor seems so
 * many times slower.
 */
export async function openApp(entries: number, slower: number): Promise<AppBench> {
  const folder = mkdtempSync(join(tmpdir(), 'saldo-bench-app-'))
  const config = { ...readConfig({}), port: 0, dataDir: folder, writesPerMinute: 1e6, writtenBytesPerMinute: 1e12 }
  const service = await startService({
    config,
    clock: systemClock,
    random: systemRandom,
    log: silent,
    build: 'bench',
    appDir: APP,
  })
  const options = { timezoneId: 'UTC', locale: 'en-GB', viewport: { width: 1280, height: 800 } }
  const system = existsSync(SYSTEM) ? { executablePath: SYSTEM } : {}
  const browser = await chromium.launchPersistentContext(join(folder, 'profile'), { ...options, ...system })
  await browser.addInitScript({ content: await probe() })
  await fill(browser, service, entries)
  return {
    url: service.url,
    async page() {
      const page = await browser.newPage()
      const session = await browser.newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
      return page
    },
    async close() {
      await browser.close()
      await service.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function fill(
  browser: BrowserContext,
  { url, setupCode }: { url: string; setupCode: string | undefined },
  entries: number,
): Promise<void> {
  const post = async (path: string, data: object) => {
    const answer = await browser.request.post(url + path, { data, headers: { origin: url } })
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
  }
  const today = utcDate(systemClock.now())
  const from = addDays(today, -Math.floor((entries - 1) / 2))
  await post('/api/auth/sign-up', {
    email: 'bench@example.com',
    name: 'Bench',
    password: 'correct horse battery',
    setup_code: setupCode,
  })
  const target_ms = [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * 3_600_000)
  await post('/api/settings', { effective_from: from, time_zone: 'UTC', target_ms })
  const changes = Array.from({ length: entries }, (_, index) => changeOf(index, from))
  for (let at = 0; at < entries; at += 1_000) await post('/api/sync/push', { changes: changes.slice(at, at + 1_000) })
  const weeks = new Set<string>()
  for (let date = from; date < addDays(today, -14); date = addDays(date, 1)) weeks.add(weekOf(date))
  for (const week of weeks) await post('/api/closed-weeks', { week })
}

const projects = ['Harbour', 'Timetable', 'Office', 'Garden']

/** Four hours of work; the first of each day so early that today's is over. */
function changeOf(index: number, from: LocalDate): object {
  const date = addDays(from, Math.floor(index / 2))
  const [started_at, ended_at] =
    index % 2 === 0
      ? [`${date}T00:00:00.000Z`, `${date}T00:05:00.000Z`]
      : [`${date}T09:00:00.000Z`, `${date}T16:30:00.000Z`]
  const id = `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`
  const project = projects[index % projects.length]
  const content = { kind: 'work', started_at, ended_at, project, note: `piece ${index}`, tags: ['bench'] }
  return { kind: 'entries', op: 'upsert', record: { id, updated_at: started_at, ...content } }
}

async function probe(): Promise<string> {
  const bundle = await rolldown({ input: join(import.meta.dirname, 'page/probe.ts'), platform: 'browser' })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  await bundle.close()
  return output[0].code
}
