import { HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { expectAccessible, expectStateAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { digitsOf, looks, person, untilInstalled, wordsOf } from './stage.ts'

heavyTest.each(looks)('a wrong set-up code shows an error in the user’s language: $size $language', async (look) => {
  const stage = await openStage()
  const t = wordsOf(look.language)
  const { page } = await stage.page(look)
  await page.goto(stage.url)
  await page.getByLabel(t('signIn.email')).fill(person.email)
  await page.getByLabel(t('signIn.name'), { exact: true }).fill(person.name)
  await page.getByLabel(t('signIn.password'), { exact: true }).fill(person.password)
  await page.getByLabel(t('signIn.setupCode')).fill('guessed')
  await page.getByRole('button', { name: t('signIn.signUp') }).click()
  await page.getByText(t('signIn.wrongSetupCode')).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('guessed')
  await expectAccessible(page)

  // Each wrong field says what is wrong with it.
  await page.getByLabel(t('signIn.email')).fill('ada')
  await page.getByLabel(t('signIn.password'), { exact: true }).fill('short')
  await page.getByRole('button', { name: t('signIn.signUp') }).click()
  await page.getByText(t('signIn.incompleteEmail')).waitFor()
  await page.getByText(t('signIn.shortPassword_other', { count: '10' })).waitFor()
  await page.getByLabel(t('signIn.email')).fill(person.email)
  await page.getByLabel(t('signIn.password'), { exact: true }).fill('password1234')
  await page.getByRole('button', { name: t('signIn.signUp') }).click()
  await page.getByText(t('signIn.commonPassword')).waitFor()
  await expectStateAccessible(page)
})

heavyTest.each(looks)('a start in the past says what balance it leads to: $size $language', async (look) => {
  const stage = await openStage()
  const t = wordsOf(look.language)
  const { page } = await stage.page(look)
  await stage.signUp(page, null)
  await page.goto(stage.url)
  await page.getByLabel(t('workHours.total')).fill(look.language === 'de' ? '38,5' : '38.5')
  await page.getByText(t('workHours.each', { time: '7:42' })).waitFor()
  const since = page.getByRole('textbox', { name: t('firstRun.since') })
  await since.fill('2026-11-16')
  await page.getByText(t('firstRun.past.due', { due: '30:48', balance: '−30:48' })).waitFor()
  await expectAccessible(page)
  // The typed balance stays.
  await page.getByLabel(t('firstRun.opening')).last().fill('5:30')
  await page.getByRole('button', { name: t('firstRun.past.count') }).click()
  await page.getByText(t('firstRun.past.counted', { due: '30:48', balance: '+5:30' })).waitFor()
  await page.getByRole('button', { name: t('firstRun.past.today') }).click()
  expect(await since.inputValue()).toMatch(/20.*Nov.*2026/)
})

test.each(looks)('a first day: $size $language', async (look) => {
  const stage = await openStage()
  const t = wordsOf(look.language)
  const { page, context, errors } = await stage.page(look, { installed: true })
  const button = (key: string) => page.getByRole('button', { name: t(key) })

  await page.goto(stage.setupUrl)
  await page.getByLabel(t('signIn.email')).fill(person.email)
  await expectStateAccessible(page)
  expect(await page.locator('html').getAttribute('lang')).toBe(look.language)
  await page.getByLabel(t('signIn.name'), { exact: true }).fill(person.name)
  await page.getByLabel(t('signIn.password'), { exact: true }).fill(person.password)
  await button('signIn.signUp').click()

  await page.getByRole('heading', { name: t('firstRun.title') }).waitFor()
  expect(page.url()).toBe(`${stage.url}/`)
  // Whoever skips the questions is asked again on request only.
  await button('firstRun.skip').click()
  await button('today.tellHours').waitFor()
  await page.reload()
  await button('today.tellHours').click()
  await page.getByRole('heading', { name: t('firstRun.title') }).waitFor()
  await page.getByLabel(t('workHours.total')).fill(look.language === 'de' ? '38,5' : '38.5')
  await page.getByLabel(t('firstRun.opening')).last().fill('-3:15')
  await page
    .getByLabel(t('firstRun.vacation'))
    .last()
    .fill(look.language === 'de' ? '27,5' : '27.5')
  await expectAccessible(page)
  await button('firstRun.begin').click()

  await page.getByText(t('today.ring.of', { target: '7:42' })).waitFor()
  await page.getByText(t('today.leave.ifStarted')).waitFor()
  await page.getByText(digitsOf('20:1#')).waitFor()
  await expectStateAccessible(page)
  await button('today.timer.start').click()
  await page.getByRole('timer').waitFor()
  await stage.pass(2.5 * HOUR_MS)
  await page
    .getByText(/2:3\d:\d\d/)
    .first()
    .waitFor()
  await page.getByText(t('today.leave.balance', { balance: '−3:15' })).waitFor()
  await expectAccessible(page)
  await button('today.timer.stop').click()
  await page.getByRole('timer').waitFor({ state: 'detached' })
  await page
    .getByRole('button', { name: digitsOf('12:0# – 14:3#') })
    .first()
    .waitFor()

  await page.getByLabel(t('today.quick.label')).fill('9-10:30 @Saldo #ui Zeichnen')
  await page.getByText(t('today.quick.newProject', { project: 'Saldo' })).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '09:00 – 10:30' }).first().waitFor()
  await page.getByText(t('sync.saved')).waitFor({ state: 'attached' })
  await expectStateAccessible(page)
  const { items: settings } = await stage.ask(page, 'GET', '/api/settings')
  expect(settings).toMatchObject([{ vacation: { days_per_year: 27.5 } }])

  // Without a network, and after a restart.
  await untilInstalled(page)
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
