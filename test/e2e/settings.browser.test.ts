import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../packages/server/src/env.ts'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { isSignedBy, openReceiver, withStatus } from '../../packages/server/test/webhooks/receiver.ts'
import { expectAccessible, expectStateAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { desktop, looks, person, wordsOf } from './stage.ts'

const t = wordsOf(desktop.language)

async function opened(look = desktop, config: Partial<Config> = {}) {
  const stage = await openStage(undefined, config)
  const { page } = await stage.page(look)
  await stage.signUp(page)
  await stage.visit(page, '/settings')
  return { page, stage }
}

test.each(looks)('every setting can be reached and is accessible: $size $language', async (look) => {
  const words = wordsOf(look.language)
  const { page } = await opened(look)
  await page.getByText(words('settings.sessions.current'), { exact: true }).waitFor()
  await page.getByText(words('settings.about.version', { build: 'e2e', protocol: '3' })).waitFor()
  await expectAccessible(page)
})

test('language, theme and formats change at once and persist', async () => {
  const { page, stage: at } = await opened()
  await page.getByText('7.50', { exact: true }).click()
  await page.getByText(t('app.menu.scheme.dark'), { exact: true }).click()
  await page.getByLabel(t('settings.look.weekStart'), { exact: true }).first().click()
  await page.getByRole('option', { name: 'Sunday' }).click()
  await page.getByLabel(t('settings.look.language'), { exact: true }).first().click()
  await page.getByRole('option', { name: 'Deutsch' }).click()
  const de = wordsOf('de')
  await page.getByRole('heading', { name: de('settings.title'), exact: true }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: de('settings.title'), exact: true }).waitFor()
  expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark')
  expect(await page.getByLabel(de('settings.look.weekStart')).first().inputValue()).toBe('Sonntag')
  await page.getByRole('link', { name: de('calendar.title'), exact: true }).click()
  expect(await page.getByRole('columnheader').first().textContent()).toBe('So')
  await page.getByRole('link', { name: de('today.title') }).click()
  await page.getByText(de('today.ring.of', { target: '8,00' })).waitFor()

  // Changes of another device arrive when this one is online or visible again.
  const elsewhere = (language: string) => at.ask(page, 'PATCH', '/api/me', { preferences: { language } })
  await expect.poll(async () => (await at.ask(page, 'GET', '/api/me')).preferences?.language).toBe('de')
  await elsewhere('en')
  await page.evaluate('dispatchEvent(new Event("online"))')
  await page
    .getByRole('link', { name: t('today.title'), exact: true })
    .first()
    .waitFor()
  await elsewhere('de')
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
  await page
    .getByRole('link', { name: de('today.title'), exact: true })
    .first()
    .waitFor()
})

heavyTest('of two sessions, tokens, feeds and webhooks, the chosen one ends', async () => {
  const { page, stage: at } = await opened(desktop, { privateWebhookHosts: ['localhost:1'] })
  const { password } = person
  const cookies: string[] = []
  for (const name of ['First', 'Second']) {
    const headers = { origin: at.url, 'content-type': 'application/json', 'user-agent': name }
    const body = JSON.stringify(person)
    const answer = await fetch(`${at.url}/api/auth/sign-in`, { method: 'POST', headers, body })
    cookies.push(answer.headers.getSetCookie().join(';'))
    await at.ask(page, 'POST', '/api/me/tokens', { name, scope: 'full', password })
    await at.ask(page, 'POST', '/api/me/feeds', { name, absences: true, work: false, language: 'en', password })
    const webhook = { url: `http://localhost:1/${name}`, events: ['day.closed'], password }
    await at.ask(page, 'POST', '/api/webhooks', webhook)
  }
  await page.reload()
  for (const [title, action, url] of [
    ['settings.sessions.title', 'settings.sessions.end', ''],
    ['settings.tokens.title', 'settings.tokens.revoke', ''],
    ['settings.feeds.title', 'settings.tokens.revoke', ''],
    ['settings.webhooks.title', 'settings.webhooks.delete', 'http://localhost:1/'],
  ] as const) {
    const section = page.getByRole('region', { name: t(title) })
    await section.getByText(`${url}Second`, { exact: true }).waitFor()
    await section.getByRole('button', { name: `${t(action)}: ${url}First` }).click()
    await section.getByRole('button', { name: t(action), exact: true }).click()
    await section.getByText(`${url}First`, { exact: true }).waitFor({ state: 'detached' })
    expect(await section.getByText(`${url}Second`, { exact: true }).count()).toBe(1)
  }
  const answers = await Promise.all(cookies.map((cookie) => fetch(`${at.url}/api/me`, { headers: { cookie } })))
  expect(answers.map(({ status }) => status)).toEqual([401, 200])
})

/** Creates a token in the settings. Returns its secret. */
async function createToken(page: Page, name: string): Promise<string> {
  const tokens = page.getByRole('region', { name: t('settings.tokens.title') })
  const make = tokens.getByRole('button', { name: t('settings.tokens.make') })
  await make.click()
  await tokens.getByLabel(t('settings.tokens.name')).fill(name)
  await tokens.getByLabel(t('settings.tokens.scopes.record'), { exact: true }).check()
  await tokens.getByRole('combobox', { name: t('settings.tokens.validity') }).click()
  await page.getByRole('option', { name: t('settings.tokens.validities.days', { count: '30' }) }).click()
  const password = tokens.getByLabel(t('settings.password.current'), { exact: true })
  await password.fill('not the password')
  await make.click()
  await tokens.getByText(t('settings.password.wrong')).waitFor()
  await expectStateAccessible(page)
  await password.fill(person.password)
  await make.click()
  await tokens.getByText(name, { exact: true }).waitFor()
  return (await tokens.locator('code').textContent()) ?? ''
}

heavyTest('a token needs the password, is shown once and can be revoked; the list shows its last use', async () => {
  const { page, stage: at } = await opened()
  const tokens = page.getByRole('region', { name: t('settings.tokens.title') })
  const token = await createToken(page, 'Backup')
  await tokens.getByText(t('settings.tokens.unused')).waitFor()
  await tokens.getByText(t('settings.tokens.expires', { when: '20 Dec 2026' })).waitFor()
  const headers = { authorization: `Bearer ${token}` }
  const ask = async (path = 'me', method = 'GET') => (await fetch(`${at.url}/api/${path}`, { method, headers })).status
  expect([await ask(), await ask('closed-weeks', 'POST')]).toEqual([200, 403])
  await page.reload()
  await tokens.getByText(t('settings.tokens.used', { when: '' }).trim()).waitFor()
  expect(await tokens.locator('code').count()).toBe(0)
  await tokens.getByRole('button', { name: `${t('settings.tokens.revoke')}: Backup` }).click()
  await tokens.getByRole('button', { name: t('settings.tokens.revoke'), exact: true }).click()
  await tokens.getByText(t('settings.tokens.none')).waitFor()
  expect(await ask()).toBe(401)
})

heavyTest(
  'a calendar feed shows what was chosen at its address, which is shown once, until it is revoked',
  async () => {
    const t = wordsOf('de')
    const { page, stage: at } = await opened({ ...desktop, language: 'de' })
    const entry = { kind: 'vacation', date: '2026-11-20', day_share: 1 }
    expect((await at.ask(page, 'POST', '/api/entries', entry)).kind).toBe('vacation')
    const feeds = page.getByRole('region', { name: t('settings.feeds.title') })
    await feeds.getByText(t('settings.feeds.none')).waitFor()
    const make = feeds.getByRole('button', { name: t('settings.feeds.make') })
    await make.click()
    await feeds.getByLabel(t('settings.feeds.name')).fill('Team')
    await feeds.getByLabel(t('settings.password.current'), { exact: true }).fill(person.password)
    await feeds.getByLabel(t('settings.feeds.absences'), { exact: true }).uncheck()
    await feeds.getByText(t('settings.feeds.chooseOne')).waitFor()
    await expectStateAccessible(page)
    // The browser does not submit an invalid form.
    expect(await feeds.locator('form:invalid').count()).toBe(1)
    await feeds.getByLabel(t('settings.feeds.absences'), { exact: true }).check()
    await make.click()
    await feeds.getByText(`${t('settings.feeds.shows.absences')}, ${t('settings.feeds.unused')}`).waitFor()
    const address = (await feeds.locator('code').textContent()) ?? ''
    await expectStateAccessible(page)
    const answer = await fetch(address)
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('SUMMARY:Urlaub')])

    await page.reload()
    await feeds.getByText(t('settings.feeds.used', { when: '' }).trim()).waitFor()
    expect(await feeds.locator('code').count()).toBe(0)
    await feeds.getByRole('button', { name: `${t('settings.tokens.revoke')}: Team` }).click()
    await feeds.getByRole('button', { name: t('settings.tokens.revoke'), exact: true }).click()
    await feeds.getByText(t('settings.feeds.none')).waitFor()
    expect((await fetch(address)).status).toBe(404)
  },
)

heavyTest('a webhook shows its secret once, sends a test, and shows how each delivery went', async () => {
  const receiver = await openReceiver()
  onTestFinished(() => receiver.close())
  const { page, stage: at } = await opened(desktop, { privateWebhookHosts: [receiver.host] })
  const section = page.getByRole('region', { name: t('settings.webhooks.title') })
  const create = section.getByRole('button', { name: t('settings.webhooks.make') })
  await create.click()
  const url = section.getByLabel(t('settings.webhooks.url'))
  await url.fill('https://127.0.0.1/hook')
  await section.getByLabel(t('settings.webhooks.events.absences'), { exact: true }).check()
  await section.getByLabel(t('settings.password.current'), { exact: true }).fill(person.password)
  await create.click()
  await section.getByText(t('settings.webhooks.urlRefused')).waitFor()
  await expectStateAccessible(page)
  await url.fill(`http://${receiver.host}/hook`)
  await create.click()
  const secret = (await section.locator('code').textContent()) ?? ''

  receiver.answer('/hook', withStatus(503))
  await at.ask(page, 'POST', '/api/entries', { kind: 'sick', date: '2026-11-20', day_share: 1 })
  await at.sendToWebhooks()
  await section.getByRole('button', { name: t('settings.webhooks.deliveries') }).click()
  const log = page.getByRole('dialog', { name: t('settings.webhooks.deliveries') })
  const why = t('settings.webhooks.problem.status', { status: '503' })
  await log.getByText(t('settings.webhooks.again', { why, when: '' }).trim()).waitFor()
  receiver.answer('/hook', withStatus(204))
  await log.getByRole('button', { name: t('settings.webhooks.test') }).click()
  await log.getByText(t('settings.webhooks.waiting')).waitFor()
  await at.sendToWebhooks()
  await log.getByText(t('settings.webhooks.delivered')).waitFor()
  await expectStateAccessible(page)
  expect(receiver.typesAt('/hook')).toEqual(['absence.created', 'ping'])
  expect(receiver.at('/hook').every((received) => isSignedBy(secret, received))).toBe(true)

  await page.keyboard.press('Escape')
  await section.getByRole('button', { name: t('settings.webhooks.delete') }).click()
  await section.getByRole('button', { name: t('settings.webhooks.delete'), exact: true }).click()
  await section.getByText(t('settings.webhooks.none')).waitFor()
})

heavyTest('changing the password needs the current one, and revokes tokens unless the box is cleared', async () => {
  const { page, stage: at } = await opened()
  const tokens = page.getByRole('region', { name: t('settings.tokens.title') })
  await at.ask(page, 'POST', '/api/me/tokens', { name: 'Backup', scope: 'full', password: person.password })
  await page.reload()
  await tokens.getByText('Backup', { exact: true }).waitFor()
  const section = page.getByRole('region', { name: t('settings.password.title') })
  const revoke = section.getByLabel(t('settings.password.revokeTokens'))
  expect(await revoke.isChecked()).toBe(true)
  const change = async (present: string, next: string) => {
    await section.getByLabel(t('settings.password.current'), { exact: true }).fill(present)
    await section.getByLabel(t('settings.password.next'), { exact: true }).fill(next)
    await section.getByRole('button', { name: t('settings.password.change') }).click()
  }
  await change('not the password', 'another long password')
  await section.getByText(t('settings.password.wrong')).waitFor()
  await revoke.uncheck()
  await change(person.password, 'another long password')
  await section.getByText(t('settings.password.done')).waitFor()
  await tokens.getByText('Backup', { exact: true }).waitFor()
  await revoke.check()
  await change('another long password', person.password)
  await tokens.getByText(t('settings.tokens.none')).waitFor()
})

heavyTest('the address is changed, and the account deleted after an export; a wrong password says so', async () => {
  const { page } = await opened()
  const account = page.getByRole('region', { name: t('settings.account.title') })
  await account.getByRole('button', { name: t('settings.account.changeEmail') }).click()
  const dialog = page.getByRole('dialog')
  const email = dialog.getByLabel(t('settings.account.newEmail'))
  const present = dialog.getByLabel(t('settings.password.current'), { exact: true })
  const change = dialog.getByRole('button', { name: t('settings.account.changeEmail') })
  await email.fill('lovelace')
  await present.fill('not the password')
  await change.click()
  await dialog.getByText(t('signIn.incompleteEmail')).waitFor()
  await email.fill('lovelace@example.com')
  await change.click()
  await dialog.getByText(t('settings.password.wrong')).waitFor()
  expect(await email.inputValue()).toBe('lovelace@example.com')
  await present.fill(person.password)
  await change.click()
  await account.getByText(t('settings.account.emailChanged', { email: 'lovelace@example.com' })).waitFor()
  await account.getByText(t('settings.account.as', { email: 'lovelace@example.com' })).waitFor()

  await page.getByRole('button', { name: t('settings.data.delete') }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: t('settings.data.export') }).click(),
  ])
  expect(download.suggestedFilename()).toBe('saldo-2026-11-20.json')
  await expectStateAccessible(page)
  const password = dialog.getByLabel(t('signIn.password'), { exact: true })
  const remove = dialog.getByRole('button', { name: t('settings.data.deleteForGood') })
  await password.fill('not the password')
  await remove.click()
  await dialog.getByText(t('settings.password.wrong')).waitFor()
  await password.fill(person.password)
  await remove.click()
  await page.getByLabel(t('signIn.email')).waitFor()
})

heavyTest('the data can be removed from the device and returns with the next sign-in', async () => {
  const { page } = await opened()
  await page.getByRole('button', { name: t('settings.data.remove') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('settings.data.remove') })
    .click()
  await page.getByRole('heading', { name: t('signIn.title') }).waitFor()
  expect(await page.evaluate('indexedDB.databases().then((all) => all.length)')).toBe(0)
  // Nobody else may sign up here, so nobody is offered to.
  await expect.poll(() => page.getByText(t('signIn.toSignUp')).count()).toBe(0)
  await page.getByLabel(t('signIn.email')).fill(person.email)
  const password = page.getByLabel(t('signIn.password'), { exact: true })
  const signIn = page.getByRole('button', { name: t('signIn.signIn'), exact: true })
  await password.fill('not the password')
  await signIn.click()
  await page.getByText(t('signIn.wrong')).waitFor()
  await password.fill(person.password)
  await signIn.click()
  await page.getByRole('heading', { level: 1, name: t('settings.title') }).waitFor()
})

test.each(looks)('a form of a view asks before it goes with changes: $size $language', async (look) => {
  const words = wordsOf(look.language)
  const { page, stage: at } = await opened(look)
  const go = (key: string) =>
    page
      .getByRole('link', { name: words(key), exact: true })
      .first()
      .click()
  const field = page.getByRole('textbox', { name: words('settings.profile.employer') })
  const answer = async (key: 'keep' | 'discard') => {
    await expectStateAccessible(page)
    await page.getByRole('button', { name: words(`ui.unsaved.${key}`) }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  const heading = (key: string) => page.getByRole('heading', { level: 1, name: words(key), exact: true }).waitFor()
  await field.fill('Acme')
  await go('account.title')
  await answer('keep')
  await page.evaluate('history.back()')
  await answer('keep')
  expect(await field.inputValue()).toBe('Acme')
  await go('account.title')
  await answer('discard')
  await heading('account.title')
  await page.evaluate('history.back()')
  await heading('settings.title')
  await field.fill('Acme')
  await page.evaluate('history.back()')
  await answer('discard')
  await at.visit(page, '/settings')
  expect(await field.inputValue()).toBe('')

  // Saved changes ask no longer.
  await field.fill('Acme')
  const form = page.locator('form').filter({ has: field })
  await form.getByRole('button', { name: words('ui.save') }).click()
  await form.getByText(words('settings.profile.saved')).waitFor()
  await go('account.title')
  await heading('account.title')
})

test('times typed in the row of an entry ask before another day is shown', async () => {
  const { page, stage: at } = await opened()
  await at.work(page, '2026-11-20', '08:00', '09:00')
  await at.visit(page)
  const times = { name: t('today.changeTimes') }
  await page.getByRole('button', times).click()
  await page.getByRole('link', { name: t('today.before') }).click()
  await page.getByRole('link', { name: t('today.toToday') }).click()
  await page.getByRole('button', times).click()
  const end = page.getByRole('textbox', { name: t('entries.editor.end'), exact: true })
  await end.fill('10')
  await page.getByRole('link', { name: t('today.before') }).click()
  await page.getByRole('button', { name: t('ui.unsaved.keep') }).click()
  await end.press('Enter')
  await page.getByText('08:00 – 10:00').first().waitFor()
  await page.getByRole('link', { name: t('today.before') }).click()
  await page.getByRole('link', { name: t('today.toToday') }).waitFor()
})
