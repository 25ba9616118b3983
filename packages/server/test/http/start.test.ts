import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { OpenError } from '../../src/errors.ts'
import { listen, urlAt } from '../../src/http/server.ts'
import { startTimers } from '../../src/main.ts'
import { startTestService, type TestServiceOptions } from '../harness.ts'

function newServer(): Server {
  const server = createServer()
  onTestFinished(() => void server.close())
  return server
}

test('the address of the service is one that reaches it from this computer', () => {
  for (const host of ['127.0.0.1', '0.0.0.0', '::', 'localhost']) expect(urlAt(host, 80)).toBe('http://localhost:80')
  expect([urlAt('::1', 80), urlAt('192.0.2.1', 80)]).toEqual(['http://[::1]:80', 'http://192.0.2.1:80'])
})

test('a port in use and an address of another computer stop the start with a line', async () => {
  const taken = newServer()
  await listen(taken, '127.0.0.1', 0)
  const { port } = taken.address() as AddressInfo
  await expect(listen(newServer(), '127.0.0.1', port)).rejects.toThrow(
    new OpenError(`port ${port} is in use: set SALDO_PORT to another one`),
  )
  await expect(listen(newServer(), '127.0.0.1', port, 'SALDO_METRICS_PORT')).rejects.toThrow('set SALDO_METRICS_PORT')
  await expect(listen(newServer(), '203.0.113.1', 0)).rejects.toThrow(/^cannot listen on 203\.0\.113\.1:0: ./)
})

test('[D8.20] [D20.10] there is no set-up code where nobody can sign up', async () => {
  const codeWith = async (config: NonNullable<TestServiceOptions['config']>) => {
    const service = await startTestService({ config })
    onTestFinished(() => service.close())
    return service.service.setupCode
  }
  expect(await codeWith({ signup: 'first' })).toMatch(/^[\w-]{22}$/)
  expect(await codeWith({ signup: 'closed' })).toBeUndefined()
  expect(await codeWith({ signup: 'first', oidcOnly: true })).toBeUndefined()
})

test('jobs and webhooks run each second, streams every four, logged acts every ten, a demo each hour', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const counts = new Map<string, number>()
  const note = (name: string) => async () => void counts.set(name, (counts.get(name) ?? 0) + 1)
  const names = ['sendToWebhooks', 'logActsOfCommands', 'heartbeat', 'eraseDue', 'resetDemo'] as const
  const [sendToWebhooks, logActsOfCommands, heartbeat, eraseDue, resetDemo] = names.map(note)
  const limits = new Set<number>()
  const stop = startTimers({
    runJobsAtPace: (maxMs) => {
      limits.add(maxMs)
      return note('runJobsAtPace')()
    },
    ...({ sendToWebhooks, logActsOfCommands, heartbeat, eraseDue, resetDemo } as Record<
      (typeof names)[number],
      () => Promise<void>
    >),
  })
  const inAnHour = {
    runJobsAtPace: 3_600,
    sendToWebhooks: 3_600,
    logActsOfCommands: 360,
    heartbeat: 900,
    eraseDue: 6,
    resetDemo: 1,
  }
  vi.advanceTimersByTime(3_600_000)
  expect(Object.fromEntries(counts)).toEqual(inAnHour)
  expect([...limits]).toEqual([1_000])
  stop()
  vi.advanceTimersByTime(3_600_000)
  expect(Object.fromEntries(counts)).toEqual(inAnHour)
})
