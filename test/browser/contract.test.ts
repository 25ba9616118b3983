import { afterAll, describe, expect, test } from 'vitest'
import { pageFiles } from './bundle.ts'
import { launched } from './chromium.ts'
import type { Contract } from './page/contract.ts'
import { FaultProxy } from './proxy.ts'

const proxy = await FaultProxy.open(await pageFiles('contract'))
const browser = await launched()
afterAll(async () => {
  await browser.close()
  await proxy.close()
})

const page = await browser.newPage()
await page.goto(`${proxy.url}/contract/`)
const contract = await page.waitForFunction(() => (globalThis as { contract?: Contract }).contract as Contract)
const titles = await contract.evaluate(({ titles }) => titles())

describe('Dexie over the IndexedDB of Chromium', () => {
  test('there is something to keep', () => expect(titles.length).toBeGreaterThan(10))

  for (const title of titles) test(title, () => contract.evaluate(({ run }, title) => run(title), title))
})
