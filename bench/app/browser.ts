import { join } from 'node:path'
import { addDays, type LocalDate, utcDate, weekOf } from '@saldo/core'
import { systemClock } from '@saldo/server'
import type { Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { openBrowserBench } from '../browser.ts'

const APP = join(import.meta.dirname, '../../packages/web/dist')
const JOBS_EVERY_MS = 1_000

/** The real service with the built app, a user with an account, and a browser with a profile that is signed in. */
export interface AppBench {
  url: string
  ask: Ask
  /** A page of which the processor seems as much slower as was asked for. */
  page(): Promise<Page>
  /** A page of somebody who has never been here. */
  strangersPage(): Promise<Page>
  close(): Promise<void>
}

/** Sends a request of the user; throws unless the answer is a success. Returns its body. */
export type Ask = (method: 'GET' | 'POST', path: string, data?: object) => Promise<unknown>

/** The processor seems `slower` times slower than it is. */
export async function openApp(fill: (ask: Ask) => Promise<void>, slower: number): Promise<AppBench> {
  const options = { timezoneId: 'UTC', locale: 'en-GB', viewport: { width: 1280, height: 800 } }
  const { service, browser, close } = await openBrowserBench(APP, options)
  // As the program does it.
  const jobs = setInterval(() => void service.runJobsAtPace(JOBS_EVERY_MS), JOBS_EVERY_MS)
  await browser.addInitScript({ content: await probe() })
  const ask: Ask = async (method, path, data) => {
    const options = { method, headers: { origin: service.url }, ...(data && { data }) }
    const answer = await browser.request.fetch(service.url + path, options)
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
    return answer.json()
  }
  await ask('POST', '/api/auth/sign-up', {
    email: 'bench@example.com',
    name: 'Bench',
    password: 'correct horse battery',
    setup_code: service.setupCode,
  })
  await fill(ask)
  return {
    url: service.url,
    ask,
    async page() {
      const page = await browser.newPage()
      const session = await browser.newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
      return page
    },
    async strangersPage() {
      const stranger = await browser.browser()?.newContext(options)
      if (!stranger) throw new Error('the browser has no second profile')
      await stranger.addInitScript({ content: await probe() })
      const page = await stranger.newPage()
      page.once('close', () => void stranger.close())
      return page
    },
    async close() {
      clearInterval(jobs)
      await close()
    },
  }
}

/** Adds so many entries, two a day until today, and closes all weeks but the last two. */
export async function addEntries(ask: Ask, entries: number): Promise<void> {
  const today = utcDate(systemClock.now())
  const from = addDays(today, -Math.floor((entries - 1) / 2))
  const target_ms = [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * 3_600_000)
  await ask('POST', '/api/settings', { effective_from: from, time_zone: 'UTC', target_ms })
  const changes = Array.from({ length: entries }, (_, index) => changeOf(index, from))
  for (let at = 0; at < entries; at += 1_000) {
    await ask('POST', '/api/sync/push', { changes: changes.slice(at, at + 1_000) })
  }
  const weeks = new Set<string>()
  for (let date = from; date < addDays(today, -14); date = addDays(date, 1)) weeks.add(weekOf(date))
  for (const week of weeks) await ask('POST', '/api/closed-weeks', { week })
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
