import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { closeBrowser, type Look, Stage, wordsOf } from './stage.ts'

const newer = mkdtempSync(join(tmpdir(), 'saldo-newer-app-'))
let stage: Stage | undefined
afterAll(closeBrowser)
afterEach(async () => {
  await stage?.close()
  rmSync(newer, { recursive: true, force: true })
})

const look: Look = { size: 'desktop', scheme: 'light', language: 'en' }
const t = wordsOf(look.language)

/** The app of the sources as they are, which says of itself that it is newer. */
async function buildNewer(): Promise<void> {
  vi.stubEnv('NODE_ENV', 'production')
  await build({
    root: join(import.meta.dirname, '../../packages/web'),
    logLevel: 'error',
    build: { outDir: newer, emptyOutDir: true },
    plugins: [
      { name: 'newer', transformIndexHtml: () => [{ tag: 'meta', attrs: { name: 'version', content: 'newer' } }] },
    ],
  })
  vi.unstubAllEnvs()
}

test('a new version of the app asks, waits for an open edit, and takes over when the user agrees', async () => {
  stage = await Stage.open()
  const built = buildNewer()
  const { page, errors } = await stage.page(look, { installed: true })
  await stage.signUp(page)
  await page.goto(stage.url)
  await page.evaluate('navigator.serviceWorker.ready.then(() => null)')
  await page.reload()
  await page.getByRole('heading', { name: t('today.entries') }).waitFor()
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('entries.editor.note')).fill('half of a thou')
  await built

  await stage.restartWith(newer)
  // It looks for a newer one every hour.
  await page.clock.fastForward('01:00:01')
  await page.getByText(t('app.update.ready')).waitFor()
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
