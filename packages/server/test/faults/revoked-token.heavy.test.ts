import { expect, test } from 'vitest'
import { askForEvents } from '../http/event-client.ts'
import { addAccount, caller, EMAIL, work } from './full-time.ts'
import { runSaldo, serve, temporaryDir } from './program.ts'

test('[D5.22] revoking a token by command ends its event stream', async () => {
  const dir = temporaryDir()
  const env = { SALDO_DATA_DIR: dir }
  const token = await addAccount(dir)
  const { stdout: other } = await runSaldo(['admin', 'token', 'add', EMAIL, '--name', 'other'], { env })
  const service = await serve(dir)
  const stream = await askForEvents(service, { authorization: `Bearer ${token}` })
  const staying = await askForEvents(service, { authorization: `Bearer ${other.trim()}` })
  await stream.receivesVersion(0)

  const { stdout: listed } = await runSaldo(['admin', 'token', 'list', EMAIL], { env })
  const id = /^\S+(?=\s+test\b)/m.exec(listed)?.[0] ?? ''
  expect(await runSaldo(['admin', 'token', 'revoke', EMAIL, id], { env })).toMatchObject({ code: 0 })
  await stream.ended()
  const created = await caller(service.url, other.trim())('POST', '/api/entries', work('2024-01-01'))
  expect(created.status).toBe(201)
  await staying.receivesVersion(1)
})
