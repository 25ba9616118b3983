import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { type Look, Stage, wordsOf } from './stage.ts'

const newer = mkdtempSync(join(tmpdir(), 'saldo-newer-app-'))
let stage: Stage | undefined
afterEach(async () => {
  await stage?.close()
  rmSync(newer, { recursive: true, force: true })
})

const look: Look = { size: 'desktop', scheme: 'light', language: 'en' }
const t = wordsOf(look.language)

/** Writes a build of the app whose page says that it is newer. */
function writeNewer(): void {
  cpSync(join(import.meta.dirname, '../../packages/web/dist'), newer, { recursive: true })
  const replace = (name: string, pattern: RegExp, text: string) => {
    const file = join(newer, name)
    const before = readFileSync(file, 'utf8')
    expect(before).toMatch(pattern)
    writeFileSync(file, before.replace(pattern, text))
    for (const ending of ['.br', '.gz']) rmSync(file + ending, { force: true })
  }
  replace('index.html', /<head>/, '<head><meta name="version" content="newer">')
  // The service worker knows each file by a hash.
  replace('sw.js', /{url:`index.html`,revision:`\w+`}/, '{url:"index.html",revision:"newer"}')
}

/** Returns how the requests of a page to the service pass its worker, with those to come. */
async function passesOfRequests(page: Page): Promise<(string | undefined)[]> {
  const passes: (string | undefined)[] = []
  const session = await page.context().newCDPSession(page)
  session.on('Network.responseReceived', ({ response }) => {
    if (response.url.includes('/api/')) passes.push(response.serviceWorkerRouterInfo?.matchedSourceType)
  })
  await session.send('Network.enable')
  return passes
}

test('a new version of the app asks, waits for an open edit, and takes over when the user agrees', async () => {
  stage = await Stage.open()
  writeNewer()
  const { page, errors } = await stage.page(look, { installed: true })
  await stage.signUp(page)
  await page.goto(stage.url)
  await page.evaluate('navigator.serviceWorker.ready.then(() => null)')
  const passes = await passesOfRequests(page)
  await page.reload()
  await page.getByRole('heading', { name: t('today.entries') }).waitFor()
  await page.getByText(t('sync.saved')).waitFor({ state: 'attached' })
  // An older worker that starts again for what it does not answer ends late.
  expect(new Set(passes)).toEqual(new Set(['network']))
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('entries.editor.note')).fill('half of a thou')

  await stage.restartWith(newer)
  // It looks for a newer one every hour.
  await page.clock.fastForward('01:00:01')
  await page.getByText(t('app.update.ready')).waitFor()
  expect(await page.evaluate("getComputedStyle(document.querySelector('main')).paddingBottom")).toBe('112px')
  expect(await dialog.getByLabel(t('entries.editor.note')).inputValue()).toBe('half of a thou')
  expect(await page.locator('meta[name=version]').count()).toBe(0)

  await dialog.getByLabel(t('entries.editor.note')).fill('half of a thousand')
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await page.getByRole('list').getByText('half of a thousand').waitFor()
  await page.getByRole('button', { name: t('app.update.later') }).click()
  await page.getByText(t('app.update.ready')).waitFor({ state: 'detached' })
  await page.getByText(t('sync.saved')).waitFor({ state: 'attached' })
  await page.reload()
  await page.getByRole('button', { name: t('app.update.now') }).click()
  // The browser lets the older worker end first what it is sending.
  await page.locator('meta[name=version]').waitFor({ state: 'attached', timeout: 120_000 })
  await page.getByRole('list').getByText('half of a thousand').waitFor()
  expect(errors.filter((error) => !error.includes('ERR_'))).toEqual([])
})
