import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { serviceOfFile } from '../../server/test/file-service.ts'
import { temporaryFolder } from './in-process.ts'

const service = await serviceOfFile()
const program = join(import.meta.dirname, '../src/main.ts')

test.each(['SIGINT', 'SIGTERM'] as const)(
  '[D8.44] a command that ends by %s leaves no copy of the account behind',
  async (signal) => {
    const { token } = await service.user()
    // A proxy that loses every request of the sync, so that the command waits with its copy.
    const proxy = createServer((incoming, outgoing) => {
      if (incoming.url?.startsWith('/api/sync/')) return
      const onward = request(service.url + incoming.url, { headers: incoming.headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      })
      incoming.pipe(onward)
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const folder = temporaryFolder()
    const env = { ...process.env, TMPDIR: folder, SALDO_URL: url, SALDO_TOKEN: token }
    const command = spawn(process.execPath, [program, 'export'], { env, stdio: 'ignore' })
    const copies = () => readdirSync(folder).filter((name) => name.startsWith('saldo-device-'))
    await vi.waitFor(() => expect(copies()).toHaveLength(1), { timeout: 60_000 })
    command.kill(signal)
    expect(await once(command, 'exit')).toEqual([null, signal])
    expect(copies()).toEqual([])
    proxy.closeAllConnections()
    proxy.close()
  },
)
