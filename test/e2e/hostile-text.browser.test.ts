import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { giveAuthenticator } from './authenticator.ts'
import { visitedViews } from './full-account.ts'
import { openStage } from './open-stage.ts'
import { desktop, person, wordsOf } from './stage.ts'

const t = wordsOf(desktop.language)

/** Texts that a page would run, or fill in, if it took them for anything but text. */
const hostile = [
  '<img src=x onerror="window.hacked=1">',
  '"><svg onload="window.hacked=1"><script>window.hacked=1</script>',
  "javascript:window.hacked=1//' onmouseover='window.hacked=1",
  '$t(settings.title) {{email}} <1>bold</1> &lt;b&gt; %{1} %s',
]

const go = (page: Page, path: string) => page.evaluate(`history.pushState(null, '', '${path}')`)

async function expectTextOnly(page: Page, where: string): Promise<void> {
  expect(await page.evaluate('window.hacked'), where).toBeUndefined()
  expect(await page.locator('img[src="x"], [onerror], [onload], [onmouseover], a[href^="javascript"]').count()).toBe(0)
}

test('[D8.33] notes, projects, tags and names that look like code are shown as text in every view', async () => {
  const at = await openStage()
  const { page, context, errors } = await at.page(desktop)
  await giveAuthenticator(context, page)
  page.on('dialog', (dialog) => errors.push(dialog.message()))
  await at.signUp(page, '2026-11-02')
  for (const [index, text] of hostile.entries()) {
    const more = { note: text, project: text, tags: [text.slice(0, 50)] }
    await at.work(page, `2026-11-1${6 + index}`, '09:00', '17:00', more)
    await at.ask(page, 'POST', '/api/me/tokens', { name: text, password: person.password })
    const adjustment = { kind: 'payout', effective_date: '2026-11-10', delta_ms: -60_000, reason: text }
    await at.ask(page, 'POST', '/api/balance/adjustments', adjustment)
    // Whoever manages accounts sees what others call themselves.
    await at.ask(page, 'POST', '/api/admin/users', {
      email: `colleague${index}@example.com`,
      name: text,
      password: person.password,
    })
  }
  for (const path of [...visitedViews, '/accounts']) {
    await at.visit(page, path)
    await page.getByText(t('sync.saved')).first().waitFor({ state: 'attached' })
    await expectTextOnly(page, path)
  }
  // The text is there to the letter.
  for (const [index, text] of hostile.entries()) {
    await go(page, `/day/2026-11-1${6 + index}`)
    await page.getByRole('heading', { level: 1, name: `${16 + index} November` }).waitFor()
    await page.getByText(text).first().waitFor()
    await expectTextOnly(page, text)
  }
  await go(page, '/settings')
  const tokens = page.getByRole('region', { name: t('settings.tokens.title') })
  for (const text of hostile) await tokens.getByText(text, { exact: true }).waitFor()
  // Search reads a query from a person, and marks what it finds.
  await go(page, '/search')
  for (const text of hostile) {
    await page.getByRole('searchbox').first().fill(text)
    await page.getByText(text).first().waitFor()
    await expectTextOnly(page, text)
  }
  expect(errors).toEqual([])
})
