import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { isHeavy } from '../../packages/core/test/tier.ts'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { layoutFaults } from './layout.ts'
import { openStage } from './open-stage.ts'
import { listen, unnamed } from './sight.ts'
import { desktop, type Look, looks, person, phone, wordsOf } from './stage.ts'

/** Each language has its names of views, keys and dates. */
const eachLanguage: readonly Look[] = isHeavy ? [desktop, phone] : [desktop]

async function opened(look: Look, path: string) {
  const stage = await openStage()
  const { page } = await stage.page(look)
  const t = wordsOf(look.language)
  if (look.size === 'phone') await page.setViewportSize({ width: 360, height: 740 })
  await stage.signUp(page, '2026-10-26')
  const later = { effective_from: '2026-12-01', time_zone: 'Europe/Berlin', target_ms: [0, 0, 0, 0, 0, 0, 0] }
  await stage.ask(page, 'POST', '/api/settings', later)
  for (const [from, until] of [
    ['08:00', '09:00'],
    ['09:00', '10:00'],
    ['10:00', '11:00'],
  ] as const) {
    await stage.work(page, '2026-11-20', from, until, { project: from })
  }
  const adjustment = { effective_date: '2026-11-02', delta_ms: 3_600_000, kind: 'correction', reason: 'Fair' }
  await stage.ask(page, 'POST', '/api/balance/adjustments', adjustment)
  await stage.visit(page, path)
  await page.getByText(t('sync.saved')).first().waitFor({ state: 'attached' })
  return { page, t }
}

/** Follows a link of the app, wherever it is. */
const go = (page: Page, path: string) => page.evaluate(`history.pushState(null, '', '${path}')`)

const expectFocus = (page: Page, element: Locator) =>
  expect.poll(() => element.and(page.locator(':focus')).count()).toBe(1)

test.each(eachLanguage)(
  'the window has the name of the view, which is announced, and a wrong field gets the focus: $language',
  async (look) => {
    const { page, t } = await opened(look, '/settings')
    const names = { '/account': 'account.title', '/schedule': 'schedule.title', '/search': 'search.title' } as const
    expect(await page.title()).toBe(`${t('settings.title')} · Saldo`)
    const keys = page.getByText(look.language === 'de' ? 'Strg' : 'Ctrl', { exact: true })
    // A phone has no keyboard.
    if (look.size === 'desktop') await keys.first().waitFor()
    else expect(await keys.count()).toBe(0)
    const said = await listen(page)
    for (const [path, name] of Object.entries(names)) {
      await go(page, path)
      await page.getByRole('heading', { level: 1, name: t(name) }).waitFor()
      await expect.poll(() => page.title()).toBe(`${t(name)} · Saldo`)
      await expect.poll(said).toContain(t(name))
    }
    await go(page, '/account')
    await page.getByRole('button', { name: t('account.adjust') }).click()
    const hours = page.getByLabel(t('account.editor.hours'), { exact: true })
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('ui.save') })
      .click()
    await expectFocus(page, hours)
    const tree = await page.getByRole('dialog').ariaSnapshot()
    expect(tree).toContain(t('account.editor.problem.amount'))
    expect(await hours.getAttribute('aria-invalid')).toBe('true')
    const described = await hours.getAttribute('aria-describedby')
    expect(await page.locator(`[id="${described?.split(' ').at(-1)}"]`).textContent()).toBe(
      t('account.editor.problem.amount'),
    )
    await page.keyboard.press('Escape')
    await go(page, '/day/2026-11-19')
    await expect.poll(() => page.title()).toMatch(look.language === 'de' ? /^Donnerstag, 19/ : /^Thursday,? 19/)
  },
)

heavyTest.each(looks)(
  'the focus returns when a dialog closes, and dialogs fit and have names: $language',
  async (look) => {
    const { page, t } = await opened(look, '/')
    const button = (name: string) => page.getByRole('button', { name, exact: true }).first()
    const dialogs: readonly [string, () => Locator][] = [
      ['/', () => button(t('today.add'))],
      ['/', () => page.getByRole('list').getByRole('button', { name: '08:00 – 09:00' }).first()],
      ['/', () => page.getByRole('button', { name: t('openWeeks.open', { count: '3' }) })],
      ['/account', () => button(t('account.adjust'))],
      ['/schedule', () => button(t('schedule.add'))],
      ['/calendar/2026', () => page.locator('[data-date="2026-12-24"]')],
      ['/settings', () => button(t('settings.data.delete'))],
      ['/settings', () => button(t('settings.data.remove'))],
    ]
    for (const [path, openerOf] of dialogs) {
      await go(page, path)
      const opener = openerOf()
      await opener.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      expect(await layoutFaults(page), path).toEqual([])
      expect(await unnamed(page), path).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expectFocus(page, opener)
    }
    // The entries of the menu and the palette are gone when the dialogs that they opened close.
    const account = page.getByRole('button', { name: t('app.menu.label', { name: person.name }) })
    await account.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem').first().waitFor()
    await page.keyboard.press('Escape')
    await expectFocus(page, account)
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: t('app.signOut.action') }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await expectFocus(page, account)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: t('palette.title') }).fill('09:00')
    await page.getByRole('option', { name: '09:00 – 10:00' }).waitFor()
    // The time is a line of quick entry too, which comes before the entries that have it.
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: t('entries.editor.edit') }).waitFor()
    await page.keyboard.press('Escape')
    await expectFocus(page, account)
  },
)

heavyTest.each(looks)(
  'a save is announced once, a deletion moves the focus to the next row: $language',
  async (look) => {
    const { page, t } = await opened(look, '/')
    const row = (time: string) => page.getByRole('listitem').filter({ hasText: time })
    const isIn = async (time: string) => (await row(time).locator(':focus').count()) === 1
    const said = await listen(page)
    await row('08:00 –')
      .getByRole('button', { name: t('ui.delete') })
      .focus()
    await page.keyboard.press('Enter')
    await row('08:00 –').waitFor({ state: 'detached' })
    await expect.poll(() => isIn('09:00 –')).toBe(true)
    await page.getByText(t('sync.saved')).first().waitFor({ state: 'attached' })
    await expect.poll(said).toEqual([t('entries.deleted') + t('ui.undo')])

    // The last row is deleted in its editor: the row before it gets the focus.
    await row('10:00 –').getByRole('button').first().focus()
    await page.keyboard.press('Enter')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('ui.delete') })
      .click()
    await row('10:00 –').waitFor({ state: 'detached' })
    await expect.poll(() => isIn('09:00 –')).toBe(true)
    await row('09:00 –')
      .getByRole('button', { name: t('ui.delete') })
      .focus()
    await page.keyboard.press('Enter')
    await page.getByText(t('today.empty')).waitFor()
    await expect.poll(() => page.locator(':focus').textContent()).toBe(t('today.add'))

    // The quick field says what it understood once, after a pause.
    await said()
    await page.getByLabel(t('today.quick.label')).pressSequentially('13-14 @Saldo')
    await expect.poll(said).toEqual([expect.stringContaining('13:00')])
    await page.keyboard.press('Enter')
    await row('13:00 –').waitFor()
    await page.getByText(t('sync.saved')).first().waitFor({ state: 'attached' })
    await expect.poll(said).toEqual([t('today.quick.added_one') + t('ui.undo')])
  },
)

heavyTest('forced colours show selections, the focus and the heat map', async () => {
  const { page, t } = await opened(desktop, '/calendar/2026')
  await page.emulateMedia({ forcedColors: 'active' })
  const styleOf = (selector: string, name: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${name}')`)
  expect(await styleOf('nav [aria-current=page]', 'outline-style')).toBe('solid')
  const heat = await Promise.all([1, 2, 3, 4].map((step) => styleOf(`li [data-heat="${step}"]`, 'background-color')))
  expect(new Set(heat).size).toBe(4)
  await go(page, '/account')
  await page.getByRole('button', { name: t('account.adjust') }).click()
  const hours = page.getByLabel(t('account.editor.hours'), { exact: true })
  await hours.focus()
  expect(await styleOf(':focus', 'outline-style')).toBe('solid')
  expect(await styleOf('[role=dialog] [data-active]', 'outline-style')).toBe('solid')
  await page.keyboard.press('Escape')
  await go(page, '/settings')
  const shown = page.getByRole('switch', { name: t('shortcuts.single') })
  await shown.waitFor({ state: 'attached' })
  const track = ':checked + .mantine-Switch-track'
  expect(await styleOf(track, 'border-top-style')).toBe('solid')
  expect(await styleOf(track, 'background-color')).not.toBe(await styleOf(`${track} > *`, 'background-color'))
  await go(page, '/calendar/2026/11')
  await page.getByRole('button', { name: t('calendar.add') }).click()
  await page.getByRole('dialog').getByRole('radio', { checked: true }).first().waitFor({ state: 'attached' })
  const tick = '[role=dialog] [data-checked] .mantine-Chip-checkIcon'
  expect(await styleOf(tick, 'color')).toBe(await styleOf('body', 'color'))
})
