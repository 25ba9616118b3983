import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { giveAuthenticator } from './authenticator.ts'
import { openStage } from './open-stage.ts'
import { desktop, person, phone, wordsOf } from './stage.ts'

async function confirmPassword(page: Page, t: ReturnType<typeof wordsOf>, action: string): Promise<void> {
  const form = page.locator('form').filter({ has: page.getByRole('button', { name: t(action), exact: true }) })
  await form.getByLabel(t('settings.password.current'), { exact: true }).fill(person.password)
  await form.getByRole('button', { name: t(action), exact: true }).click()
}

test('a passkey can be added, renamed and removed by its owner, and creates a token and signs in', async () => {
  const at = await openStage()
  const t = wordsOf(phone.language)
  const { page, context, errors } = await at.page(phone)
  const verify = await giveAuthenticator(context, page)
  await at.signUp(page)
  await at.visit(page, '/settings')
  const section = page.getByRole('region', { name: t('settings.passkeys.title') })
  await section.getByText(t('settings.passkeys.none')).waitFor()

  const add = section.getByRole('button', { name: t('settings.passkeys.add'), exact: true })
  await add.click()
  await confirmPassword(page, t, 'settings.passkeys.add')
  await section.getByText(t('settings.passkeys.unused')).waitFor()
  await expectAccessible(page)
  // The authenticator says that it has one already.
  await add.click()
  await confirmPassword(page, t, 'settings.passkeys.add')
  await section.getByText(t('ui.passkey.known')).waitFor()
  await section.getByRole('button', { name: t('ui.cancel') }).click()

  await section.getByRole('button', { name: t('settings.passkeys.rename') }).click()
  await section.getByLabel(t('settings.passkeys.name')).fill('Schlüsselbund')
  await expectAccessible(page)
  await section.getByRole('button', { name: t('ui.save') }).click()
  await section.getByText('Schlüsselbund', { exact: true }).waitFor()

  // A token without the password, in the name of a program.
  const tokens = page.getByRole('region', { name: t('settings.tokens.title') })
  await tokens.getByRole('button', { name: t('settings.tokens.make') }).click()
  const byPasskey = tokens.getByRole('button', { name: t('settings.tokens.makeByPasskey') })
  expect(await byPasskey.isDisabled()).toBe(true)
  await tokens.getByLabel(t('settings.tokens.name')).fill('Backup')
  await expectAccessible(page)
  await verify(false)
  await byPasskey.click()
  await tokens.getByText(t('ui.passkey.nothing')).waitFor()
  await verify(true)
  await byPasskey.click()
  await tokens.getByText(t('settings.tokens.once')).waitFor()
  await tokens.getByText('Backup', { exact: true }).waitFor()

  // The session has ended; one touch brings it back.
  await context.clearCookies()
  await page.reload()
  await page.getByTitle(t('sync.signInAgain')).first().click()
  const dialog = page.getByRole('dialog')
  await verify(false)
  await dialog.getByRole('button', { name: t('ui.passkey.signIn') }).click()
  await dialog.getByText(t('ui.passkey.nothing')).waitFor()
  await expectAccessible(page)
  await verify(true)
  await dialog.getByRole('button', { name: t('ui.passkey.signIn') }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.reload()
  // Also until the page has remembered its user, which the next lines have it forget.
  await section.getByText('Schlüsselbund', { exact: true }).waitFor()
  await section.getByText(t('settings.passkeys.unused')).waitFor({ state: 'detached' })

  // On the sign-in page, without a remembered user.
  await context.clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await page.getByLabel(t('signIn.email')).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: t('ui.passkey.signIn') }).click()
  await section.getByText('Schlüsselbund', { exact: true }).waitFor()

  await section.getByRole('button', { name: t('settings.passkeys.remove') }).click()
  await confirmPassword(page, t, 'settings.passkeys.remove')
  await section.getByText(t('settings.passkeys.none')).waitFor()
  await context.clearCookies()
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await page.getByRole('button', { name: t('ui.passkey.signIn') }).click()
  await page.getByText(t('ui.passkey.unknown')).waitFor()
  await page.getByLabel(t('signIn.email')).fill(person.email)
  await page.getByLabel(t('signIn.password'), { exact: true }).fill(person.password)
  await page.getByRole('button', { name: t('signIn.signIn'), exact: true }).click()
  await section.getByText(t('settings.passkeys.none')).waitFor()
  expect(errors).toEqual([])
})

test('if the service has no passkeys, sign-in says so and the password still works', async () => {
  const stage = await openStage()
  const t = wordsOf(desktop.language)
  const { page } = await stage.page(desktop)
  await stage.signUp(page, null)
  // Passkeys need a host name, and this address has none.
  const { port } = new URL(stage.url)
  await page.goto(`http://127.0.0.1:${port}`)
  await page.getByRole('button', { name: t('ui.passkey.signIn') }).click()
  await page.getByText(t('ui.passkey.address')).waitFor()
})
