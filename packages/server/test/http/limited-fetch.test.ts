import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { limitedFetch } from '../../src/users/limited-fetch.ts'

test('[D20.14] a document of a provider is read up to a megabyte, whatever length it claims', async () => {
  const server = createServer(({ url }, response) => {
    response.on('error', () => undefined)
    if (url === '/fits') response.end('x'.repeat(1_000_000))
    else for (let n = 0; n < 3; n += 1) response.write('x'.repeat(500_000))
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const read = async (path: string) => (await limitedFetch(`http://127.0.0.1:${port}${path}`, {})).text()
  expect(await read('/fits')).toHaveLength(1_000_000)
  await expect(read('/endless')).rejects.toThrow('too large')
})
