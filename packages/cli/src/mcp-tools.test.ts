import { systemRandom } from '@saldo/client'
import { check } from '@saldo/core'
import { expect, test } from 'vitest'
import type { AssistantRequest } from './mcp-requests.ts'
import { tools } from './mcp-tools.ts'

const ID = '00000000-0000-4000-8000-000000000001'
const stored = {
  ...{ id: ID, version: 7, created_at: '2026-11-20T08:00:00.000Z', updated_at: '2026-11-20T08:00:00.000Z' },
  ...{ kind: 'sick', date: '2026-11-20', note: 'Flu' },
}

/** Runs a tool against a service that answers every request with the stored entry. Returns the requests as well. */
async function use(name: string, input: object) {
  const tool = tools.find((each) => each.name === name)
  const checked = tool && check(tool.input, input)
  if (!checked?.ok) throw new Error(`${name} does not take this: ${JSON.stringify(checked?.errors)}`)
  const requests: AssistantRequest[] = []
  const send = async (request: AssistantRequest) => {
    requests.push(request)
    return { value: stored, etag: '"7"' }
  }
  return { requests, outcome: await tool?.run(checked.value, { send, random: systemRandom }) }
}

test('[D21.10] a reading tool asks with all of its input, and without a query where it has none', async () => {
  expect((await use('read_balance', {})).requests).toEqual([{ method: 'GET', path: '/api/balance' }])
  const range = { from: '2026-11-16', to: '2026-11-22' }
  const report = await use('read_report', { ...range, group: 'tag', kind: 'break', project: 'A&B', words: 'x y' })
  expect(report.requests).toEqual([
    {
      method: 'POST',
      path: '/api/reports',
      body: { ...range, group: 'tag', kind: 'break', project: 'A&B', words: 'x y' },
    },
  ])
  expect((await use('list_entries', { ...range, cursor: 'c' })).requests[0]?.path).toBe(
    '/api/entries?from=2026-11-16&to=2026-11-22&cursor=c',
  )
})

test('[D21.11] a new entry has an id from the plan on, so that a repeated request creates no second one', async () => {
  const { requests, outcome } = await use('record_entry', { kind: 'sick', date: '2026-11-20', day_share: 0.5 })
  expect(requests).toEqual([])
  expect(outcome).toEqual({
    outcome: 'planned',
    change: {
      summary: 'Create this entry:\nkind: "sick"\ndate: "2026-11-20"\nday_share: 0.5',
      request: {
        method: 'POST',
        path: '/api/entries',
        body: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), kind: 'sick', date: '2026-11-20', day_share: 0.5 },
      },
    },
  })
})

test('[D21.11] changing and deleting name the entry as it was read, without the fields of the service', async () => {
  const before = 'kind: "sick"\ndate: "2026-11-20"\nnote: "Flu"'
  expect((await use('change_entry', { id: ID, note: '' })).outcome).toMatchObject({
    change: {
      summary: `Change this entry:\n${before}\n\nto:\nkind: "sick"\ndate: "2026-11-20"\nnote: ""`,
      request: {
        ...{ method: 'PUT', path: `/api/entries/${ID}`, ifMatch: '"7"' },
        body: { kind: 'sick', date: '2026-11-20', note: '' },
      },
    },
  })
  expect((await use('delete_entry', { id: ID })).outcome).toEqual({
    outcome: 'planned',
    change: {
      summary: `Delete this entry:\n${before}`,
      request: { method: 'DELETE', path: `/api/entries/${ID}`, ifMatch: '"7"' },
    },
  })
})

test('[D32.1] a field that a tool does not know is refused, and not dropped', () => {
  const record = tools.find(({ name }) => name === 'record_entry')
  const work = { kind: 'work', started_at: '2026-11-20T09:00:00Z', ended_at: '2026-11-20T17:00:00Z' }
  expect(record && check(record.input, work).ok).toBe(true)
  expect(record && check(record.input, { ...work, break: 30 })).toMatchObject({ ok: false })
})
