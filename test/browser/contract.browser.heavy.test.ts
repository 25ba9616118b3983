import { afterAll, describe, expect, test } from 'vitest'
import { pageFiles } from './bundle.ts'
import { sharedBrowser } from './chromium.ts'
import type { Contract } from './page/contract.ts'
import { FaultProxy } from './proxy.ts'

const proxy = await FaultProxy.open(await pageFiles('contract'))
const page = await (await sharedBrowser()).newPage()
afterAll(async () => {
  await page.close()
  await proxy.close()
})

await page.goto(`${proxy.url}/contract/`)
const contract = await page.waitForFunction(() => (globalThis as { contract?: Contract }).contract as Contract)
const titles = await contract.evaluate(({ titles }) => titles())

describe('Dexie over the IndexedDB of Chromium', () => {
  test('there is something to keep', () => expect(titles.length).toBeGreaterThan(10))

  for (const title of titles) test(title, () => contract.evaluate(({ run }, title) => run(title), title))
})
