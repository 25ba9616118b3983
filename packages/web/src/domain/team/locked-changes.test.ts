import { newEntry } from '@saldo/client/entries'
import { aSettingsRow, aWork } from '@saldo/client/testing'
import { type EpochMs, type Month, parseContent, type RecordId } from '@saldo/core'
import { expect, test } from 'vitest'
import { monthsOfMutations, requestsOfMutations } from './locked-changes.ts'

const timeline = [aSettingsRow({ effective_from: '2026-01-01' })]
const locked: Month[] = ['2026-09', '2026-10']
const at = (text: string) => Date.parse(text) as EpochMs
const october = aWork(at('2026-10-07T08:00:00Z'), at('2026-10-07T16:00:00Z'), { note: 'on the train' })
const november = aWork(at('2026-11-10T08:00:00Z'), at('2026-11-10T16:00:00Z'))
const id = '00000000-0000-4000-8000-0000000000fe' as RecordId

const monthsOf = (...mutations: Parameters<typeof monthsOfMutations>[0]) =>
  monthsOfMutations(mutations, locked, timeline)

test('[D27.4] [D27.19] the locked months of mutations are those of the old and of the new times', () => {
  const moved = { started_at: '2026-09-30T08:00:00.000Z', ended_at: '2026-09-30T09:00:00.000Z' } as const
  expect(monthsOf({ op: 'delete', record: october })).toEqual(['2026-10'])
  expect(monthsOf({ op: 'update', record: november, patch: { note: 'x' } })).toEqual([])
  expect(monthsOf({ op: 'update', record: november, patch: moved })).toEqual(['2026-09'])
  expect(monthsOf({ op: 'update', record: october, patch: moved })).toEqual(['2026-09', '2026-10'])
  expect(monthsOf({ op: 'create', content: november }, { op: 'create', content: october })).toEqual(['2026-10'])
  expect(monthsOfMutations([{ op: 'delete', record: october }], [], timeline)).toEqual([])
})

test('[D27.9] the end of work that began in a locked month touches that month', () => {
  const running = aWork(at('2026-10-31T20:00:00Z'), null)
  const patch = { ended_at: '2026-11-01T09:00:00.000Z' } as const
  expect(monthsOf({ op: 'update', record: running, patch })).toEqual(['2026-10'])
})

test('a mutation that is not valid touches no month, since it fails by itself', () => {
  const patch = { ended_at: '2026-10-07T07:00:00.000Z' } as const
  expect(monthsOf({ op: 'update', record: october, patch })).toEqual([])
})

test('[D26.14] [D27.10] requests hold mutations whole, 50 at most each', () => {
  const moment = { timeline, today: '2026-11-20', now: '2026-11-20T08:00:00.000Z', newId: () => id } as const
  const patch = { ended_at: '2026-10-07T17:00:00.000Z' } as const
  const pause = newEntry({
    ...{ kind: 'break' as const, started_at: '2026-10-08T10:00:00.000Z', ended_at: '2026-10-08T10:30:00.000Z' },
  } as never)
  const [request, ...others] = requestsOfMutations(
    [
      { op: 'update', record: october, patch },
      { op: 'create', content: pause },
    ],
    moment,
    'The terminal was broken',
  )
  expect(others).toEqual([])
  expect(parseContent('entries', request)).toMatchObject({ ok: true })
  expect(request).toMatchObject({ asks: 'change', date: '2026-10-07', last_date: '2026-10-08' })
  expect(request?.note).toBe('The terminal was broken')
  const [edit, creation] = request?.changes ?? []
  const updated_at = '2026-11-20T08:00:00.000Z'
  expect(edit).toMatchObject({ op: 'upsert', record: { id: october.id, ...patch, note: 'on the train', updated_at } })
  expect(creation).toMatchObject({ op: 'upsert', record: { id, kind: 'break' } })
  const many = Array.from({ length: 51 }, () => ({ op: 'delete' as const, record: october }))
  expect(requestsOfMutations(many, moment, '').map(({ changes }) => changes?.length)).toEqual([50, 1])
})
