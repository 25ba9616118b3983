import { afterAll, expect, test } from 'vitest'
import { pageFiles } from './bundle.ts'
import { sharedBrowser } from './chromium.ts'
import type { NextOutcome, Query } from './page/live.ts'
import { FaultProxy } from './proxy.ts'

const proxy = await FaultProxy.open(await pageFiles('live'))
afterAll(() => proxy.close())

/** Delivers outcomes of a query on a new page, and waits after each for the text that the page then shows. */
async function expectShown(...steps: [outcome: NextOutcome, text: string][]): Promise<void> {
  const page = await (await sharedBrowser()).newPage()
  try {
    await page.goto(`${proxy.url}/live/`)
    const query = await page.waitForFunction(() => (globalThis as { query?: Query }).query as Query)
    for (const [outcome, text] of steps) {
      await query.evaluate((each, next) => each.deliver(next), outcome)
      await expect.poll(() => query.evaluate((each) => each.text()), { timeout: 30_000 }).toBe(text)
    }
  } finally {
    await page.close()
  }
}

test('a result stays while the local store fails, until there is another one', async () => {
  await expectShown([{ result: 'first' }, 'first'], [{ failure: 'store' }, 'first'], [{ result: 'second' }, 'second'])
})

test('a store that fails before there is a result goes to the error boundary', async () => {
  await expectShown([{ failure: 'store' }, 'failed'])
})

test('a query with a defect goes to the error boundary, also after a result', async () => {
  await expectShown([{ failure: 'defect' }, 'failed'])
  await expectShown([{ result: 'first' }, 'first'], [{ failure: 'defect' }, 'failed'])
})
