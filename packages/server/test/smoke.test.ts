import { expect, test } from 'vitest'
import { serviceOfFile } from './file-service.ts'

const service = await serviceOfFile()

test('every documented page answers', async () => {
  const { call } = await service.user()
  for (const path of [
    '/api/docs',
    '/api/docs/start.js',
    '/api/health',
    '/api/version',
    '/api/balance',
    '/api/me',
    '/api/me/export',
    '/api/entries',
    '/api/sync/pull',
    '/api/sync/pull?since=0',
    '/api/account/days?from=2026-11-01&to=2026-11-03',
  ]) {
    expect((await call('GET', path)).status, path).toBe(200)
  }
})
