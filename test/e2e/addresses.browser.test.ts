import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { openStage } from './open-stage.ts'
import { desktop, wordsOf } from './stage.ts'

const t = wordsOf(desktop.language)
const manifest = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../packages/web/public/manifest.webmanifest'), 'utf8'),
) as { shortcuts: { url: string }[] }
/** The patterns of all views. */
const views = readFileSync(join(import.meta.dirname, '../../packages/web/src/shell/views.ts'), 'utf8')
  .matchAll(/'(\/[\w:/-]*)'/g)
  .map(([, pattern = '']) => pattern)
const shortcuts = manifest.shortcuts.map(({ url }) => url)

async function opened() {
  const stage = await openStage()
  const foreign = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<script>location.href = new URLSearchParams(location.search).get("to")</script>')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void foreign.close())
  const { page, context, errors } = await stage.page(desktop)
  await stage.signUp(page)
  /** Leads the page from another site to an address of the app. */
  const leadTo = async (address: string) => {
    const { port } = foreign.address() as AddressInfo
    await page.goto(`http://127.0.0.1:${port}/?${new URLSearchParams({ to: address })}`)
    await page.waitForURL((url) => url.port !== String(port))
  }
  /** Opens an address of the app as the system opens a shortcut: without a new process, in half the time. */
  const load = async (address: string) => {
    // Another document, since an address that differs in its fragment alone would load nothing.
    await page.goto(`${stage.url}/icon.svg`)
    await page.goto(address)
  }
  return { page, context, errors, stage, leadTo, load }
}

const question = (page: Page, name: string) => page.getByRole('dialog', { name: t(`today.asked.${name}`) })

/** Opens the app, with the addresses of its shortcuts. */
async function withShortcuts() {
  const all = await opened()
  const { page, stage: at } = all
  const running = async () => {
    const { items } = await at.ask(page, 'GET', '/api/entries?from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z')
    return items.filter(({ ended_at }: { ended_at: unknown }) => ended_at === null)
  }
  const [start, stop, pause] = shortcuts.map((url) => at.url + url) as [string, string, string]
  return { ...all, running, start, stop, pause }
}

test('[D8.42] an address of a shortcut asks, and the timer acts once after a press', async () => {
  const { page, stage: at, leadTo, load, running, start, stop } = await withShortcuts()
  await leadTo(start)
  await question(page, 'start').waitFor()
  await page.waitForURL(`${at.url}/`)
  await page.keyboard.press('Escape')
  await question(page, 'start').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('button', { name: t('today.timer.start') }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await running()).toEqual([])

  await load(start)
  await question(page, 'start').waitFor()
  expect(await page.evaluate('document.activeElement.textContent')).toBe(t('today.timer.start'))
  await page.keyboard.press('Enter')
  await page
    .getByRole('status')
    .filter({ hasText: t('today.timer.state.working') })
    .waitFor()
  await expect.poll(running).toMatchObject([{ kind: 'work' }])
  await load(stop)
  await question(page, 'stop')
    .getByRole('button', { name: t('today.timer.stop') })
    .click()
  await expect.poll(running).toEqual([])
})

heavyTest('[D8.42] an address of a shortcut asks only for what the timer can do now', async () => {
  const { page, stage: at, load, running, start, stop, pause } = await withShortcuts()
  // Nothing runs, so there is nothing to stop or to interrupt.
  for (const address of [stop, pause]) {
    await load(address)
    await page.waitForURL(`${at.url}/`)
    await page.getByRole('button', { name: t('today.timer.start') }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  }
  await load(start)
  await question(page, 'start').waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(running).toMatchObject([{ kind: 'work' }])
  await load(start)
  await page.waitForURL(`${at.url}/`)
  await page.getByRole('timer').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)

  await load(pause)
  await question(page, 'break')
    .getByRole('button', { name: t('today.timer.break') })
    .click()
  await expect.poll(running).toMatchObject([{ kind: 'break' }])
  await load(start)
  await question(page, 'resume')
    .getByRole('button', { name: t('today.timer.resume') })
    .click()
  await expect.poll(running).toMatchObject([{ kind: 'work' }])
})

heavyTest('[D8.42] another site that leads to any address of the app changes nothing', async () => {
  const { page, errors, stage: at, leadTo } = await opened()
  await at.work(page, '2026-11-19', '09:00', '17:00', { note: 'a note' })
  const { token } = await at.ask(page, 'POST', '/api/me/tokens', { name: 'look', password: 'correct horse battery' })
  const stored = async () => {
    const answer = await fetch(`${at.url}/api/me/export`, { headers: { authorization: `Bearer ${token}` } })
    const { exported_at: _, ...content } = (await answer.json()) as Record<string, unknown>
    return JSON.stringify(content).replaceAll(/"last_(used|active)_at":[^,}]*/g, '')
  }
  const before = await stored()
  expect(before).toContain('a note')
  const writes: string[] = []
  // Reads whose words come in a body.
  const reads = ['POST /api/reports', 'POST /api/admin/user-search']
  page.on('request', (request) => {
    const asked = `${request.method()} ${new URL(request.url()).pathname}`
    if (request.method() !== 'GET' && !reads.includes(asked)) writes.push(asked)
  })
  const values: Record<string, string> = { ':date': '2026-11-19', ':week': '2026-W47', ':year': '2026', ':month': '11' }
  const paths = [...views].map((pattern) => pattern.replaceAll(/:\w+/g, (name) => values[name] ?? ''))
  expect(paths.length).toBeGreaterThan(10)
  const fields = 'do=start&words=a&q=a&action=delete&forget=1&language=de'
  const addresses = [
    ...shortcuts,
    ...paths.map((path) => `${path}?${fields}#${fields}`),
    ...['/link#secret', '/confirm-email#secret', '/#setup=secret', '/#sign-in-failed=failed', '/nowhere?do=stop'],
    ...['//evil.example?do=start', '/\\evil.example/x', '//evil.example#sign-in-failed=failed', '///'],
  ]
  for (const address of addresses) {
    await leadTo(at.url + address)
    await page.getByRole('heading', { level: 1 }).or(page.getByRole('dialog')).first().waitFor()
    await page.evaluate('new Promise(requestIdleCallback)')
    expect([address, new URL(page.url()).origin]).toEqual([address, at.url])
  }
  expect(new Set(writes)).toEqual(new Set())
  expect(errors).toEqual([])
  expect(await stored()).toBe(before)
})

test('[D8.43] the secret of a link is in no address and no history once the page has read it', async () => {
  const { page, context, stage: at } = await opened()
  const urls = async () => {
    const session = await context.newCDPSession(page)
    const { entries } = await session.send('Page.getNavigationHistory')
    return entries.map(({ url }) => url).join(' ')
  }
  await page.goto(`${at.url}/link#link_secret`)
  await page.getByRole('button').first().waitFor()
  expect(page.url()).toBe(`${at.url}/`)
  await page.goto(`${at.url}/confirm-email#link_secret`)
  await page.getByRole('heading', { level: 1, name: t('signIn.confirmEmail.title') }).waitFor()
  expect(page.url()).toBe(`${at.url}/`)
  expect(await urls()).not.toContain('secret')
  const other = await at.page(desktop)
  await other.page.goto(`${at.url}/link#link_secret`)
  await other.page.getByRole('alert').waitFor()
  expect(other.page.url()).toBe(`${at.url}/`)
})
