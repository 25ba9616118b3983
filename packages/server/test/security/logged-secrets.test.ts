import { expect, onTestFinished, test } from 'vitest'
import { startTestService } from '../harness.ts'
import { openBrowser, PASSWORD, signUp } from '../http/browser.ts'
import { SentSecrets } from '../sent-secrets.ts'

test('[D8.24] the log search finds a password, token, cookie or signature at any depth', () => {
  const cookie = 'c2Vzc2lvbiB0b2tlbg.c2lnbmF0dXJl%2FMT0%3D'
  const secrets = new SentSecrets()
  secrets.note(new Headers({ cookie: `a=b; saldo.session_token=${cookie}` }), {
    email: 'a@example.com',
    password: PASSWORD,
  })
  secrets.note(new Headers({ authorization: 'Bearer saldo_1234567890' }), undefined)
  secrets.note(new Headers({ 'set-cookie': 'saldo.session_token=another-secret; Path=/' }), {
    token: 'saldo_0987654321',
  })
  const told = (secret: string) =>
    secrets.in([{ fields: { err: new Error('no', { cause: { request: { headers: [[{ secret }]] } } }) } }])
  for (const secret of [
    PASSWORD,
    'saldo_1234567890',
    'saldo_0987654321',
    cookie,
    'c2Vzc2lvbiB0b2tlbg',
    'c2lnbmF0dXJl/MT0=',
    'another-secret',
  ]) {
    expect(told(secret)).toContain(secret)
  }
  expect(told('a@example.com and nothing else')).toEqual([])
})

test('[D8.24] every test that stops its service searches the log for secrets', async () => {
  const service = await startTestService()
  await service.call('GET', '/api/me', { token: 'saldo_1234567890' })
  service.log.push({ level: 'warn', fields: { token: 'saldo_1234567890' }, message: '' })
  await expect(service.close()).rejects.toThrow('the log tells secrets: saldo_1234567890')
})

test('[D8.24] failures during sign-in and authentication log no secret', async () => {
  const service = await startTestService({ now: new Date().toISOString() })
  onTestFinished(() => service.close())
  const browser = await signUp(service, 'anna@example.com')
  const { driver, close } = await service.openBeside()
  await driver.write((sql) => sql.run('ALTER TABLE sessions RENAME TO gone', []))
  await close()
  const json = { email: 'anna@example.com', password: PASSWORD }
  const change = { current_password: PASSWORD, new_password: `${PASSWORD}!` }
  for (const attempt of [
    () => browser.call('GET', '/api/me'),
    () => browser.call('POST', '/api/me/password', { json: change }),
    () => openBrowser(service).call('POST', '/api/auth/sign-in', { json }),
  ]) {
    expect((await attempt()).status).toBe(500)
  }
  expect(service.log.filter(({ level }) => level === 'error').length).toBeGreaterThan(0)
})
