import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type MailBox, openMailBox } from '../../packages/server/test/mail/smtp-server.ts'
import { expectAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { looks, person, wordsOf } from './stage.ts'

const grace = { name: 'Grace Hopper', email: 'grace@example.com', password: 'a new horse battery' }
const NEW_EMAIL = 'hopper@example.com'

/** Returns a port that nothing listens on: links in mails need the address of the service before it starts. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Returns the link in the newest mail to an address, once there are so many. */
async function linkTo(box: MailBox, address: string, count = 1): Promise<string> {
  await expect.poll(() => box.to(address).length).toBe(count)
  return /http\S+#\S+/.exec(box.to(address).at(-1)?.text ?? '')?.[0] ?? ''
}

async function setPassword(page: Page, t: ReturnType<typeof wordsOf>, link: string, password: string) {
  await page.goto('about:blank')
  await page.goto(link)
  await page.getByLabel(t('signIn.link.password'), { exact: true }).fill(password)
  await page.getByRole('button', { name: t('signIn.link.set') }).click()
}

test.each(looks)(
  '[D19.13] [D19.14] [D19.16] [D19.17] mails lead a colleague in, to a new address and to a new password: \
$size $language',
  async (look) => {
    const box = await openMailBox()
    const port = await freePort()
    const mail = { smtpUrl: box.url, mailFrom: 'saldo@example.com', publicUrl: `http://localhost:${port}` }
    const opened = await openStage(undefined, { port, ...mail })
    const t = wordsOf(look.language)
    const admin = await opened.page(look)
    await opened.signUp(admin.page)
    await opened.visit(admin.page, '/accounts')
    await admin.page.getByText(t('userAccounts.service.mailOn')).waitFor()
    await admin.page.getByRole('button', { name: t('userAccounts.invite') }).click()
    const dialog = admin.page.getByRole('dialog')
    await dialog.getByLabel(t('userAccounts.name'), { exact: true }).fill(grace.name)
    await dialog.getByLabel(t('signIn.email')).fill(grace.email)
    await dialog.getByLabel(t('ui.ownPassword'), { exact: true }).fill(person.password)
    await dialog.getByRole('button', { name: t('userAccounts.createInvitation') }).click()
    const [mailed = ''] = t('userAccounts.link.mailed', { email: grace.email, when: '…' }).split('…')
    await dialog.getByText(mailed).waitFor()
    expect(await dialog.locator('code').count()).toBe(0)
    await expectAccessible(admin.page)
    await admin.page.keyboard.press('Escape')
    await admin.page.getByText(t('userAccounts.mails.sent')).waitFor()

    const { page, errors } = await opened.page(look)
    await setPassword(page, t, await linkTo(box, grace.email), grace.password)
    await page.getByRole('heading', { level: 1, name: t('firstRun.title') }).waitFor()
    const target_ms = [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * 3_600_000)
    await opened.ask(page, 'POST', '/api/settings', {
      effective_from: '2026-11-20',
      time_zone: 'Europe/Berlin',
      target_ms,
    })
    await opened.visit(page, '/settings')
    await page.getByRole('button', { name: t('settings.account.changeEmail') }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel(t('settings.account.newEmail')).fill(NEW_EMAIL)
    await form.getByLabel(t('settings.password.current'), { exact: true }).fill(grace.password)
    await expectAccessible(page)
    await form.getByRole('button', { name: t('settings.account.changeEmail') }).click()
    await page.getByText(t('settings.account.emailSent', { email: NEW_EMAIL })).waitFor()
    await page.goto(await linkTo(box, NEW_EMAIL))
    await page.getByRole('button', { name: t('signIn.confirmEmail.action') }).click()
    await page.getByText(t('settings.account.emailChanged', { email: NEW_EMAIL })).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: t('signIn.confirmEmail.goOn') }).click()
    // The device knows the address from its next look, which is at the start.
    await opened.visit(page, '/settings')
    await page.getByText(t('settings.account.as', { email: NEW_EMAIL })).waitFor()
    // Another device gets the preferences of this one.
    await page
      .getByRole('radiogroup', { name: t('settings.look.durations') })
      .getByText(/^7[.,]50$/)
      .click()
    await expect.poll(async () => (await opened.ask(page, 'GET', '/api/me')).preferences?.durations).toBe('decimal')

    const other = await opened.page(look)
    await opened.visit(other.page)
    await other.page.getByRole('button', { name: t('signIn.forgotten.ask') }).click()
    await other.page.getByLabel(t('signIn.email')).fill(NEW_EMAIL)
    await expectAccessible(other.page)
    const send = other.page.getByRole('button', { name: t('signIn.forgotten.send') })
    // A mail that could not be asked for is not called sent.
    await other.page.getByLabel(t('signIn.email')).fill('hopper')
    await send.click()
    await other.page.getByText(t('signIn.incompleteEmail')).waitFor()
    await other.page.getByLabel(t('signIn.email')).fill(NEW_EMAIL)
    await send.click()
    await other.page.getByText(t('signIn.forgotten.sent', { email: NEW_EMAIL })).waitFor()
    await setPassword(other.page, t, await linkTo(box, NEW_EMAIL, 2), person.password)
    await expect.poll(() => other.page.url()).toBe(`${opened.url}/`)
    await opened.visit(other.page, '/settings')
    const durations = other.page.getByRole('radiogroup', { name: t('settings.look.durations') })
    await expect.poll(() => durations.getByRole('radio', { name: /^7[.,]50$/ }).isChecked()).toBe(true)
    // The browser reports the incomplete address.
    const reported = [...admin.errors, ...errors, ...other.errors]
    expect(reported.filter((text) => !text.includes('status of 400'))).toEqual([])
  },
)

test.each(looks)(
  '[D8.41] [D19.32] whoever signed up confirms the address in the settings’ account: $size $language',
  async (look) => {
    const box = await openMailBox()
    const port = await freePort()
    const mail = { smtpUrl: box.url, mailFrom: 'saldo@example.com', publicUrl: `http://localhost:${port}` }
    const opened = await openStage(undefined, { port, signup: 'open', ...mail })
    const t = wordsOf(look.language)
    const admin = await opened.page(look)
    await opened.signUp(admin.page)
    const { page, errors } = await opened.page(look)
    await opened.ask(page, 'POST', '/api/auth/sign-up', grace)
    await opened.ask(page, 'POST', '/api/settings', {
      ...{ effective_from: '2026-11-20', time_zone: 'Europe/Berlin', target_ms: Array(7).fill(0) },
    })
    const first = await linkTo(box, grace.email)
    await opened.visit(page, '/settings')
    await page.getByText(t('settings.account.unconfirmed')).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: t('settings.account.sendConfirmation') }).click()
    await page.getByText(t('settings.account.confirmationSent', { email: grace.email })).waitFor()
    const again = await linkTo(box, grace.email, 2)
    await page.goto('about:blank')
    await page.goto(first)
    await page.getByText(t('signIn.confirmEmail.endsKeys')).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: t('signIn.confirmEmail.action') }).click()
    await page.getByRole('alert').getByText(t('signIn.confirmEmail.invalid')).waitFor()

    // Elsewhere, the link waits until somebody has signed in.
    const other = await opened.page(look)
    await other.page.goto(again)
    await other.page.getByText(t('signIn.confirmEmail.signIn')).waitFor()
    await expectAccessible(other.page)
    await other.page.getByLabel(t('signIn.email')).fill(grace.email)
    await other.page.getByLabel(t('signIn.password'), { exact: true }).fill(grace.password)
    await other.page.getByRole('button', { name: t('signIn.signIn'), exact: true }).click()
    await other.page.getByRole('button', { name: t('signIn.confirmEmail.action') }).click()
    await other.page.getByText(t('settings.account.emailChanged', { email: grace.email })).waitFor()
    await other.page.getByRole('button', { name: t('signIn.confirmEmail.goOn') }).click()
    await opened.visit(other.page, '/settings')
    await other.page.getByText(t('settings.account.as', { email: grace.email })).waitFor()
    expect((await opened.ask(other.page, 'GET', '/api/me')).email_confirmed).toBe(true)
    expect(await other.page.getByText(t('settings.account.unconfirmed')).count()).toBe(0)
    // The browser reports the link that the later one replaced, and the session that ended.
    const reported = [...admin.errors, ...errors, ...other.errors]
    expect(reported.filter((text) => !/status of 40[14]/.test(text))).toEqual([])
  },
)
