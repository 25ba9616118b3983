import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, preview } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { startTestService } from '../../packages/server/test/harness.ts'
import { pageOfTest } from './pages.ts'

const root = join(import.meta.dirname, '../../examples/react')

/** Builds the example with Vite and serves it. Returns its address. */
async function servePage(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), 'saldo-example-'))
  onTestFinished(() => rmSync(outDir, { recursive: true }))
  await build({ root, logLevel: 'error', build: { outDir } })
  const server = await preview({ root, logLevel: 'error', build: { outDir }, preview: { port: 0, host: '127.0.0.1' } })
  onTestFinished(() => server.close())
  return server.resolvedUrls?.local[0] ?? ''
}

test('the page in React signs in from another origin with a token, and records, offline too', async () => {
  const address = await servePage()
  const service = await startTestService({ config: { allowedOrigins: [new URL(address).origin] } })
  onTestFinished(() => service.close())
  const { token, call } = await service.user(undefined, { scope: 'record' })
  const { page, context } = await pageOfTest(address)
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  await page.getByLabel('Address of the service').fill(service.url)
  await page.getByLabel('Token').fill('wrong')
  await button('sign in').click()
  await expect.poll(() => page.getByRole('alert').textContent()).not.toBe('')
  await page.getByLabel('Address of the service').fill(service.url)
  await page.getByLabel('Token').fill(token)
  await button('sign in').click()

  await button('start').click()
  await page.getByText('to now Garden').waitFor()
  await page.getByText('Everything is saved.').waitFor()
  await page.getByText('Balance: 0.00 h').waitFor()
  expect((await call('GET', '/api/entries')).body).toMatchObject({ items: [{ project: 'Garden', ended_at: null }] })

  // The page itself would come from its server again, so it stays open.
  await context.setOffline(true)
  await button('stop').click()
  await page.getByText('1 unsent').waitFor()
  await context.setOffline(false)
  await page.getByText('Everything is saved.').waitFor()
  expect((await call('GET', '/api/entries')).body).toMatchObject({ items: [{ ended_at: expect.any(String) }] })

  await button('sign out').click()
  await button('sign in').waitFor()
  expect(await page.evaluate('indexedDB.databases()')).toEqual([])
})
