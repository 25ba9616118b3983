import { HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { isHeavy } from '../../packages/core/test/tier.ts'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { expectAccessible, expectStateAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { desktop, digitsOf, type Look, phone, wordsOf } from './stage.ts'

/** A phone in `npm test`: its choices have least room, and the grammar of both languages has tests of its own. */
const others: Look[] = [desktop, { ...desktop, language: 'de' }, { ...phone, language: 'en' }]
const looks: Look[] = [phone, ...(isHeavy ? others : [])]

async function opened(look: Look) {
  const stage = await openStage()
  const t = wordsOf(look.language)
  const { page, context } = await stage.page(look)
  await stage.signUp(page, '2026-11-02')
  await stage.visit(page)
  const field = page.getByLabel(t('today.quick.label'))
  await field.waitFor()
  return { page, context, stage, t, field }
}

test.each(looks)('a doubtful line asks, and Enter alone stores nothing: $size $language', async (look) => {
  const { page, t, field } = await opened(look)
  await field.fill('1:30 @Support')
  const choices = page.getByRole('list', { name: t('today.quick.choices') })
  await choices.getByRole('button').nth(1).waitFor()
  await field.press('Enter')
  await field.press('Enter')
  await page.getByText(t('today.quick.doubt_other')).first().waitFor()
  expect(await field.inputValue()).toBe('1:30 @Support')
  await expectStateAccessible(page)
  await field.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await choices.getByRole('button').nth(1).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await choices.waitFor({ state: 'detached' })
  await page.getByRole('list').getByText(digitsOf('10:3# – 12:0#')).waitFor()
  expect(await field.inputValue()).toBe('')
  expect(await page.getByRole('timer').count()).toBe(0)
})

heavyTest('a browser without room to keep a typed line for a reload still stores it', async () => {
  const { page, field } = await opened(desktop)
  await page.evaluate(`for (let size = 2 ** 23; size >= 1; size /= 2) {
    try { sessionStorage.setItem('full ' + size, 'x'.repeat(size)) } catch {}
  }`)
  await field.fill('8-12')
  await field.press('Enter')
  await page.getByRole('list').getByText('08:00 – 12:00').waitFor()
  expect(await field.inputValue()).toBe('')
})

test.each(looks)('one Enter adds several entries, and one undo removes them: $size $language', async (look) => {
  const { page, t, field } = await opened(look)
  await field.fill(look.language === 'de' ? '8-12 und 13-17 @Garten' : '8-12 and 13-17 @Garten')
  await page
    .getByText(t('today.quick.newProject', { project: 'Garten' }))
    .first()
    .waitFor()
  await expectAccessible(page)
  await field.press('Enter')
  await page.getByRole('list').getByText('08:00 – 12:00').waitFor()
  await page.getByRole('list').getByText('13:00 – 17:00').waitFor()
  await page.getByRole('button', { name: t('ui.undo') }).click()
  await page.getByText(t('today.empty')).waitFor()
  // A reload keeps what is typed.
  await field.fill('9-1')
  await page.reload()
  await expect.poll(() => field.inputValue()).toBe('9-1')
  // The undo took the project's only entries back, so it is still new.
  await field.fill('9-10 @Garten')
  await page
    .getByText(t('today.quick.newProject', { project: 'Garten' }))
    .first()
    .waitFor()
  await field.press('Enter')
  await page.getByRole('list').getByText('09:00 – 10:00').waitFor()
  // In a field, the key for undo takes back what is typed there, and not the last action.
  await field.pressSequentially('1')
  await field.press('Control+z')
  await expect.poll(() => field.inputValue()).toBe('')
  await page.getByRole('list').getByText('09:00 – 10:00').waitFor()
  await field.fill(look.language === 'de' ? '10-12 Garten Pause 30' : '10-12 break 30 garten')
  await page
    .getByText(t('today.quick.project', { project: 'Garten' }), { exact: true })
    .first()
    .waitFor()
  await page.getByText(t('today.quick.placed')).first().waitFor()
})

heavyTest.each(looks)(
  '[D32.1] a field asks what is meant, and half the name of a project finds it: $size $language',
  async (look) => {
    const { page, t, field } = await opened(look)
    await field.fill('8-9 @Garten')
    await page
      .getByText(t('today.quick.newProject', { project: 'Garten' }))
      .first()
      .waitFor()
    await field.press('Enter')
    await page.getByRole('list').getByText('08:00 – 09:00').waitFor()
    await field.blur()
    await page.keyboard.press('n')
    const form = page.getByRole('dialog')
    await form.getByLabel(t('entries.editor.start'), { exact: true }).fill('9')
    await form.getByLabel(t('entries.editor.end'), { exact: true }).fill('17.30')
    const pause = form.getByLabel(t('entries.editor.break'), { exact: true })
    await pause.fill('1.30')
    await pause.press('Enter')
    await form.getByText(t('ui.which')).waitFor()
    await expectStateAccessible(page)
    await form.getByRole('button', { name: '1:30' }).click()
    expect(await pause.inputValue()).toBe('1:30')
    const project = form.getByLabel(t('entries.editor.project'))
    await project.pressSequentially('gar')
    await page.getByRole('option', { name: 'Garten', exact: true }).waitFor()
    await project.press('Enter')
    await expect.poll(() => project.inputValue()).toBe('Garten')
    await project.press('Control+a')
    await project.press('Delete')
    await project.press('Enter')
    await form.waitFor({ state: 'detached' })
    await page.getByRole('list').getByText(t('entries.kind.break')).first().waitFor()
    expect(await page.getByRole('list').getByText('Garten').count()).toBe(1)
  },
)

/** Scrolls a form to its end; the words of its buttons on which a message lies then. */
const COVERED_AT_END = `(() => {
  const buttons = [...document.querySelectorAll('[role="dialog"] form button')]
  for (let each = buttons.at(-1); each; each = each.parentElement) each.scrollTop = each.scrollHeight
  return buttons.flatMap((button) => {
    const { x, y, width, height } = button.getBoundingClientRect()
    const over = document.elementFromPoint(x + width / 2, y + height / 2)
    return over?.closest('[role="status"]') ? [button.innerText] : []
  })
})()`

heavyTest.each(looks)(
  'work that does not count stands struck out, and a switch makes it count: $size $language',
  async (look) => {
    const { page, t, field } = await opened(look)
    await field.fill('8-10 @Garten !')
    await page.getByText(t('entries.notCounted')).first().waitFor()
    await field.press('Enter')
    const list = page.getByRole('region', { name: t('today.entries') }).getByRole('list')
    const struck = list.locator('s')
    await expect.poll(() => struck.innerText()).toBe('2:00')
    await list.getByText(t('entries.notCounted')).waitFor()
    await expectStateAccessible(page)
    await list.getByRole('button', { name: 'Garten' }).first().click()
    const counts = page.getByRole('dialog').getByRole('switch', { name: t('entries.editor.counts') })
    expect(await counts.isChecked()).toBe(false)
    await counts.click()
    expect(await counts.isChecked()).toBe(true)
    // At the end of the form, the message of the line covers nothing.
    await page.getByText(t('today.quick.added_one'), { exact: true }).first().waitFor()
    expect(await page.evaluate(COVERED_AT_END)).toEqual([])
    // The page behind the form is looked at too, without what its header covers.
    await page.evaluate('scrollTo(0, 0)')
    await expectStateAccessible(page)
    await page.getByRole('button', { name: t('ui.save') }).click()
    await expect.poll(() => struck.count()).toBe(0)
  },
)

heavyTest('a line is taken while the service has not answered for the one before it', async () => {
  const { page, context, t, field } = await opened(desktop)
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await context.route('**/api/**', async (route) => {
    if (route.request().method() !== 'GET') await answered
    await route.continue()
  })
  const list = page.getByRole('list')
  await field.fill('8-9 Garten')
  await field.press('Enter')
  await list.getByText('08:00 – 09:00').waitFor()
  await expect.poll(() => field.inputValue()).toBe('')
  await field.fill('9-10 Garten')
  await field.press('Enter')
  await list.getByText('09:00 – 10:00').waitFor()
  answer()
  await page.getByText(t('sync.saved')).waitFor({ state: 'attached' })
})

heavyTest('now ends the timer that runs and starts another', async () => {
  const { page, stage, t, field } = await opened(desktop)
  await page.keyboard.press('s')
  await page.getByText(digitsOf(t('today.timer.since.working', { time: '12:0#' }))).waitFor()
  await stage.pass(HOUR_MS)
  await field.fill('jetzt @Garten')
  await field.press('Enter')
  await page.getByText(t('today.quick.begun.start'), { exact: true }).first().waitFor()
  await page.getByText(digitsOf(t('today.timer.since.working', { time: '13:0#' }))).waitFor()
  await page.getByRole('list').getByText(digitsOf('12:0# – 13:0#')).waitFor()
})

/** Fills the storage of the page's origin with ever smaller pieces. */
const fillStorage = `(async () => {
  const database = await new Promise((resolve) => {
    const opening = indexedDB.open('filling')
    opening.onupgradeneeded = () => opening.result.createObjectStore('pieces', { autoIncrement: true })
    opening.onsuccess = () => resolve(opening.result)
  })
  const put = (size) => new Promise((resolve) => {
    const transaction = database.transaction('pieces', 'readwrite')
    transaction.objectStore('pieces').put(crypto.getRandomValues(new Uint8Array(size)))
    transaction.oncomplete = () => resolve(true)
    transaction.onabort = () => resolve(false)
  })
  for (let size = 65_536; size >= 1; size = Math.floor(size / 4)) while (await put(size));
})()`

heavyTest('a line that the full local store cannot keep stays in the field, and can be stored later', async () => {
  const stage = await openStage()
  const { page, context } = await stage.page(desktop)
  const t = wordsOf('en')
  await stage.signUp(page, '2026-11-02')
  const session = await context.newCDPSession(page)
  // Before the first use of the database, because the browser keeps what it found out for a while.
  await session.send('Storage.overrideQuotaForOrigin', { origin: stage.url, quotaSize: 2_000_000 })
  await stage.visit(page)
  await page.getByText(t('sync.saved')).first().waitFor()
  const field = page.getByLabel(t('today.quick.label'))
  await page.evaluate(fillStorage)
  const line = '8-12 and 13-17 @Garden'
  await field.fill(line)
  await field.press('Enter')
  await page.getByText(t('ui.failure.store.full')).first().waitFor()
  expect(await field.inputValue()).toBe(line)
  await page.getByText(t('today.empty')).waitFor()

  await session.send('Storage.overrideQuotaForOrigin', { origin: stage.url })
  const stored = async () => {
    await field.press('Enter')
    return field.inputValue()
  }
  await expect.poll(stored).toBe('')
  await page.getByRole('list').getByText('13:00 – 17:00').waitFor()
  const entries = async () => (await stage?.ask(page, 'GET', '/api/entries'))?.items
  await expect.poll(entries).toHaveLength(2)
})

heavyTest('a line stays in the field when the browser deleted the local database', async () => {
  const { page, t, field } = await opened(desktop)
  await page.getByText(t('sync.saved')).first().waitFor()
  await field.fill('9-10 Harbour')
  await page.evaluate(`indexedDB.databases().then((all) => Promise.all(all.map(({ name }) =>
    new Promise((resolve) => { indexedDB.deleteDatabase(name).onsuccess = resolve }))))`)
  await page
    .getByText(t('sync.brief.trouble'))
    .or(page.getByText(t('ui.failure.store.gone')))
    .first()
    .waitFor()
  await field.press('Enter')
  await page.getByRole('group').getByText(t('ui.failure.store.gone')).waitFor()
  expect(await field.inputValue()).toBe('9-10 Harbour')
})

heavyTest('a length at noon asks whether it began in the morning', async () => {
  const { page, t, field } = await opened(desktop)
  await field.fill('7,5h')
  const choices = page.getByRole('list', { name: t('today.quick.choices') })
  await choices.getByRole('button', { name: /09:00 – 16:30/ }).click()
  await page.getByRole('list').getByText('09:00 – 16:30').waitFor()
})
