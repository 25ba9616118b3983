import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DAY_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { expectConsistentClosings, fullTime, pullAll, work } from './full-time.ts'
import { serviceUnderFire } from './service-under-fire.ts'

const CLIENTS = 4
const KILLS = 10

/** The record after all its changes have arrived. */
interface Last {
  updated_at: string
  note: string | null
}

/** Responses that the service gives between a start and a kill. */
const lives = [1, 3, 0, 5, 2, 8, 1, 4, 0, 6]

test('[D4.3] [D4.8] after kill -9 during pushes, each acknowledged change is stored once', async () => {
  const service = await serviceUnderFire()
  await service.call('POST', '/api/settings', fullTime('2024-01-01'))
  for (const week of ['2024-W02', '2024-W03', '2024-W04', '2024-W05']) {
    expect((await service.call('POST', '/api/closed-weeks', { week })).status).toBe(201)
  }

  const expected = new Map<string, Last>()
  const changesById = new Map<string, number>()
  const acknowledged = new Map<string, number>()
  const shared = randomUUID()
  let kills = 0
  let answers = 0
  let stamps = 0
  let restarting: Promise<void> = Promise.resolve()

  const change = (id: string, note: string | null) => {
    stamps += 1
    const updated_at = new Date(Date.UTC(2024, 5, 1) + stamps).toISOString()
    if (updated_at > (expected.get(id)?.updated_at ?? '')) expected.set(id, { updated_at, note })
    changesById.set(id, (changesById.get(id) ?? 0) + 1)
    if (note === null) return { kind: 'entries', op: 'delete', id, updated_at }
    const date = new Date(Date.UTC(2024, 0, 1) + (stamps % 60) * DAY_MS).toISOString().slice(0, 10)
    return { kind: 'entries', op: 'upsert', record: { id, updated_at, ...work(date, 1 + (stamps % 8), note) } }
  }

  const restart = async () => {
    await service.kill()
    // The others go on pushing while this one looks.
    const known = [...acknowledged]
    const versions = new Map((await pullAll(service.call)).map(({ id, version }) => [id, version]))
    for (const [id, version] of known) expect(versions.get(id)).toBeGreaterThanOrEqual(version)
  }

  const client = async (number: number) => {
    const own: string[] = []
    for (let batch = 0; kills < KILLS; batch += 1) {
      const made = Array.from({ length: 8 }, () => randomUUID())
      const changes = [
        ...made.map((id) => change(id, `client ${number}`)),
        ...own.splice(0, 3).map((id, index) => change(id, index === 0 ? null : 'edited')),
        change(shared, `by ${number} in ${batch}`),
      ]
      own.push(...made)
      const { status, body } = await service.call('POST', '/api/sync/push', { device: randomUUID(), changes })
      expect(status).toBe(200)
      for (const { id, status, version } of body.results) {
        expect(['applied', 'unchanged', 'superseded']).toContain(status)
        acknowledged.set(id, Math.max(version, acknowledged.get(id) ?? 0))
      }
      answers += 1
      if (kills < KILLS && answers > (lives[kills] as number)) {
        kills += 1
        answers = 0
        restarting = restarting.then(restart)
        await restarting
      }
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)))

  const standing = new Map((await pullAll(service.call)).map((one) => [one.id, one]))
  for (const [id, { updated_at, note }] of expected) {
    const found = standing.get(id)
    expect(found).toMatchObject({ updated_at, deleted: note === null })
    if (note !== null) expect(found?.record.note).toBe(note)
  }
  const { weeks } = await expectConsistentClosings(service.call)
  expect(weeks.map(({ week }) => week).sort()).toEqual(['2024-W02', '2024-W03', '2024-W04', '2024-W05'])

  const database = new DatabaseSync(join(service.dir, 'saldo.db'), { readOnly: true })
  const log = database.prepare('SELECT version, kind, record_id FROM sync_log ORDER BY version').all()
  const counter = database.prepare('SELECT version FROM counters').get()?.version
  database.close()
  expect(log.map(({ version }) => version)).toEqual(Array.from({ length: Number(counter) }, (_, index) => index + 1))
  const logged = Map.groupBy(log, ({ record_id }) => record_id as string)
  for (const [id, changes] of changesById) {
    // Of the shared record, a change that arrives late loses, and leaves no row.
    if (id !== shared) expect(logged.get(id)).toHaveLength(changes)
  }
})
