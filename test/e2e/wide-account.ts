import type { Page } from 'playwright-core'
import { desktop, type Look, person, Stage, wordsOf } from './stage.ts'

/** A Friday in Berlin, late enough that the day's target is reached at 11:18 PM. */
const NOW = '2026-11-20T15:37:00.000Z'
/** A Friday. Its week is closed, and the 150 full ones after it are open. */
const BEGIN = '2023-12-29'
const ZONE = 'Europe/Berlin'
const HOUR_MS = 3_600_000
/** The balance that the account comes to: −4,275:20. */
const BALANCE_MS = -(4_275 * 60 + 20) * 60_000

/** Names of thirty letters each. */
const projects = ['Donaudampfschifffahrtskapitäne', 'Rindfleischetikettierungsgeset', 'Kraftfahrzeughaftpflichtversic']
const PERSON = 'Friederike-Charlotte Schmidtke'
const NOTE = 'Besprechung mit der Geschäftsführung über die Betriebsvereinbarung zur Arbeitszeit. '.repeat(36)

/** Opens a stage with an account whose names and figures are as long as people have them, and 150 open weeks. */
export async function openWideAccount(): Promise<Stage> {
  const stage = await Stage.open(NOW)
  const { page } = await stage.page(desktop)
  await stage.signUp(page, null)
  await stage.ask(page, 'PATCH', '/api/me', { name: PERSON })
  await stage.ask(page, 'POST', '/api/settings', {
    effective_from: BEGIN,
    time_zone: ZONE,
    target_ms: [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * HOUR_MS),
    break_policy: {
      rules: [{ worked_above_ms: 6 * HOUR_MS, required_ms: HOUR_MS / 2 }],
      min_piece_ms: HOUR_MS / 4,
    },
    hints: 'de',
    core_time: { from: '09:00', to: '14:30' },
    vacation: { days_per_year: 28.5, carry_over_until: '03-31' },
    limits: { green_ms: 20 * HOUR_MS, yellow_ms: 40 * HOUR_MS, period_ends: ['12-31'], keep_at_most_ms: 12 * HOUR_MS },
  })
  await fillClosedWeek(stage, page)
  await fillWeek(stage, page)
  await fillSettings(stage, page)
  const { projected_balance_ms } = await stage.ask(page, 'GET', '/api/balance')
  await stage.ask(page, 'POST', '/api/balance/adjustments', {
    effective_date: BEGIN,
    delta_ms: BALANCE_MS - projected_balance_ms,
    kind: 'opening',
    reason: NOTE.slice(0, 80),
  })
  await page.close()
  return stage
}

/** A way to show the app. */
export interface Way {
  language: Look['language']
  hours: 'h12' | 'h23'
}

/** Opens the app of a stage on a page of its user, up to what is synced. */
export async function openWidePage(stage: Stage, { language, hours }: Way): Promise<Page> {
  const { page } = await stage.page({ ...desktop, language })
  await stage.signIn(page)
  await stage.ask(page, 'PATCH', '/api/me', { preferences: { hours } })
  await stage.visit(page)
  await page.getByText(wordsOf(language)('sync.saved')).first().waitFor({ state: 'attached' })
  return page
}

/** Closes the first week, which a late edit then changes. */
async function fillClosedWeek(stage: Stage, page: Page): Promise<void> {
  await stage.work(page, BEGIN, '08:00', '16:00', { project: projects[0] })
  await stage.ask(page, 'POST', '/api/closed-weeks', { week: '2023-W52' })
  await stage.work(page, BEGIN, '16:30', '19:30', { project: projects[1] })
}

/** Adds what the settings, and those of the service, list. */
async function fillSettings(stage: Stage, page: Page): Promise<void> {
  const { password } = person
  await stage.ask(page, 'POST', '/api/me/tokens', { name: PERSON, password })
  const email = 'friederike-charlotte.schmidtke@verwaltung.beispielstadt.example'
  await stage.ask(page, 'POST', '/api/admin/users', { email, name: PERSON, password })
}

async function fillWeek(stage: Stage, page: Page): Promise<void> {
  const [first, second, third] = projects
  const tags = ['Betriebsratsvorsitzendenbüro', 'Arbeitszeitkontenüberleitung']
  for (const day of [16, 17, 18, 19]) {
    const date = `2026-11-${day}`
    await stage.work(page, date, '10:05', '12:20', { project: first, tags, note: NOTE })
    await stage.work(page, date, '11:35', '13:10', { project: second, counts: false })
    await stage.work(page, date, '13:40', '22:55', { project: third })
  }
  await stage.ask(page, 'POST', '/api/entries', {
    kind: 'vacation',
    date: '2026-11-17',
    day_share: 0.5,
    note: NOTE.slice(0, 200),
  })
  await stage.work(page, '2026-11-19', '23:15', '23:59', { project: first, ended_at: '2026-11-20T01:35:00+01:00' })
  const today = '2026-11-20'
  await stage.work(page, today, '10:05', '10:20', { project: first, tags, note: NOTE })
  await stage.work(page, today, '10:10', '10:25', { project: second, counts: false })
  const [started_at, ended_at] = [`${today}T10:25:00+01:00`, `${today}T10:55:00+01:00`]
  await stage.ask(page, 'POST', '/api/entries', { kind: 'break', started_at, ended_at })
  await stage.ask(page, 'POST', '/api/entries', {
    kind: 'work',
    started_at: `${today}T15:58:00+01:00`,
    ended_at: null,
    project: third,
    note: NOTE,
  })
}
