import { expect, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { expectAccessible, expectStateAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { looks, wordsOf } from './stage.ts'

heavyTest.each(looks)('a day ahead shows its target, and a wrong address says so: $size $language', async (look) => {
  const stage = await openStage()
  const t = wordsOf(look.language)
  const { page } = await stage.page(look)
  await stage.signUp(page)
  await stage.visit(page, '/day/2026-11-23')
  await page.getByText(t('today.dayTarget')).waitFor()
  await page.getByText('8:00', { exact: true }).waitFor()
  for (const path of ['/day/2026-13-45', '/week/2026-W99', '/calendar/2026/13', '/nowhere']) {
    await stage.visit(page, path)
    await page.getByRole('heading', { name: t('ui.notFound.title') }).waitFor()
  }
  await expectAccessible(page)
  await page.getByRole('link', { name: t('ui.notFound.home') }).click()
  await page.getByRole('heading', { name: t('today.entries') }).waitFor()
})

heavyTest.each(looks)('the share of an absence is a percentage and nothing else: $size $language', async (look) => {
  const stage = await openStage()
  const t = wordsOf(look.language)
  const { page } = await stage.page(look)
  await stage.signUp(page)
  await stage.ask(page, 'POST', '/api/entries', { kind: 'sick', date: '2026-11-20', project: 'Saldo' })
  await stage.visit(page)
  // An absence shows its kind, whatever else it has.
  await page.getByRole('button', { name: new RegExp(`${t('entries.kind.sick')} Saldo`) }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(t('entries.size.share'), { exact: true }).click()
  const share = dialog.getByLabel(t('entries.size.percent'))
  await share.fill('1.5h')
  await dialog.getByText(t('ui.percent.wrong').slice(0, 20)).waitFor()
  await expectStateAccessible(page)
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  expect(await dialog.isVisible()).toBe(true)
  await share.fill('25')
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await page
    .getByText(/25\s?%/)
    .first()
    .waitFor()
})

heavyTest.each(looks)(
  'a form asks before changes go, and the way back closes it first: $size $language',
  async (look) => {
    const stage = await openStage()
    const t = wordsOf(look.language)
    const { page } = await stage.page(look)
    await stage.signUp(page)
    await stage.visit(page, '/week')
    await page
      .getByRole('link', { name: t('today.title') })
      .first()
      .click()
    const add = page.getByRole('button', { name: t('today.add'), exact: true })
    const form = page.getByRole('dialog', { name: t('entries.editor.new') })
    const question = page.getByRole('dialog', { name: t('ui.unsaved.title') })
    const note = form.getByLabel(t('entries.editor.note'))
    await add.click()
    await note.press('Escape')
    await form.waitFor({ state: 'detached' })
    await add.click()
    await page.goBack()
    await form.waitFor({ state: 'detached' })
    await add.click()
    await note.fill('A long note')
    await note.press('Escape')
    await question.waitFor()
    await expectAccessible(page)
    await question.getByRole('button', { name: t('ui.unsaved.keep') }).click()
    await question.waitFor({ state: 'detached' })
    expect(await note.inputValue()).toBe('A long note')
    await page.goBack()
    await question.getByRole('button', { name: t('ui.unsaved.discard') }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: t('today.entries') }).waitFor()
    // The next way back leaves the view.
    await page.goBack()
    await page.getByRole('region', { name: t('week.closing.title') }).waitFor()
  },
)

test.each(looks)('an entry is typed in one row, with its break: $size $language', async (look) => {
  const stage = await openStage()
  const t = wordsOf(look.language)
  const { page } = await stage.page(look)
  await stage.signUp(page)
  await stage.visit(page)
  await page.getByRole('button', { name: t('today.add'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  const field = (key: string) => dialog.getByLabel(t(`entries.editor.${key}`), { exact: true })
  await field('start').fill('22')
  await field('end').fill('6.30')
  await dialog.getByText(t('entries.editor.endsOn').slice(0, 6)).waitFor()
  await expectStateAccessible(page)
  await field('date').fill('soon')
  await dialog.getByText(t('ui.date.wrong').slice(0, 12)).waitFor()
  await field('date').fill('19.11.')
  await field('start').fill('815')
  await field('end').fill('17:00')
  await field('break').fill('0:45')
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await page.getByText(t('entries.added')).waitFor()
  await stage.visit(page, '/day/2026-11-19')
  await page.getByRole('list').getByText('08:15 – 17:00').waitFor()
  await page.getByRole('list').getByText('12:00 – 12:45').waitFor()

  // An edit that cannot be stored comes back, and stays an edit.
  await page.getByRole('list').getByText('08:15 – 17:00').click()
  await field('tags').first().fill('x'.repeat(201))
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await page.getByText(t('ui.failure.invalid')).waitFor()
  await dialog.getByRole('heading', { name: t('entries.editor.edit') }).waitFor()
})
