import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { openStage } from './open-stage.ts'
import { looks, wordsOf } from './stage.ts'

test.each(looks)(
  '[D19.24] a device of an erased account says so, and keeps its unsent data until it is downloaded and \
removed: $size $language',
  async (look) => {
    const opened = await openStage(undefined, { signup: 'open' })
    const t = wordsOf(look.language)
    const admin = await opened.page(look)
    await opened.signUp(admin.page)
    const { page, context } = await opened.page(look)
    const grace = { email: 'grace@example.com', name: 'Grace Hopper', password: 'a new horse battery' }
    const { user_id: id } = await opened.ask(page, 'POST', '/api/auth/sign-up', grace)
    const target_ms = [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * 3_600_000)
    const settings = { effective_from: '2026-11-20', time_zone: 'Europe/Berlin', target_ms }
    await opened.ask(page, 'POST', '/api/settings', settings)
    await opened.visit(page)
    await page.getByRole('button', { name: t('today.timer.start') }).waitFor()

    await context.setOffline(true)
    await page.getByRole('button', { name: t('today.timer.start') }).click()
    await page.getByRole('button', { name: t('today.timer.stop') }).waitFor()
    await opened.ask(admin.page, 'DELETE', `/api/admin/users/${id}`)
    await opened.goOn('2026-12-05T12:00:00.000Z')
    await opened.eraseDue()
    await context.setOffline(false)
    const dialog = page.getByRole('dialog')
    await dialog.getByText(t('signIn.erased.why', { email: grace.email })).waitFor()
    await dialog.getByText(t('signIn.erased.unsent_one')).waitFor()
    await expectAccessible(page)
    const downloading = page.waitForEvent('download')
    await dialog.getByRole('button', { name: t('signIn.erased.download') }).click()
    const saved = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
    expect(saved.user.email).toBe(grace.email)
    expect(saved.records.entries).toMatchObject([{ kind: 'work', ended_at: null }])
    await dialog.getByText(t('settings.data.exported')).waitFor()

    await dialog.getByRole('button', { name: t('settings.data.remove') }).click()
    await dialog.getByRole('button', { name: t('settings.data.remove'), exact: true }).click()
    await page.getByRole('heading', { level: 1, name: t('signIn.title') }).waitFor()
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('profile')))).toEqual([])
  },
)
