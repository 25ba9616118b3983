/**
 * `npm run screenshots`: every view as a person sees it, on a desktop and a phone, light and dark, in
 * `docs/screenshots/`.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { problemOf } from '@saldo/core'
import type { BrowserContext, CDPSession, Locator, Page, Route } from 'playwright-core'
import { sharedBrowser } from '../browser/chromium.ts'
import { giveAuthenticator } from './authenticator.ts'
import { FULL_ACCOUNT_NOW, fillAccount } from './full-account.ts'
import { smallPng } from './small-png.ts'
import { type Look, person, Stage, untilInstalled, wordsOf } from './stage.ts'

const folder = join(import.meta.dirname, '../../docs/screenshots')
const language: Look['language'] = 'en'
const t = wordsOf(language)

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const
type Size = keyof typeof sizes
/** The project of the change that is rejected. */
const REFUSED = 'Observatory'

const variants = (['desktop', 'phone'] as const).flatMap((size) =>
  (['light', 'dark'] as const).map((scheme) => ({ size, scheme })),
)

/** Views of the account: their address, and what is there once all of it is. */
const views: readonly [string, string, (page: Page) => Locator][] = [
  ['today', '/', (page) => page.getByText(t('today.leave.label'))],
  ['week', '/week/2026-W45', (page) => page.getByRole('heading', { name: t('week.closing.title') })],
  ['account', '/account', (page) => page.getByRole('slider', { name: t('account.curve.label') })],
  ['calendar', '/calendar/2026', (page) => page.getByRole('button', { name: 'Thursday 31 December' })],
  ['month', '/calendar/2026/08', (page) => page.getByRole('button', { name: 'Monday 31 August' })],
  ['sheet', '/calendar/2026/10/sheet', (page) => page.getByRole('article')],
  ['schedule', '/schedule', (page) => page.getByRole('list', { name: t('schedule.history') })],
  ['search', '/search', (page) => page.getByText(/ worked$/)],
  ['reports', '/reports#dates=this-year', (page) => page.getByRole('row', { name: t('reports.total') })],
  ['projects', '/projects', (page) => page.getByRole('table')],
  ['settings', '/settings', (page) => page.getByText(t('settings.look.weekStart'))],
]

mkdirSync(folder, { recursive: true })
const stage = await Stage.open(FULL_ACCOUNT_NOW)

/** One page that is a desktop's or a phone's in turn. */
class Camera {
  readonly #page: Page
  readonly #session: CDPSession

  private constructor(page: Page, session: CDPSession) {
    this.#page = page
    this.#session = session
  }

  static async of(page: Page): Promise<Camera> {
    return new Camera(page, await page.context().newCDPSession(page))
  }

  /** Takes a view in every variant, each prepared afresh. */
  async take(name: string, makeReady: (size: Size) => Promise<void>): Promise<void> {
    for (const { size, scheme } of variants) {
      await this.#page.setViewportSize(sizes[size])
      await this.#session.send('Emulation.setTouchEmulationEnabled', { enabled: size === 'phone' })
      await this.#page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await makeReady(size)
      await this.#page.evaluate('document.fonts.ready.then(() => new Promise(requestAnimationFrame))')
      const picture = await this.#page.screenshot()
      writeFileSync(join(folder, `${name}-${size}-${scheme}.png`), smallPng(picture))
    }
  }
}

/** Goes to a view of the account, and waits until all of it is there. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(stage.url + path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.getByText(t('sync.saved')).waitFor({ state: 'attached' })
}

async function takeFirstRun(page: Page, camera: Camera): Promise<void> {
  await camera.take('sign-up', async () => {
    await page.goto('about:blank')
    await page.goto(stage.setupUrl)
    await page.getByLabel(t('signIn.email')).fill(person.email)
    await page.getByLabel(t('signIn.setupCode')).fill('HarbourLight')
  })
  await page.goto('about:blank')
  await page.goto(stage.setupUrl)
  await page.getByLabel(t('signIn.email')).fill(person.email)
  await page.getByLabel(t('signIn.name'), { exact: true }).fill(person.name)
  await page.getByLabel(t('signIn.password'), { exact: true }).fill(person.password)
  await page.getByRole('button', { name: t('signIn.signUp') }).click()
  const title = page.getByRole('heading', { name: t('firstRun.title') })
  await title.waitFor()
  await camera.take('first-run', async () => {
    await page.reload()
    await title.waitFor()
  })
}

/** The passkeys among the settings: one that is there, and the way to another. */
async function takePasskeys(page: Page, context: BrowserContext, camera: Camera): Promise<void> {
  await giveAuthenticator(context, page)
  await open(page, '/settings')
  const section = page.getByRole('region', { name: t('settings.passkeys.title') })
  const add = section.getByRole('button', { name: t('settings.passkeys.add'), exact: true })
  await add.click()
  await section.getByLabel(t('settings.password.current'), { exact: true }).fill(person.password)
  await add.click()
  const words = section.getByText(t('settings.passkeys.unused'))
  await words.waitFor()
  await camera.take('passkeys', async () => {
    await open(page, '/settings')
    await words.waitFor()
    await section.evaluate((shown) => shown.scrollIntoView({ block: 'center' }))
  })
}

async function takePalette(page: Page, camera: Camera): Promise<void> {
  await camera.take('palette', async () => {
    await open(page, '/')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByText(t('palette.timer.stop')).waitFor()
  })
}

async function quickEntry(page: Page, text: string): Promise<void> {
  await page.getByLabel(t('today.quick.label')).fill(text)
  await page.keyboard.press('Enter')
}

async function takeOffline(page: Page, context: BrowserContext, camera: Camera): Promise<void> {
  await untilInstalled(page)
  await open(page, '/day/2026-11-18')
  await context.setOffline(true)
  await quickEntry(page, '18:30-19:15 @Office Train home')
  await page.getByRole('img', { name: t('today.isPending') }).waitFor()
  await camera.take('offline', async () => {
    await page.goto(`${stage.url}/sync`)
    await page.getByRole('heading', { name: t('sync.outbox.title') }).waitFor()
  })
  await context.setOffline(false)
  await page.getByText(t('sync.nothing')).waitFor()
}

/**
 * Another device overrides a change that was made offline; and one is refused, as by a service that does not know a
 * zone yet.
 */
async function takeTrouble(page: Page, context: BrowserContext, camera: Camera): Promise<void> {
  await page.goto(`${stage.url}/day/2026-11-18`)
  await page.getByText(t('sync.saved')).waitFor({ state: 'attached' })
  await context.setOffline(true)
  const times = '18:30 – 19:15'
  await page.getByRole('list').getByText(times).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('entries.editor.project')).fill('Timetable')
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await page
    .getByRole('list')
    .getByRole('button', { name: `${times} Timetable` })
    .waitFor()
  await quickEntry(page, `20-20:30 ${REFUSED}`)
  await page.getByRole('list').getByText(REFUSED).waitFor()
  await changeElsewhere(page, { note: 'Train home, with Mara' })
  await context.route('**/api/sync/push', refuseOne)
  await context.setOffline(false)
  const both = t('sync.attention_other', { count: '2' })
  await page.getByText(both).first().waitFor({ state: 'attached' })
  await camera.take('sync', async () => {
    await page.goto(`${stage.url}/sync`)
    await page.getByRole('region', { name: t('sync.rejected.title') }).waitFor()
    await page
      .getByRole('row')
      .filter({ hasText: t('sync.field.project') })
      .waitFor()
  })
}

interface Change {
  kind: string
  record?: { id: string; project?: string; note: string; updated_at: string; started_at?: string }
}

interface Push {
  changes: Change[]
}

async function refuseOne(route: Route): Promise<void> {
  const { changes, ...push } = route.request().postDataJSON() as Push
  const [refused = [], others = []] = [true, false].map((isRefused) =>
    changes.filter(({ record }) => (record?.project === REFUSED) === isRefused),
  )
  const response = await route.fetch({ postData: { ...push, changes: others } })
  const answer = (await response.json()) as { results: object[] }
  await route.fulfill({ response, json: { ...answer, results: [...answer.results, ...refused.map(refusal)] } })
}

function refusal({ kind, record }: Change): object {
  const errors = [{ pointer: '/record/time_zone', detail: 'must be an IANA time zone such as Europe/Berlin' }]
  const problem = problemOf('invalid_record', 'The change cannot be stored.', errors)
  return { kind, id: record?.id, status: 'rejected', problem }
}

/** Changes the entry of the train as another device does. */
async function changeElsewhere(page: Page, changed: object): Promise<void> {
  const answer = await page.request.get(`${stage.url}/api/entries?from=2026-11-18&to=2026-11-18`)
  const { items } = (await answer.json()) as { items: NonNullable<Change['record']>[] }
  const entry = items.find(({ note }) => note === 'Train home')
  await page.request.put(`${stage.url}/api/entries/${entry?.id}`, {
    data: { ...entry, ...changed },
    headers: { origin: stage.url },
  })
}

try {
  const { page, context } = await stage.page({ size: 'desktop', scheme: 'light', language }, { installed: true })
  await stage.standStill(FULL_ACCOUNT_NOW)
  const camera = await Camera.of(page)
  await takeFirstRun(page, camera)
  await fillAccount(page)
  for (const [name, path, whole] of views) {
    await camera.take(name, async () => {
      await open(page, path)
      await whole(page).first().waitFor()
    })
  }
  await takePasskeys(page, context, camera)
  await takePalette(page, camera)
  await takeOffline(page, context, camera)
  await takeTrouble(page, context, camera)
} finally {
  await stage.close()
  await (await sharedBrowser()).close()
}
