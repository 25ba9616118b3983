import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asText } from '@saldo/conformance'
import { HOUR_MS } from '@saldo/core'
import { expect, test, vi } from 'vitest'
import { startTestService } from '../../server/test/harness.ts'
import { jsonLine, print, printList, printNotice } from '../src/output.ts'
import { commandsOf, offline } from './in-process.ts'

const vectors = readFileSync(join(import.meta.dirname, '../../../fixtures/nasty-texts.json'), 'utf8')
const nastyTexts = Object.values(JSON.parse(vectors) as Record<string, string[]>).flat()

/** Characters that a terminal carries out, shows as another line, or turns around. */
const carriedOut = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

const NOW = '2026-11-20T10:00:00.000Z'

test('[D1.39] entries with any text are a line each, and are as they were in JSON', async () => {
  const service = await startTestService({ now: NOW })
  vi.useFakeTimers({ now: Date.parse(NOW), toFake: ['Date'] })
  const email = 'ada@example.com'
  const { token, user, call } = await service.user(email)
  await call('POST', '/api/settings', {
    json: { effective_from: '2026-11-02', time_zone: 'Europe/Berlin', target_ms: Array(7).fill(8 * HOUR_MS) },
  })
  const start = Date.parse('2026-11-19T08:00:00Z')
  for (const [index, text] of nastyTexts.entries()) {
    const [from, to] = [start + index * 60_000, start + index * 60_000 + 30_000]
    const times = { started_at: new Date(from).toISOString(), ended_at: new Date(to).toISOString() }
    const tags = text.trim() === '' ? [] : [text]
    const entry = { kind: 'work', ...times, note: text, project: text.trim() === '' ? null : text, tags }
    const { status } = await call('POST', '/api/entries', { json: entry })
    expect([text, status]).toEqual([text, 201])
  }
  const online = commandsOf({ url: service.url, token, user, email })
  await online.run('sync')
  const { run } = offline(online)
  const linesOf = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args)
    expect([code, stderr]).toEqual([0, ''])
    return stdout.split('\n').slice(0, -1)
  }
  const log = await linesOf('log', '--from', '2026-11-19')
  expect(log).toHaveLength(nastyTexts.length)
  for (const group of ['project', 'tag', 'day']) {
    const report = await linesOf('report', '2026-11', '--by', group)
    expect(report.filter((line) => carriedOut.test(line))).toEqual([])
  }
  const names = (await online.run('names', 'projects')).stdout.split('\n')
  expect(names.length).toBeGreaterThan(200)
  expect([...log, ...names].filter((line) => carriedOut.test(line))).toEqual([])
  const { stdout } = await run('log', '--from', '2026-11-19', '--json')
  expect(stdout.trimEnd()).not.toMatch(carriedOut)
  expect(JSON.parse(stdout).entries.map(({ note }: { note: string }) => note)).toEqual(nastyTexts)
  vi.useRealTimers()
  await service.close()
})

test('[D1.39] lists, notices and reports of checks print any text as part of a line, and JSON keeps it', () => {
  const printed: string[] = []
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => printed.push(String(text)) > 0),
  )
  printList(
    nastyTexts.map((name) => ({ name })),
    { number: () => 1, name: ({ name }) => name },
    {},
  )
  for (const text of nastyTexts) printNotice(text)
  for (const spy of spies) spy.mockRestore()
  expect(printed).toHaveLength(2 * nastyTexts.length + 1)
  for (const line of printed) expect(line.replace(/\n$/, '').replace('\t', '')).not.toMatch(carriedOut)
  for (const text of nastyTexts) {
    expect(jsonLine(text)).not.toMatch(carriedOut)
    expect(JSON.parse(jsonLine(text))).toBe(text)
    const result = { rules: ['D1.1'], title: 'a check', outcome: 'failed', detail: text, durationMs: 1 } as const
    const report = asText({ subject: 'x', results: [result], leftovers: [text] })
    expect(report.split('\n')).toHaveLength(5)
    expect(report.replaceAll('\n', '')).not.toMatch(carriedOut)
  }
})

test('[D1.39] a style that a text brings is all that it can do to a line', () => {
  const spy = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  print('\u001b[1mbold\u001b[22m \u001b[8mhidden \u001b]0;title\u0007')
  const [[line] = []] = spy.mock.calls
  spy.mockRestore()
  expect(line).toBe('\u001b[1mbold\u001b[22m  [8mhidden  ]0;title \n')
})
