import { describe, expect, test } from 'vitest'
import type { Contract } from './page/contract.ts'
import { programOfFile } from './pages.ts'

const contract = await (await programOfFile<Contract>('contract', 'contract'))()
const titles = await contract.evaluate(({ titles }) => titles())

describe('Dexie over the IndexedDB of Chromium', () => {
  test('there is something to keep', () => expect(titles.length).toBeGreaterThan(10))

  for (const title of titles) test(title, () => contract.evaluate(({ run }, title) => run(title), title))
})
