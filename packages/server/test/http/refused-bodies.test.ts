import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readSlowly } from '../../src/http/request.ts'

/** Reads a body slowly. Returns it, and the number of its pieces that have been read. */
function readingSlowly() {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const body = new PassThrough()
  let pieces = 0
  body.on('data', () => {
    pieces += 1
  })
  readSlowly(body)
  const readSoFar = async () => {
    await turn()
    return pieces
  }
  return { body, readSoFar }
}

test('[D1.32] the rest of a refused body is read piece by piece, with a pause after each, to its end', async () => {
  const { body, readSoFar } = readingSlowly()
  for (let n = 0; n < 3; n += 1) body.write('x'.repeat(20_000))
  body.end()
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

test('[D1.32] small chunks of a refused body are read together', async () => {
  const { body, readSoFar } = readingSlowly()
  for (let n = 0; n < 30; n += 1) body.write('x'.repeat(1_000))
  expect(await readSoFar()).toBe(17)
  vi.runOnlyPendingTimers()
  expect(await readSoFar()).toBe(30)
})

test('[D1.32] a body that has begun to arrive before its answer is read slowly all the same', async () => {
  const length = 64 * 1024 * 1024
  const server = createServer()
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').resume()
  onTestFinished(() => void socket.destroy())
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n${' '.repeat(length)}`)
  const [request, response] = await once(server, 'request')
  while (request.readableLength < request.readableHighWaterMark) await turn()
  readSlowly(request)
  response.end()
  await once(response, 'finish')
  for (let n = 0; n < 100; n += 1) await turn()
  expect(socket.bytesWritten).toBeGreaterThan(length)
  expect(request.socket.bytesRead).toBeLessThan(length / 2)
})

const turn = () => new Promise((resolve) => setImmediate(resolve))
