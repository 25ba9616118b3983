import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { expectAccessible, expectStateAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { desktop, type Look, phone, wordsOf } from './stage.ts'

/** A page with one entry, from nine to eleven. */
async function opened(look: Look) {
  const stage = await openStage()
  const { page, context } = await stage.page(look)
  const t = wordsOf(look.language)
  await stage.signUp(page)
  await stage.work(page, '2026-11-20', '09:00', '11:00', { project: 'Saldo' })
  await stage.visit(page)
  await page.getByRole('list').getByRole('button').first().waitFor()
  const line = page.getByRole('region', { name: t('today.line.label') })
  const block = (times: string) => line.getByRole('button', { name: times })
  return { page, context, t, line, block }
}

/** Where the middle of something is on the screen. */
async function middle(locator: Locator): Promise<{ x: number; y: number; height: number }> {
  const box = await locator.boundingBox()
  if (!box) throw new Error('it is not on the screen')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, height: box.height }
}

async function drag(page: Page, from: { x: number; y: number }, byPx: number): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x, from.y + byPx / 2)
  await page.mouse.move(from.x, from.y + byPx)
  await page.mouse.up()
}

test('on the timeline a mouse moves, resizes, creates and opens entries', async () => {
  const { page, t, line, block } = await opened(desktop)
  const before = await middle(block('09:00 – 11:00'))
  const hourPx = before.height / 2

  await drag(page, before, hourPx)
  await block('10:00 – 12:00').waitFor()
  await page.getByRole('button', { name: t('ui.undo') }).click()
  await block('09:00 – 11:00').waitFor()

  await drag(page, { x: before.x, y: before.y + before.height / 2 }, hourPx / 2)
  await block('09:00 – 11:30').waitFor()

  await drag(page, { x: before.x, y: before.y + 3 * hourPx }, hourPx)
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await dialog.getByLabel(t('entries.editor.project')).fill('House')
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await block('House 13:00 – 14:00').waitFor()
  await expectAccessible(page)

  await block('House').click()
  await dialog.waitFor()
  await dialog.getByRole('button', { name: t('ui.delete') }).click()
  await block('House').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await block('House').waitFor()
  expect(await line.getByRole('button').count()).toBe(2)
})

heavyTest('on the timeline keys move, resize, delete and open entries', async () => {
  const { page, t, block } = await opened(desktop)
  await block('09:00 – 11:00').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await block('09:10 – 11:10').waitFor()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Alt+ArrowUp')
  await block('09:05 – 11:15').waitFor()
  await page.getByRole('list').getByText('09:05 – 11:15').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // A move that is taken back is not saved after the pause of the keys either: the next one goes on from before it.
  await block('09:05 – 11:15').focus()
  await page.keyboard.press('ArrowDown')
  await block('09:10 – 11:20').waitFor()
  await page.keyboard.press('Escape')
  await block('09:05 – 11:15').waitFor()
  await page.clock.fastForward(10_000)
  await page.keyboard.press('Shift+ArrowUp')
  await page.getByRole('list').getByText('09:05 – 11:10').waitFor()
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByRole('list').getByText('09:05 – 11:15').waitFor()
  // A block that loses the focus saves its move at once, and not again after the pause: it is one step to undo.
  await page.keyboard.press('ArrowDown')
  await block('09:10 – 11:20').waitFor()
  await page.evaluate('document.activeElement.blur()')
  await page.getByRole('list').getByText('09:10 – 11:20').waitFor()
  await page.clock.fastForward(10_000)
  for (const times of ['09:05 – 11:15', '09:05 – 11:10', '09:05 – 11:15']) {
    await page.keyboard.press('Control+z')
    await page.getByRole('list').getByText(times).waitFor()
  }
  await block('09:05 – 11:15').focus()
  await page.keyboard.press('Delete')
  await page.getByText(t('today.empty')).waitFor()
  await page.getByRole('button', { name: t('ui.undo') }).click()
  await block('09:05 – 11:15').waitFor()
})

heavyTest('on the timeline a finger selects, moves and creates entries, and scrolls', async () => {
  const { page, context, t, block } = await opened(phone)
  await page.getByText(t('today.asTimeLine'), { exact: true }).click()
  const target = block('09:00 – 11:00')
  await target.scrollIntoViewIfNeeded()
  await target.tap()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await expectStateAccessible(page)

  const { x, y, height } = await middle(target)
  const touch = await context.newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', atY?: number) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: atY === undefined ? [] : [{ x, y: atY }] })
  await send('touchStart', y)
  for (const step of [0.25, 0.5, 0.75, 1]) await send('touchMove', y + (height / 2) * step)
  await send('touchEnd')
  await block('10:00 – 12:00').waitFor()

  // On a slow phone the click of a tap would reach the dialog that the tap opened.
  await page.evaluate("addEventListener('click', () => (globalThis.wasClicked = true), { capture: true })")
  const wasClicked = () => page.evaluate('globalThis.wasClicked === true')
  const dialog = page.getByRole('dialog')
  await block('10:00 – 12:00').tap()
  await dialog.waitFor()
  expect(await wasClicked()).toBe(false)
  await dialog.getByRole('button', { name: t('ui.cancel') }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.evaluate('globalThis.wasClicked = false')

  const moved = await middle(block('10:00 – 12:00'))
  await page.touchscreen.tap(moved.x, moved.y - moved.height)
  await dialog.waitFor()
  expect(await wasClicked()).toBe(false)
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await block('09:00 – 09:30').waitFor()
})
