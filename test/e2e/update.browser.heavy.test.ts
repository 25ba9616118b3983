import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { openStage } from './open-stage.ts'
import { type Look, wordsOf } from './stage.ts'

const newer = mkdtempSync(join(tmpdir(), 'saldo-newer-app-'))
afterEach(() => rmSync(newer, { recursive: true, force: true }))

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

/** Watches from where a page gets the service's responses. Returns a function that lists that for its present load. */
async function watchSources(page: Page): Promise<() => Promise<(string | undefined)[]>> {
  const responses: { loaderId: string; source: string | undefined }[] = []
  const session = await page.context().newCDPSession(page)
  session.on('Network.responseReceived', ({ loaderId, response: { url, serviceWorkerRouterInfo } }) => {
    if (url.includes('/api/')) responses.push({ loaderId, source: serviceWorkerRouterInfo?.matchedSourceType })
  })
  await session.send('Network.enable')
  return async () => {
    const { frameTree } = await session.send('Page.getFrameTree')
    return responses.filter(({ loaderId }) => loaderId === frameTree.frame.loaderId).map(({ source }) => source)
  }
}

test('a new version of the app asks, waits for an open edit, and takes over when the user agrees', async () => {
  const stage = await openStage()
  writeNewer()
  const { page, errors } = await stage.page(look, { installed: true })
  await stage.signUp(page)
  await page.goto(stage.url)
  await page.evaluate('navigator.serviceWorker.ready.then(() => null)')
  const sourcesOfLoad = await watchSources(page)
  await page.reload()
  await page.getByRole('heading', { name: t('today.entries') }).waitFor()
  await page.getByText(t('sync.saved')).waitFor({ state: 'attached' })
  // A worker that starts again for requests that it does not answer delays a newer one.
  expect(new Set(await sourcesOfLoad())).toEqual(new Set(['network']))
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
  // Chromium waits up to five minutes for an older worker that is busy.
  await page.locator('meta[name=version]').waitFor({ state: 'attached', timeout: 400_000 })
  await page.getByRole('list').getByText('half of a thousand').waitFor()
  expect(errors.filter((error) => !error.includes('ERR_'))).toEqual([])
})
