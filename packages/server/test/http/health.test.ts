import { expect, onTestFinished, test } from 'vitest'
import { startTestService } from '../harness.ts'

const PATHS = ['/api/health/live', '/api/health/ready', '/api/health']

test('live and ready answer 200 while the service runs', async () => {
  const service = await startTestService()
  onTestFinished(() => service.close())
  for (const path of PATHS) {
    const { status, body } = await service.call('GET', path)
    expect({ status, body }).toEqual({ status: 200, body: { status: 'ok' } })
  }
})

test('while the database does not answer, the service is live but not ready, and does not log each probe', async () => {
  const service = await startTestService()
  onTestFinished(() => service.close())
  const { driver, close } = await service.openBeside()
  onTestFinished(close)
  await driver.write((sql) => sql.script('ALTER TABLE users RENAME TO gone'))
  const answers = await Promise.all(PATHS.map((path) => service.call('GET', path)))
  expect(answers.map(({ status }) => status)).toEqual([200, 503, 503])
  expect(answers[1]?.body).toMatchObject({ code: 'unavailable', detail: 'The database does not respond.' })
  expect(answers[1]?.headers.get('retry-after')).toBe('5')
  expect(service.log.filter(({ level }) => level !== 'debug')).toEqual([])
  await driver.write((sql) => sql.script('ALTER TABLE gone RENAME TO users'))
  expect((await service.call('GET', '/api/health/ready')).status).toBe(200)
})
