import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readSlowly } from '../../src/http/request.ts'

test('[D1.32] the rest of a refused body is read piece by piece, with a pause after each, to its end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const body = new PassThrough()
  let pieces = 0
  body.on('data', () => {
    pieces += 1
  })
  readSlowly(body)
  for (let n = 0; n < 3; n += 1) body.write('x'.repeat(1_000))
  body.end()
  const readSoFar = async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return pieces
  }
  expect(await readSoFar()).toBe(1)
  expect(await readSoFar()).toBe(1)
  vi.runOnlyPendingTimers()
  expect(await readSoFar()).toBe(2)
  vi.runOnlyPendingTimers()
  vi.runOnlyPendingTimers()
  expect(await readSoFar()).toBe(3)
  vi.runOnlyPendingTimers()
  await readSoFar()
  expect(body.readableEnded).toBe(true)
})
