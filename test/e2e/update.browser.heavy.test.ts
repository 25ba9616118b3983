import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newerApp } from './newer-app.ts'
import { openStage } from './open-stage.ts'
import { type Look, untilInstalled, wordsOf } from './stage.ts'

const look: Look = { size: 'desktop', scheme: 'light', language: 'en' }
const t = wordsOf(look.language)

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
  const newer = newerApp()
  const { page, errors } = await stage.page(look, { installed: true })
  await stage.signUp(page)
  await page.goto(stage.url)
  await untilInstalled(page)
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
