import { beforeEach, expect, test } from 'vitest'
import { coldStart } from '../../src/engine/cold-start.ts'
import { pullOnce } from '../../src/engine/pull.ts'
import { settleRow } from '../../src/engine/settle.ts'
import type { ServiceRequest } from '../../src/host/transport.ts'
import type { LocalStore } from '../../src/store/store.ts'
import { baseRecord, id, outboxRow } from '../rows.ts'
import { openTestStore } from './test-store.ts'

const SERVER_TIME = '2026-11-21T12:00:00.000Z'
const position = { version: 5, tag: 'old' }
const emptyPage = { tag: 'new', since_tag: 'new', has_more: false, changes: {}, deleted: {} }

let store: LocalStore

beforeEach(() => {
  store = openTestStore()
})

test('[D7.32] a history reset that a follower finds is that of the next cold start, and of no later one', async () => {
  const sent = { ...outboxRow(3), generation: 1, sender: 'a follower' }
  await store.write(async (tables) => {
    await tables.setMeta({ ...(await tables.meta()), position, knownVersion: 5 })
    // A pull confirmed this tombstone, and pulls have passed the version that the service now gives to record 3.
    await tables.baseRecords.put([baseRecord(1, null)])
    await tables.outbox.put([sent])
  })
  const outcome = { outcome: 'accepted', current: { ...baseRecord(3), version: 2 } } as const
  const settlement = await store.write((tables) => settleRow(tables, sent, outcome, 0))
  expect(settlement.outcome).toBe('historyReset')

  const requests: ServiceRequest[] = []
  const offers = () => store.read((tables) => tables.outbox.all())
  const context = {
    store,
    now: () => Date.parse(SERVER_TIME),
    livingTabs: async () => new Set<string>(),
    transport: async (request: ServiceRequest) => {
      requests.push(request)
      const response = { ...emptyPage, version: 5, server_time: SERVER_TIME }
      return { outcome: 'ok', status: 200, body: response, headers: new Headers() } as const
    },
  }
  expect(await pullOnce(context)).toEqual({ outcome: 'historyReset' })
  expect(requests).toEqual([])
  expect(await coldStart(context)).toEqual({ outcome: 'coldStarted' })
  expect(await offers()).toMatchObject([{ id: id(1), content: null }, { id: id(3) }])
  expect(await store.read((tables) => tables.meta())).toMatchObject({ isHistoryReset: false })

  await store.write(async (tables) => tables.baseRecords.put([baseRecord(4, null)]))
  expect(await coldStart(context)).toEqual({ outcome: 'coldStarted' })
  expect(JSON.stringify(await offers())).not.toContain(id(4))
})
