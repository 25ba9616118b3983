import { afterEach, expect, test, vi } from 'vitest'
import { axeFindings, type Look, looks, person, Stage, wordsOf } from './stage.ts'

// A whole browser beside everything else that is being tested.
vi.setConfig({ testTimeout: 180_000 })

let stage: Stage | undefined
afterEach(() => stage?.close())

const look: Look = { size: 'desktop', scheme: 'light', language: 'en' }
const t = wordsOf(look.language)

async function openedAt(path: string, wanted = look) {
  stage = await Stage.open()
  const { page, context } = await stage.page(wanted)
  await stage.signUp(page, wanted)
  await page.goto(stage.url + path)
  return { page, context, stage }
}

test.each(looks.map((each) => [`${each.size}, ${each.scheme}, ${each.language}`, each] as const))(
  'everything can be reached: %s',
  async (_name, each) => {
    const words = wordsOf(each.language)
    const { page } = await openedAt('/settings', each)
    await page.getByText(words('settings.sessions.current')).waitFor()
    await page.getByText(words('settings.about.version', { build: 'e2e', protocol: '1' })).waitFor()
    expect(await axeFindings(page)).toEqual([])
  },
)

test('language, theme and the writing of times change at once, and stay', async () => {
  const { page } = await openedAt('/settings')
  await page.getByText('7.5', { exact: true }).click()
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
  await page.getByRole('link', { name: de('today.title') }).click()
  await page.getByText(de('today.ring.of', { target: '8,0' })).waitFor()
})

test('a token is told once and can be revoked; the password needs the present one', async () => {
  const { page, stage: opened } = await openedAt('/settings')
  await page.getByLabel(t('settings.tokens.name')).fill('Backup')
  await page.getByRole('button', { name: t('settings.tokens.make') }).click()
  const token = await page.locator('code').textContent()
  const headers = { authorization: `Bearer ${token}` }
  const ask = async () => (await fetch(`${opened.url}/api/me`, { headers })).status
  expect(await ask()).toBe(200)
  await page.getByRole('button', { name: `${t('settings.tokens.revoke')}: Backup` }).click()
  await page.getByRole('button', { name: t('settings.tokens.revoke'), exact: true }).click()
  await page.getByText(t('settings.tokens.none')).waitFor()
  expect(await ask()).toBe(401)

  const change = async (present: string) => {
    await page.getByLabel(t('settings.password.current'), { exact: true }).fill(present)
    await page.getByLabel(t('settings.password.next'), { exact: true }).fill('another long password')
    await page.getByRole('button', { name: t('settings.password.change') }).click()
  }
  await change('not the password')
  await page.getByText(t('settings.password.wrong')).waitFor()
  await change(person.password)
  await page.getByText(t('settings.password.done')).waitFor()
})

test('the account can be deleted once it was exported', async () => {
  const { page } = await openedAt('/settings')
  await page.getByRole('button', { name: t('settings.data.delete') }).click()
  const dialog = page.getByRole('dialog')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: t('settings.data.export') }).click(),
  ])
  expect(download.suggestedFilename()).toBe('saldo-2026-11-20.json')
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByLabel(t('signIn.password'), { exact: true }).fill(person.password)
  await dialog.getByRole('button', { name: t('settings.data.deleteForGood') }).click()
  await page.getByLabel(t('signIn.email')).waitFor()
})

test('the data can be removed from the device, and comes back with the next sign-in', async () => {
  const { page, stage: opened } = await openedAt('/settings')
  await page.getByRole('button', { name: t('settings.data.remove') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('settings.data.remove') })
    .click()
  await page.getByRole('heading', { name: t('signIn.title') }).waitFor()
  expect(await page.evaluate('indexedDB.databases().then((all) => all.length)')).toBe(0)
  // Nobody else may sign up here, so nobody is offered to.
  await expect.poll(() => page.getByText(t('signIn.toSignUp')).count()).toBe(0)
  await opened.signIn(page, look)
})
