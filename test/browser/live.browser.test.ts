import { expect, test } from 'vitest'
import type { NextOutcome, Query } from './page/live.ts'
import { programOfFile } from './pages.ts'

const open = await programOfFile<Query>('live', 'query')

/** Delivers outcomes of a query on a new page, and waits after each for the text that the page then shows. */
async function expectShown(...steps: [outcome: NextOutcome, text: string][]): Promise<void> {
  const query = await open()
  for (const [outcome, text] of steps) {
    await query.evaluate((each, next) => each.deliver(next), outcome)
    await expect.poll(() => query.evaluate((each) => each.text()), { timeout: 30_000 }).toBe(text)
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
