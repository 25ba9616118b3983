import type { UserNumber } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { bodies } from '../http/bodies.ts'
import { openBrowser, PASSWORD, signUp } from '../http/browser.ts'
import { newId, resourceOf, timeOf } from '../http/resources.ts'
import { quickHashing } from '../quick-hashing.ts'

const EMAIL = 'grace@example.com'

/** Every writing operation of the document that needs a session. */
async function operationsOfSessions(service: TestService): Promise<{ method: string; path: string }[]> {
  const { paths } = (await service.call('GET', '/api/openapi.json')).body as {
    paths: Record<string, Record<string, { security?: Record<string, unknown>[] }>>
  }
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([name, { security = [] }]) => {
      const method = name.toUpperCase()
      const needsSession = security.length > 0 && security.every((way) => !JSON.stringify(way).includes('oken'))
      return method !== 'GET' && needsSession ? [{ method, path }] : []
    }),
  )
}

/** A body with which the operation gets as far as its write. */
function bodyOf(operation: string) {
  const json = bodies[operation]?.[0]
  if (json === undefined) return undefined
  const proofs = ['password', 'current_password'].filter((name) => name in json)
  return { ...json, ...Object.fromEntries(proofs.map((name) => [name, PASSWORD])) }
}

test('[D8.39] at another node, a reset at the same moment leaves nothing that a session makes or changes', async () => {
  const service = await startTestService({ config: { failedSignIns: 1_000 }, hashing: quickHashing })
  onTestFinished(() => service.close())
  const admin = await signUp(service, 'ada@example.com')
  const grace = await signUp(service, EMAIL)
  const idOf = async ({ call }: typeof grace) => (await call('GET', '/api/me')).body.user_id as number
  const [id, ofAdmin] = [await idOf(grace), await idOf(admin)]
  await admin.call('PATCH', `/api/admin/users/${id}`, { json: { role: 'admin', password: PASSWORD } })
  const node = await service.openBeside()
  onTestFinished(() => node.close())

  const operations = await operationsOfSessions(service)
  const answered: string[] = []
  for (const { method, path } of operations) {
    const browser = openBrowser(service)
    const signedIn = await browser.call('POST', '/api/auth/sign-in', { json: { email: EMAIL, password: PASSWORD } })
    expect(signedIn.status).toBe(200)
    const operation = `${method} ${path}`
    const json = bodyOf(operation)
    // Nobody erases their own account there.
    const user = operation === 'DELETE /api/admin/users/{id}' ? ofAdmin : id
    const ids = path.startsWith('/api/admin') ? String(user) : newId()
    const url = path.replaceAll('{month}', '2026-10').replaceAll(/\{\w+\}/g, ids)
    let isAnswered = false
    const answer = await node.driver.write(async (sql) => {
      await sql.all('SELECT id FROM users ORDER BY id FOR UPDATE')
      const sent = browser.call(method, url, { ...(json && { json }), skipContractCheck: true })
      void sent.finally(() => {
        isAnswered = true
      })
      const waiting = 'SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))'
      while (!isAnswered && (await sql.all(waiting)).length === 0);
      await sql.run('DELETE FROM sessions WHERE user_id = $1', [id])
      return [sent]
    })
    const { status = 0 } = (await answer[0]) ?? {}
    if (status !== 401) answered.push(`${operation} ${status}`)
  }
  expect(operations.length).toBeGreaterThan(25)
  // Refused before they would write: no version, no such id, a wrong code, an answer to no challenge.
  expect(answered).toEqual([
    'POST /api/auth/email 404',
    'DELETE /api/me 412',
    'POST /api/me/email-confirmation 409',
    'DELETE /api/me/sessions/{id} 400',
    'POST /api/me/second-factor/confirmation 403',
    'POST /api/me/passkeys 403',
    // It reads, though its words come in a body.
    'POST /api/admin/user-search 200',
    'POST /api/team/requests/preview 404',
    'POST /api/team/requests/{user}/{id}/decision 400',
    'POST /api/team/requests/{user}/{id}/substitution 400',
    'POST /api/team/months/{month}/lock 404',
    'POST /api/team/months/{month}/return 404',
    'POST /api/team/months/{month}/reopen 404',
    'POST /api/team/members/{user}/changes 400',
    'DELETE /api/team/members/{user}/changes/{id} 400',
    'POST /api/team/leave 404',
    'POST /api/team/leave/preview 404',
    'POST /api/team/leave/removal 404',
    'PUT /api/team/personnel 404',
    'PUT /api/team/mapping 404',
    'POST /api/team/exports 404',
    'PUT /api/team/policy 404',
    'PUT /api/team/blocks 404',
    'PUT /api/team/groups 404',
    'DELETE /api/team/groups/{id} 400',
    'PUT /api/team/people 404',
    'POST /api/team/people-search 404',
    'PUT /api/team/people/invitations 404',
    'PUT /api/team/roles 404',
    'POST /api/team/roles/{id}/confirmation 400',
    'POST /api/me/memberships/{id}/acceptance 400',
    'DELETE /api/me/memberships/{id} 400',
  ])
})

test.each(['a revoked token', 'a signed-out session', 'a deactivated user'])(
  '[D8.39] a write of records that waits at another node stores nothing for %s',
  async (end) => {
    const service = await startTestService({ hashing: quickHashing })
    onTestFinished(() => service.close())
    const admin = await signUp(service, 'ada@example.com')
    const grace = await signUp(service, EMAIL)
    const id = (await grace.call('GET', '/api/me')).body.user_id as UserNumber
    const made = (await grace.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })).body
    const node = await service.openBeside()
    onTestFinished(() => node.close())
    const { path, content } = resourceOf('entries')
    const record = { ...content, id: newId(), updated_at: timeOf(service) }
    const push = { changes: [{ kind: 'entries', op: 'upsert', record }] }
    const sent = await node.records.write(id, async () => {
      const writes = [
        ...['POST', 'PUT'].map((method) => ({ method, at: method === 'PUT' ? `${path}/${newId()}` : path })),
        { method: 'POST', at: '/api/sync/push' },
      ].map(({ method, at }) => {
        const json = at === '/api/sync/push' ? push : content
        const query = method === 'PUT' ? `?updated_at=${timeOf(service)}` : ''
        return end === 'a revoked token'
          ? service.call(method, at + query, { token: made.token as string, json })
          : grace.call(method, at + query, { json })
      })
      const waiting = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
      await expect.poll(async () => (await node.driver.all(waiting)).length).toBeGreaterThan(0)
      // At the other node, and not held up by the write that waits.
      if (end === 'a revoked token') await node.users.revokeToken(id, made.id as string)
      else if (end === 'a signed-out session') await node.users.endOtherSessions(id)
      else await admin.call('PATCH', `/api/admin/users/${id}`, { json: { active: false } })
      return { writes }
    })
    expect((await Promise.all(sent.writes)).map(({ status }) => status)).toEqual([401, 401, 401])
    expect((await node.records.read(id, (reader) => reader.position())).version).toBe(0)
  },
)
