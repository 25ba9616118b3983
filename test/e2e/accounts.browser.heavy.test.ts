import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible, expectStateAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { type Look, looks, person, wordsOf } from './stage.ts'

const grace = { name: 'Grace Hopper', email: 'grace@example.com', password: 'a new horse battery' }
const invitation = { name: grace.name, email: grace.email }

/** Opens the accounts of the service from Settings, as its first user. */
async function opened(look: Look) {
  const opened = await openStage()
  const { page, errors } = await opened.page(look)
  await opened.signUp(page)
  const t = wordsOf(look.language)
  await page.goto(`${opened.url}/settings`)
  await page.getByRole('link', { name: t('settings.accounts.open') }).click()
  await page.getByRole('heading', { level: 1, name: t('userAccounts.title') }).waitFor()
  return { stage: opened, page, errors, t }
}

const lineOf = (page: Page, name: string) => page.getByRole('row', { name })

async function choose(page: Page, t: ReturnType<typeof wordsOf>, action: string) {
  await page.getByRole('button', { name: t('userAccounts.actionsOf', { name: grace.name }) }).click()
  await page.getByRole('menuitem', { name: t(action), exact: true }).click()
}

/** Returns the address that the dialog shows once. */
async function newLink(page: Page, t: ReturnType<typeof wordsOf>): Promise<string> {
  const dialog = page.getByRole('dialog')
  const link = await dialog.locator('code').innerText()
  await expectAccessible(page)
  await dialog
    .getByRole('button', { name: t('ui.close') })
    .last()
    .click()
  await dialog.waitFor({ state: 'detached' })
  return link
}

async function setPassword(page: Page, t: ReturnType<typeof wordsOf>, link: string, password: string) {
  await page.goto('about:blank')
  await page.goto(link)
  const field = page.getByLabel(t('signIn.link.password'), { exact: true })
  await field.fill('short')
  await page.getByRole('button', { name: t('signIn.link.set') }).click()
  await page.getByText(t('signIn.shortPassword_other', { count: '10' })).waitFor()
  await expectStateAccessible(page)
  await field.fill('password1234')
  await page.getByRole('button', { name: t('signIn.link.set') }).click()
  await page.getByText(t('signIn.commonPassword')).waitFor()
  await field.fill(password)
  await page.getByRole('button', { name: t('signIn.link.set') }).click()
}

test.each(looks)('a colleague is invited, and chooses a password by the link: $size $language', async (look) => {
  const { stage, page, errors, t } = await opened(look)
  await expectStateAccessible(page)
  await page.getByRole('button', { name: t('userAccounts.invite') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('userAccounts.name'), { exact: true }).fill(grace.name)
  await dialog.getByLabel(t('signIn.email')).fill('ada@example.com')
  const password = dialog.getByLabel(t('ui.ownPassword'), { exact: true })
  await password.fill('a wrong password')
  await dialog.getByRole('button', { name: t('userAccounts.createInvitation') }).click()
  await dialog.getByText(t('settings.password.wrong')).waitFor()
  await expectStateAccessible(page)
  await password.fill(person.password)
  await dialog.getByRole('button', { name: t('userAccounts.createInvitation') }).click()
  await dialog.getByText(t('userAccounts.taken')).waitFor()
  await dialog.getByLabel(t('signIn.email')).fill(grace.email)
  await dialog.getByRole('button', { name: t('userAccounts.createInvitation') }).click()
  const link = await newLink(page, t)
  await lineOf(page, grace.name).getByText(t('userAccounts.states.invited')).waitFor()
  // An admin who opens it learns that it is for somebody else.
  await page.goto(link)
  await page.getByText(t('signIn.link.otherUser', { email: 'ada@example.com' })).waitFor()

  const other = await stage.page(look)
  await setPassword(other.page, t, link, grace.password)
  await expect.poll(() => other.page.url()).toBe(`${stage.url}/`)
  await other.page.getByRole('heading', { level: 1, name: t('firstRun.title') }).waitFor()
  expect(await stage.ask(other.page, 'GET', '/api/me')).toMatchObject({ email: grace.email, role: 'user' })

  const third = await stage.page(look)
  await third.page.goto(link)
  await third.page.getByText(t('signIn.link.invalid')).waitFor()
  await third.page.goto(`${stage.url}/confirm-email#${'x'.repeat(43)}`)
  // Only the account that asked can confirm its address.
  await third.page.getByText(t('signIn.confirmEmail.signIn')).waitFor()
  await third.page.getByLabel(t('signIn.email')).fill(grace.email)
  await third.page.getByLabel(t('signIn.password'), { exact: true }).fill(grace.password)
  await third.page.getByRole('button', { name: t('signIn.signIn'), exact: true }).click()
  await third.page.getByRole('button', { name: t('signIn.confirmEmail.action') }).click()
  await third.page.getByRole('alert').getByText(t('signIn.confirmEmail.invalid')).waitFor()
  expect(await third.page.getByRole('button', { name: t('signIn.confirmEmail.action') }).count()).toBe(0)
  // The browser reports the address that was taken, and the common password.
  expect([...errors, ...other.errors].filter((text) => !/status of 40[039]/.test(text))).toEqual([])
})

test.each(looks)(
  '[D8.40] an address that a user gave is marked as unconfirmed until an admin confirms it: $size $language',
  async (look) => {
    const stage = await openStage()
    const { page, errors } = await stage.page(look)
    await stage.signUp(page)
    const t = wordsOf(look.language)
    const { link } = await stage.ask(page, 'POST', '/api/admin/users', { ...invitation, password: person.password })
    const other = await stage.page(look)
    const secret = link.path.split('#')[1]
    await stage.ask(other.page, 'POST', '/api/auth/link/password', { secret, password: grace.password })
    const { email, password } = grace
    await stage.ask(other.page, 'POST', '/api/auth/sign-in', { email, password })
    await stage.ask(other.page, 'POST', '/api/settings', {
      ...{ effective_from: '2026-11-20', time_zone: 'Europe/Berlin', target_ms: Array(7).fill(0) },
    })
    const unconfirmed = t('settings.account.unconfirmedWithoutMail')
    await stage.visit(other.page, '/settings')
    await other.page.getByText(t('settings.account.as', { email: grace.email })).waitFor()
    expect(await other.page.getByText(unconfirmed).count()).toBe(0)
    const asked = { email: 'hopper@example.com', password: grace.password }
    expect(await stage.ask(other.page, 'POST', '/api/me/email', asked)).toEqual({ outcome: 'changed' })
    await stage.visit(other.page, '/settings')
    await other.page.getByText(unconfirmed).waitFor()
    await expectStateAccessible(other.page)

    await stage.visit(page, '/accounts')
    const mark = lineOf(page, grace.name).getByText(t('userAccounts.unconfirmed'))
    await mark.waitFor()
    await expectAccessible(page)
    await choose(page, t, 'userAccounts.confirmAddress')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(t('ui.ownPassword'), { exact: true }).fill(person.password)
    await expectStateAccessible(page)
    await dialog.getByRole('button', { name: t('userAccounts.confirmAddress') }).click()
    await mark.waitFor({ state: 'detached' })
    await other.page.reload()
    await other.page.getByText(unconfirmed).waitFor({ state: 'detached' })
    expect([...errors, ...other.errors]).toEqual([])
  },
)

test('a search begins at the first page of what it finds, on whichever page it is typed', async () => {
  const { stage, page, t } = await opened(looks[0] as Look)
  await stage.ask(page, 'POST', '/api/admin/users', { ...invitation, password: person.password })
  const others = Array.from({ length: 50 }, (_, index) => ({ name: `Zoe ${index}`, email: `zoe${index}@example.com` }))
  for (const other of others) await stage.ask(page, 'POST', '/api/admin/users', { ...other, password: person.password })
  await page.reload()
  await page.getByRole('button', { name: t('userAccounts.pages.next') }).click()
  // The header and two accounts.
  await expect.poll(() => page.getByRole('row').count()).toBe(3)
  await page.getByLabel(t('userAccounts.search')).fill('hopper')
  await lineOf(page, grace.name).waitFor()
})

test('an account is found, made admin, deactivated, reactivated and erased, and an invitation withdrawn', async () => {
  const look = looks[0] as Look
  const { stage, page, t } = await opened(look)
  const { account } = await stage.ask(page, 'POST', '/api/admin/users', { ...invitation, password: person.password })
  await page.reload()
  await page.getByLabel(t('userAccounts.search')).fill('hopper')
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  const line = lineOf(page, grace.name)
  const dialog = page.getByRole('dialog')
  const confirm = async (act: 'makeAdmin' | 'deactivate' | 'withdraw' | 'reactivate' | 'keep') => {
    await choose(page, t, `userAccounts.${act}`)
    await dialog.getByText(t(`userAccounts.confirm.${act}.effect`, { name: grace.name })).waitFor()
    await expectStateAccessible(page)
    // The others give access, and ask for the password.
    if (!['deactivate', 'withdraw'].includes(act)) {
      await dialog.getByLabel(t('ui.ownPassword'), { exact: true }).fill(person.password)
    }
    await dialog.getByRole('button', { name: t(`userAccounts.${act}`) }).click()
  }
  // A click on a wrong row does nothing yet.
  await choose(page, t, 'userAccounts.deactivate')
  await dialog.getByRole('button', { name: t('ui.cancel') }).click()
  await line.getByText(t('userAccounts.states.invited')).waitFor()
  await confirm('makeAdmin')
  await line.getByText(t('userAccounts.admin'), { exact: true }).waitFor()
  await confirm('deactivate')
  await line.getByText(t('userAccounts.states.deactivated')).waitFor()
  await confirm('reactivate')
  await line.getByText(t('userAccounts.states.invited')).waitFor()
  await confirm('withdraw')
  await expect.poll(() => page.getByRole('row').count()).toBe(1)

  const again = await stage.ask(page, 'POST', '/api/admin/users', { ...invitation, password: person.password })
  expect(again.account.user_id).not.toBe(account.user_id)
  const secret = again.link.path.split('#')[1]
  await stage.ask(page, 'POST', '/api/auth/link/password', { secret, password: 'correct horse battery' })
  await page.reload()
  await page.getByLabel(t('userAccounts.search')).fill('hopper')
  await line.getByText(t('userAccounts.states.active')).waitFor()
  await choose(page, t, 'userAccounts.erase')
  await expectStateAccessible(page)
  await page.context().setOffline(true)
  await dialog.getByRole('button', { name: t('userAccounts.erase') }).click()
  await page.getByText(t('ui.failure.offline')).first().waitFor()
  await page.context().setOffline(false)
  await dialog.getByRole('button', { name: t('userAccounts.erase') }).click()
  const [before = '', after = ''] = t('userAccounts.states.erasing', { when: '…' }).split('…')
  await line.filter({ hasText: before }).filter({ hasText: after }).waitFor()
  await confirm('keep')
  await line.getByText(t('userAccounts.states.active')).waitFor()
})
