import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { CLIENT, startProvider, type TestProvider } from '../../packages/server/test/http/openid-provider.ts'
import { expectAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { looks, person, wordsOf } from './stage.ts'

let provider: TestProvider | undefined
afterEach(() => provider?.close())

/** A port that nobody uses: the provider must know the address before the service starts. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The button of an account on the page of the provider. */
async function continueAs(page: Page, subject: string): Promise<void> {
  await page.getByRole('button', { name: `Continue as ${subject}` }).click()
}

test.each(looks)(
  '[D20.13] company sign-in in $language: a first sign-in, one with changes that wait, and one of somebody else',
  async (look) => {
    const t = wordsOf(look.language)
    const port = await freePort()
    const publicUrl = `http://localhost:${port}`
    provider = await startProvider({
      redirectUris: [`${publicUrl}/api/auth/oidc/1/callback`],
      postLogoutRedirectUris: [`${publicUrl}/`],
    })
    provider.accounts.set('ada', { email: person.email, email_verified: true, name: person.name })
    provider.accounts.set('eve', { email: 'eve@elsewhere.example', email_verified: true, name: 'Eve' })
    const own = { id: '1', issuer: provider.issuer, ...CLIENT, label: 'Example GmbH', scope: 'openid email profile' }
    const claims = { verifiedClaim: 'email_verified', groupsClaim: 'groups', adminGroup: undefined }
    const providers = [{ ...own, ...claims, domains: undefined, linking: true }]
    const stage = await openStage(undefined, { port, publicUrl, providers })
    const { page, context, errors } = await stage.page(look, { installed: true })
    const button = page.getByRole('button', { name: t('signIn.company.button', { label: 'Example GmbH' }) })
    const timer = { start: t('today.timer.start'), stop: t('today.timer.stop') }

    // The first user signed up with a password; the company's account is linked to it.
    await stage.signUp(page)
    await context.clearCookies()
    await page.goto(stage.url)
    await button.waitFor()
    await expectAccessible(page)
    await button.click()
    await continueAs(page, 'eve')
    await page.getByText(t('signIn.company.failure.domain')).waitFor()
    expect(new URL(page.url()).hash).toBe('')
    // The provider still knows who was there.
    await context.clearCookies()
    await button.click()
    await continueAs(page, 'ada')
    await page.getByRole('button', { name: timer.start }).waitFor()

    // The session ends; a change waits on the device, and is sent after the way over the provider.
    await context.clearCookies()
    await page.getByRole('button', { name: timer.start }).click()
    await page.getByRole('button', { name: timer.stop }).waitFor()
    await page.getByTitle(t('sync.signInAgain')).first().waitFor()
    await page.goto(`${stage.url}/week/2026-W47`)
    await page.getByTitle(t('sync.signInAgain')).first().click()
    await button.waitFor()
    await expectAccessible(page)
    await button.click()
    await continueAs(page, 'eve')
    await page.getByText(t('signIn.company.failure.other_user', { email: person.email })).waitFor()
    expect(page.url()).toBe(`${stage.url}/week/2026-W47`)
    await context.clearCookies()
    await button.click()
    await continueAs(page, 'ada')
    await page.getByRole('status').getByText(t('sync.saved')).first().waitFor()
    expect(page.url()).toBe(`${stage.url}/week/2026-W47`)
    const entries = async () => (await stage?.ask(page, 'GET', '/api/entries'))?.items
    await expect.poll(entries).toMatchObject([{ kind: 'work', ended_at: null }])

    // Signing out offers to sign out of the provider too, and a provider that is down says so.
    await page.goto(`${stage.url}/settings`)
    const tokens = page.getByRole('region', { name: t('settings.tokens.title') })
    await tokens.getByRole('button', { name: t('settings.tokens.make') }).click()
    await page.getByRole('region', { name: t('settings.password.title') }).waitFor({ state: 'detached' })
    await tokens.getByLabel(t('settings.tokens.name')).fill('Backup')
    await tokens.getByLabel(t('settings.password.current')).waitFor({ state: 'detached' })
    await tokens.getByRole('button', { name: t('settings.tokens.make'), exact: true }).click()
    await tokens.getByText(t('settings.tokens.once')).waitFor()
    await page.getByRole('button', { name: t('app.signOut.action') }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('app.signOut.action') })
      .click()
    const leave = page.getByRole('link', { name: t('signIn.company.signOut') })
    await leave.waitFor()
    await expectAccessible(page)
    expect(await leave.getAttribute('href')).toMatch(`${provider.issuer}/session/end?`)
    expect(errors).toEqual([])
    provider.isDown = true
    await button.click()
    await page.getByText(t('signIn.company.unavailable')).waitFor()
  },
)
