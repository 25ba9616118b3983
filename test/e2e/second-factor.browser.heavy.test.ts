import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { codeAt, wrongCodeAt } from '../../packages/server/test/http/authenticator.ts'
import { expectAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { desktop, person, phone, wordsOf } from './stage.ts'

const STEP_MS = 30_000

async function confirmPassword(page: Page, t: ReturnType<typeof wordsOf>, action: string): Promise<void> {
  await page.getByRole('button', { name: t(action), exact: true }).click()
  const form = page.locator('form').filter({ has: page.getByRole('button', { name: t(action), exact: true }) })
  await form.getByLabel(t('settings.password.current'), { exact: true }).fill(person.password)
  await form.getByRole('button', { name: t(action), exact: true }).click()
}

test('authenticator codes can be turned on, are asked for at every sign-in, and can be turned off', async () => {
  const at = await openStage()
  const t = wordsOf(phone.language)
  const { page, context } = await at.page(phone)
  await at.signUp(page)
  await at.visit(page, '/settings')
  await page.getByText(t('settings.secondFactor.off')).waitFor()

  await confirmPassword(page, t, 'settings.secondFactor.begin')
  await page.getByRole('img', { name: t('settings.secondFactor.qr') }).waitFor()
  const key = ((await page.locator('form code').textContent()) ?? '').replaceAll(' ', '')
  const code = (steps = 0) => codeAt(key, at.nowMs + steps * STEP_MS)
  const field = page.getByLabel(t('ui.code.label'), { exact: true })
  await field.fill(wrongCodeAt(key, at.nowMs))
  await page.getByRole('button', { name: t('settings.secondFactor.confirm') }).click()
  await page.getByText(t('settings.secondFactor.wrongCode')).waitFor()
  await expectAccessible(page)
  await field.fill(code())
  await page.getByRole('button', { name: t('settings.secondFactor.confirm') }).click()
  const codes = page.getByRole('list', { name: t('settings.secondFactor.codes') }).getByRole('listitem')
  await expect.poll(() => codes.count()).toBe(8)
  const texts = await codes.allTextContents()
  const [recovery = '', another = ''] = texts
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: t('settings.secondFactor.copy') }).click()
  await page.getByRole('button', { name: t('settings.tokens.copied') }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(texts.join('\n'))
  await expectAccessible(page)
  await page.getByRole('button', { name: t('settings.secondFactor.kept') }).click()
  expect(await page.getByText(recovery).count()).toBe(0)

  // Another device: the password, then a code that nobody has used.
  const words = wordsOf(desktop.language)
  const { page: other } = await at.page(desktop)
  await at.visit(other)
  await other.getByLabel(words('signIn.email')).fill(person.email)
  await other.getByLabel(words('signIn.password'), { exact: true }).fill(person.password)
  const enter = other.getByRole('button', { name: words('signIn.signIn'), exact: true })
  await enter.click()
  const asked = other.getByLabel(words('ui.code.label'), { exact: true })
  await asked.waitFor()
  await expectAccessible(other)
  await asked.fill(wrongCodeAt(key, at.nowMs))
  await enter.click()
  await other.getByText(words('ui.problem.second_factor_required')).waitFor()
  await asked.fill(code(1))
  await enter.click()
  await other.getByRole('link', { name: words('today.title') }).waitFor()

  // The session has ended, and the telephone is lost.
  await context.clearCookies()
  await page.reload()
  await page.getByTitle(t('sync.signInAgain')).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('signIn.password'), { exact: true }).fill(person.password)
  await dialog.getByRole('button', { name: t('signIn.signIn'), exact: true }).click()
  await dialog.getByLabel(t('ui.code.label'), { exact: true }).fill(recovery)
  await dialog.getByRole('button', { name: t('signIn.signIn'), exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText(t('settings.secondFactor.left_other', { count: '7' })).waitFor()

  await confirmPassword(page, t, 'settings.secondFactor.renew')
  await expect.poll(() => codes.count()).toBe(8)
  expect(await codes.allTextContents()).not.toContain(another)
  await page.getByRole('button', { name: t('settings.secondFactor.kept') }).click()
  await confirmPassword(page, t, 'settings.secondFactor.remove')
  await page.getByText(t('settings.secondFactor.off')).waitFor()
})

test('without the service, the section of the second factor shows an error and no buttons', async () => {
  const stage = await openStage()
  const t = wordsOf(desktop.language)
  const { page } = await stage.page(desktop)
  await stage.signUp(page)
  await stage.visit(page, '/settings')
  await page.getByText(t('settings.secondFactor.off')).waitFor()
  await page.getByRole('link', { name: t('today.title') }).click()
  await page.getByText(t('settings.secondFactor.off')).waitFor({ state: 'detached' })
  await stage.end()
  await page.getByRole('link', { name: t('settings.title') }).click()
  const section = page.getByRole('region', { name: t('settings.secondFactor.title') })
  await section.getByText(t('ui.failure.offline')).waitFor()
  expect(await section.getByRole('button').count()).toBe(0)
})
