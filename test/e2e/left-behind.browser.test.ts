import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { openStage } from './open-stage.ts'
import { desktop, person, untilInstalled, wordsOf } from './stage.ts'

const t = wordsOf(desktop.language)
const NOTE = 'Talk with the works council'

/** Reads all that a page can read of what the browser keeps for it, as text. */
const KEPT = `(async () => {
  const kept = { ...localStorage, ...sessionStorage, cookie: document.cookie }
  for (const { name } of await indexedDB.databases()) {
    const database = await new Promise((resolve, reject) => {
      const request = indexedDB.open(name)
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    for (const store of database.objectStoreNames) {
      kept[name + ' ' + store] = await new Promise((resolve, reject) => {
        const request = database.transaction(store).objectStore(store).getAll()
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    }
    database.close()
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    for (const request of await cache.keys()) {
      const body = new URL(request.url).pathname.startsWith('/api/') ? await (await cache.match(request)).text() : ''
      kept[name + ' ' + request.url] = body
    }
  }
  return JSON.stringify(kept)
})()`

/** A signed-in page whose app is installed, with a record, a token and a second factor. */
async function opened() {
  const stage = await openStage()
  const { page, context } = await stage.page(desktop, { installed: true })
  await stage.signUp(page)
  await stage.work(page, '2026-11-19', '09:00', '17:00', { note: NOTE })
  await stage.visit(page, '/calendar/2026')
  await stage.visit(page, '/day/2026-11-19')
  await page.getByText(NOTE).first().waitFor()
  await untilInstalled(page)
  const { token } = await stage.ask(page, 'POST', '/api/me/tokens', { name: 'cron', password: person.password })
  const { key } = await stage.ask(page, 'POST', '/api/me/second-factor', { password: person.password })
  const cookies = (await context.cookies()).map(({ value }) => value)
  expect(cookies).toHaveLength(1)
  const secrets = [person.password, token, key, ...cookies, ...cookies.map(decodeURIComponent)] as string[]
  return { page, context, secrets, stage }
}

/** The names of what the browser keeps for the app beside its databases. */
const KEYS = '[...Object.keys(localStorage), ...Object.keys(sessionStorage)]'

const keptBy = async (page: Page) => String(await page.evaluate(KEPT))

async function signOut(page: Page, { forget }: { forget: boolean }): Promise<void> {
  const account = page.getByRole('region', { name: t('settings.account.title') })
  await account.getByRole('button', { name: t('app.signOut.action') }).click()
  const dialog = page.getByRole('dialog')
  if (forget) await dialog.getByLabel(t('app.signOut.forget')).check()
  await dialog.getByRole('button', { name: t('app.signOut.action') }).click()
  await page.getByLabel(t('signIn.email')).waitFor()
}

/** Fails if the browser keeps a cookie, or if the service accepts one that was copied before. */
async function expectSignedOut(context: BrowserContext, secrets: readonly string[], url: string): Promise<void> {
  expect(await context.cookies()).toEqual([])
  const cookie = `saldo.session_token=${secrets[3]}`
  expect((await fetch(`${url}/api/me`, { headers: { cookie } })).status).toBe(401)
}

heavyTest('[D8.34] no secret is in what the browser keeps, and signing out leaves records only', async () => {
  const { page, context, secrets, stage: at } = await opened()
  await at.visit(page, '/settings')
  await page.getByText(t('settings.sessions.current'), { exact: true }).waitFor()
  const before = await keptBy(page)
  expect(before).toContain(NOTE)
  for (const secret of secrets) expect(before).not.toContain(secret)
  await signOut(page, { forget: false })
  const after = await keptBy(page)
  expect(after).toContain(NOTE)
  for (const secret of [...secrets, person.email]) expect(after).not.toContain(secret)
  await expectSignedOut(context, secrets, at.url)
})

test('[D8.34] signing out and removing the data leaves nothing of the user in the browser', async () => {
  const { page, context, secrets, stage: at } = await opened()
  const { user_id: user } = await at.ask(page, 'GET', '/api/me')
  // As if the user had archived a project here.
  await page.evaluate(`localStorage.setItem('saldo.archived-projects.${user}', '["Observatory"]')`)
  await at.visit(page, '/week')
  await page.getByText(t('week.asTimesheet'), { exact: true }).click()
  await at.visit(page, '/settings')
  await page.getByText(t('app.menu.scheme.dark'), { exact: true }).click()
  expect(await page.evaluate(KEYS)).toEqual(expect.arrayContaining(['saldo.colorScheme', 'saldo.week.shown']))
  const other = await context.newPage()
  await other.goto(`${at.url}/day/2026-11-19`)
  await other.getByText(NOTE).first().waitFor()
  await other.getByLabel(t('today.quick.label')).fill('13-14 a secret')
  await expect.poll(() => keptBy(other)).toContain('a secret')
  await signOut(page, { forget: true })
  // Whoever sits down next sees nothing in another tab either.
  await other.getByLabel(t('signIn.email')).waitFor()
  for (const tab of [page, other]) {
    const after = await keptBy(tab)
    for (const trace of [...secrets, person.email, NOTE, 'a secret', String(user)]) expect(after).not.toContain(trace)
  }
  expect(await page.evaluate(KEYS)).toEqual([])
  expect(await page.evaluate('indexedDB.databases().then((all) => all.length)')).toBe(0)
  await expectSignedOut(context, secrets, at.url)
})
