import { afterAll, afterEach, expect, test } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { closeBrowser, looks, person, Stage, wordsOf } from './stage.ts'

let stage: Stage | undefined
afterAll(closeBrowser)
afterEach(() => stage?.close())

test.each(looks)('a wrong set-up code shows an error in the user’s language: $size $language', async (look) => {
  stage = await Stage.open()
  const t = wordsOf(look.language)
  const { page } = await stage.page(look)
  await page.goto(stage.url)
  await page.getByLabel(t('signIn.email')).fill(person.email)
  await page.getByLabel(t('signIn.password'), { exact: true }).fill(person.password)
  await page.getByLabel(t('signIn.setupCode')).fill('guessed')
  await page.getByRole('button', { name: t('signIn.signUp') }).click()
  await page.getByRole('alert').getByText(t('signIn.wrongSetupCode')).waitFor()
  await expectAccessible(page)
})

test.each(looks)('a first day: $size $language', async (look) => {
  stage = await Stage.open()
  const t = wordsOf(look.language)
  const { page, context, errors } = await stage.page(look, { installed: true })
  const button = (key: string) => page.getByRole('button', { name: t(key) })

  await page.goto(stage.setupUrl)
  await page.getByLabel(t('signIn.email')).fill(person.email)
  await expectAccessible(page)
  expect(await page.locator('html').getAttribute('lang')).toBe(look.language)
  await page.getByLabel(t('signIn.password'), { exact: true }).fill(person.password)
  await button('signIn.signUp').click()

  await page.getByRole('heading', { name: t('firstRun.title') }).waitFor()
  await page.getByText(t('workHours.preset.h38'), { exact: true }).click()
  await page.getByLabel(t('firstRun.opening')).last().fill('-3:15')
  await expectAccessible(page)
  await button('firstRun.begin').click()

  await page.getByText(t('today.ring.of', { target: '7:42' })).waitFor()
  await page.getByText(t('today.leave.ifStarted')).waitFor()
  await page.getByText('20:12', { exact: true }).waitFor()
  await expectAccessible(page)
  await button('today.timer.start').click()
  await page.getByRole('timer').waitFor()
  await page.clock.fastForward('02:30:00')
  await page
    .getByText(/2:3\d:\d\d/)
    .first()
    .waitFor()
  await page.getByText(t('today.leave.balance', { balance: '−3:15' })).waitFor()
  await expectAccessible(page)
  await button('today.timer.stop').click()
  await page.getByRole('timer').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '12:00 – 14:30' }).first().waitFor()

  await page.getByLabel(t('today.quick.label')).fill('9-10:30 Saldo #ui Zeichnen')
  await page.getByText(t('today.quick.project', { project: 'Saldo' })).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '09:00 – 10:30' }).first().waitFor()
  await page.getByText(t('sync.saved')).waitFor({ state: 'attached' })
  await expectAccessible(page)

  // Without a network, and after a restart.
  await page.evaluate('navigator.serviceWorker.ready.then(() => null)')
  await context.setOffline(true)
  await page.reload()
  await page.getByRole('button', { name: '09:00 – 10:30' }).first().waitFor()
  await page.getByLabel(t('today.quick.label')).fill('1h Zug')
  await page.keyboard.press('Enter')
  await page.getByText('Zug', { exact: true }).first().waitFor()
  await page.getByRole('img', { name: t('today.isPending') }).waitFor()
  await context.setOffline(false)
  await page.getByRole('img', { name: t('today.isPending') }).waitFor({ state: 'detached' })
  expect(errors.filter((error) => !error.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
})
