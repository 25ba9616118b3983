import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, onTestFinished, test } from 'vitest'
import { root, runSaldo } from '../../server/test/faults/program.ts'
import { serviceOfFile } from '../../server/test/file-service.ts'
import { startTestService } from '../../server/test/harness.ts'

const WORK = {
  kind: 'work',
  started_at: '2026-11-20T08:00:00+01:00',
  ended_at: '2026-11-20T12:00:00+01:00',
  project: 'Harbour',
}

const service = await serviceOfFile()

/** Starts `saldo mcp` as an assistant does. `answers` are what the user says to the questions of their client. */
async function openAssistant(token: string, answers?: ('accept' | 'decline' | 'cancel')[], elicitation = {}) {
  const capabilities = answers ? { elicitation } : {}
  const client = new Client({ name: 'test', version: '1' }, { capabilities })
  const questions: string[] = []
  if (answers) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message)
      return { action: answers.shift() ?? 'decline', content: {} }
    })
  }
  const args = [join(root, 'packages/cli/dist/saldo.js'), 'mcp']
  const env = { SALDO_URL: service.url, SALDO_TOKEN: token }
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }))
  onTestFinished(() => client.close())
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: given })
    const [{ text }] = content as [{ text: string }]
    return { text, isError: isError === true }
  }
  return { client, call, questions }
}

test('[D21.10] an assistant reads balance, days, reports and entries with a token that only reads', async () => {
  const { token } = await service.user('reading@example.com', { scope: 'read' })
  // A client that only opens web pages does not ask the user.
  const { client, call } = await openAssistant(token, [], { url: {} })
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('confirm_change')
  expect(await call('read_minds')).toEqual({ isError: true, text: 'There is no tool read_minds.' })
  for (const { name, inputSchema, annotations } of tools) {
    expect(inputSchema.type, name).toBe('object')
    expect(annotations?.readOnlyHint, name).toBe(/^(read|list)_/.test(name))
  }
  const range = { from: '2026-11-16', to: '2026-11-22' }
  for (const [name, given, path] of [
    ['read_balance', {}, '/api/balance'],
    ['read_days', range, `/api/account/days?${new URLSearchParams(range)}`],
    ['list_entries', range, `/api/entries?${new URLSearchParams(range)}`],
  ] as const) {
    const { text, isError } = await call(name, given)
    expect([isError, JSON.parse(text)], name).toEqual([false, (await service.call('GET', path, { token })).body])
  }
  const sought = { ...range, group: 'day' }
  const { text } = await call('read_report', sought)
  expect(JSON.parse(text)).toEqual((await service.call('POST', '/api/reports', { token, json: sought })).body)
  expect(await call('read_days', { from: 'yesterday', to: '2026-11-22' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('/from'),
  })
  const planned = await call('record_entry', WORK)
  const code = /code: (\w+)/.exec(planned.text)?.[1]
  const refused = await call('confirm_change', { code })
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('scope `record`') })
  // The change still waits, until twenty others do.
  for (let count = 0; count < 19; count += 1) await call('record_entry', WORK)
  expect(await call('confirm_change', { code })).toEqual(refused)
  await call('record_entry', WORK)
  expect((await call('confirm_change', { code })).text).toContain('This code is not known')
})

test('[D21.11] a change is stored once the user has confirmed all of it, by code or in their client', async () => {
  const { token, call: ask } = await service.user('recording@example.com', { scope: 'record' })
  const entries = async () => (await ask('GET', '/api/entries')).body.items
  const plain = await openAssistant(token)
  const planned = await plain.call('record_entry', WORK)
  expect(planned.text).toContain('started_at: "2026-11-20T08:00:00+01:00"')
  expect(await entries()).toEqual([])
  expect(await plain.call('confirm_change', { code: 'guessed' })).toMatchObject({ isError: true })
  const code = /code: (\w+)/.exec(planned.text)?.[1]
  const stored = JSON.parse((await plain.call('confirm_change', { code })).text)
  const started_at = '2026-11-20T07:00:00.000Z'
  expect(await entries()).toMatchObject([{ id: stored.id, project: 'Harbour', started_at }])
  expect(await plain.call('confirm_change', { code })).toMatchObject({ isError: true })

  const asking = await openAssistant(token, ['decline', 'cancel', 'accept', 'decline', 'accept', 'accept', 'accept'], {
    form: {},
    url: {},
  })
  for (const { client } of [asking, await openAssistant(token, [])])
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('confirm_change')
  const change = { id: stored.id, note: 'Crane', ended_at: '2026-11-20T13:00:00+01:00' }
  for (const _refusal of ['decline', 'cancel']) {
    expect((await asking.call('change_entry', change)).text).toContain('Nothing was changed')
    expect(await entries()).toMatchObject([{ note: '' }])
  }
  expect((await asking.call('change_entry', change)).isError).toBe(false)
  expect(asking.questions[2]).toContain('note: "Crane"')
  expect(await entries()).toMatchObject([{ note: 'Crane', project: 'Harbour', ended_at: '2026-11-20T12:00:00.000Z' }])
  // Line separators and controls of direction are shown as escapes.
  await asking.call('change_entry', { id: stored.id, note: 'a\u2028b\u202Ec' })
  expect(asking.questions.at(-1)).toContain(String.raw`note: "a\u2028b\u202ec"`)
  const invalid = await asking.call('record_entry', { ...WORK, started_at: 'eight' })
  expect(invalid).toMatchObject({ isError: true, text: expect.stringContaining('/started_at') })
  expect(await asking.call('change_entry', { id: stored.id, ended_at: null })).toMatchObject({ isError: false })
  expect(await entries()).toMatchObject([{ note: 'Crane', ended_at: null }])
  expect(await asking.call('delete_entry', { id: stored.id })).toMatchObject({ isError: false })
  expect(await entries()).toEqual([])
})

test('[D21.11] a change of an entry that has changed meanwhile is not stored', async () => {
  const { token, call: ask } = await service.user('meanwhile@example.com', { scope: 'record' })
  const { id } = (await ask('POST', '/api/entries', { json: WORK })).body
  const { call } = await openAssistant(token)
  const code = /code: (\w+)/.exec((await call('delete_entry', { id })).text)?.[1]
  await ask('PUT', `/api/entries/${id}`, { json: { ...WORK, note: 'elsewhere' } })
  expect(await call('confirm_change', { code })).toMatchObject({ isError: true, text: expect.stringContaining('412') })
  expect((await ask('GET', `/api/entries/${id}`)).body.note).toBe('elsewhere')
})

test('the assistant learns that the service cannot be reached; without a token the command ends', async () => {
  const missing = await runSaldo(['mcp'], { env: { SALDO_URL: service.url } })
  expect(missing).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('SALDO_TOKEN') })
  const odd = { SALDO_URL: 'ftp://saldo.example', SALDO_TOKEN: 'saldo_x' }
  expect(await runSaldo(['mcp'], { env: odd })).toMatchObject({ code: 2, stderr: expect.stringContaining('http') })
  // It ends with its input.
  const env = { SALDO_URL: service.url, SALDO_TOKEN: 'saldo_x' }
  expect(await runSaldo(['mcp'], { env, input: '' })).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
  const gone = await startTestService()
  const { url } = gone
  await gone.close()
  const args = [join(root, 'packages/cli/dist/saldo.js'), 'mcp']
  const client = new Client({ name: 'test', version: '1' })
  const unreachable = { ...env, SALDO_URL: url }
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: unreachable }))
  onTestFinished(() => client.close())
  const { isError, content } = await client.callTool({ name: 'read_balance', arguments: {} })
  expect([isError, content]).toEqual([true, [{ type: 'text', text: `The service at ${url} cannot be reached.` }]])
})
