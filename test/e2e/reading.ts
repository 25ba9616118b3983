import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

/** Much longer than anything takes that is waited for. */
const PATIENCE_MS = 60_000

/**
 * Waits until a part of the page reads as stored in `shown/`: all of its names, texts, values, states and addresses.
 * Without a stored text it writes one, for review: to take over a change, delete the old one and run the test.
 */
export async function expectReading(part: Locator, name: string): Promise<void> {
  const file = join(import.meta.dirname, 'shown', `${name}.yaml`)
  const read = async () => `${withoutChance(await part.ariaSnapshot())}\n`
  if (existsSync(file)) {
    await expect.poll(read, { timeout: PATIENCE_MS }).toBe(readFileSync(file, 'utf8'))
    return
  }
  let before = ''
  const isSettled = async () => {
    const last = before
    before = await read()
    return before === last
  }
  await expect.poll(isSettled, { interval: 1_000 }).toBe(true)
  await expect(before).toMatchFileSnapshot(file)
}

/** Leaves out the minute at the service, the size of the local database, and the number of libraries. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/(19 Nov 2026, |19\.11\.2026, )(14:\d\d|2:\d\d pm)/g, '$1now')
    .replaceAll(/[\d.,]+ ?(kB|MB|GB)/g, '# kB')
    .replace(/\d+ libraries/, '# libraries')
}
