import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, openSaldo } from '@saldo/client'
import { sqliteStore } from '@saldo/client/node'
import { expect, test } from 'vitest'
import { Harness } from './harness.ts'

const readme = readFileSync(join(import.meta.dirname, '../../packages/client/README.md'), 'utf8')
const [, block = ''] = /```ts\n(.*?)```/s.exec(readme) ?? []

test('the example of the client’s README works', async () => {
  const harness = await Harness.open()
  try {
    const { url, token, folder } = harness.address
    const example = block
      .replaceAll(/^import .*$/gm, '')
      .replace('http://localhost:7253', url)
      .replace('ada.db', join(folder, 'ada.db'))
    const shown: number[] = []
    const names = { connect, openSaldo, sqliteStore, token, show: (count: number) => shown.push(count) }
    const AsyncFunction = (async () => {}).constructor as FunctionConstructor
    const run = new AsyncFunction(...Object.keys(names), `${example}\nreturn { result, confirmed_ms, forecast_ms }`)
    expect(await run(...Object.values(names))).toEqual({ result: 'stored', confirmed_ms: 0, forecast_ms: 0 })
    expect(await harness.ask('/api/entries')).toMatchObject({ items: [{ note: 'at home' }] })
    expect(shown.length).toBeGreaterThan(0)
  } finally {
    await harness.close()
  }
})
