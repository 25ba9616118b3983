import {
  buildTimeline,
  type Entry,
  type EntryFilter,
  noFilter,
  reportGroups,
  reportOf,
  type Settings,
} from '@saldo/core'
import { expect, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import { heavyTest } from '../heavy-test.ts'
import { newId, push, resourceOf } from './resources.ts'

const RANGES = [
  { from: '2026-10-20', to: '2026-11-20' },
  // The day on which summer time ends.
  { from: '2026-10-25', to: '2026-10-25' },
  { from: '2026-01-01', to: '2027-02-04' },
] as const
const FILTERS: EntryFilter[] = [
  { ...noFilter, kind: 'work' },
  { ...noFilter, kind: 'break' },
  { ...noFilter, kind: 'work', project: 'Harbour' },
  { ...noFilter, kind: 'work', tag: 'ui', words: 'ROSEN garten' },
]

const service = await serviceOfFile()

/** Returns entries of a month around the end of summer time that overlap, cross midnight and differ in all fields. */
function manyEntries(): object[] {
  const start = Date.parse('2026-10-20T05:00:00Z')
  const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString()
  return Array.from({ length: 450 }, (_, n) => {
    const begin = (n * 7_919) % 43_000
    const common = { note: n % 3 === 0 ? 'Rosen im Gärten' : '', tags: ['ui', 'code', 'test'].slice(0, n % 4) }
    const project = [null, 'Harbour', 'Garten'][n % 3]
    if (n % 20 === 0) return { kind: 'vacation', date: at(begin).slice(0, 10), ...common }
    const timed = { started_at: at(begin), ended_at: at(begin + 30 + ((n * 31) % 700)), ...common }
    return n % 4 === 1 ? { kind: 'break', ...timed } : { kind: 'work', project, counts: n % 7 !== 0, ...timed }
  })
}

test('[D21.8] a report is that of a client with the same records, by every group and filter', async () => {
  const { call } = await service.user()
  const policy = { rules: [{ worked_above_ms: 21_600_000, required_ms: 1_800_000 }], min_piece_ms: 0 }
  const settings = { ...resourceOf('settings_history').content, effective_from: '2026-10-21', break_policy: policy }
  const upsert = (kind: string, content: object) => ({
    kind,
    op: 'upsert',
    record: { id: newId(), updated_at: '2026-11-01T00:00:00.000Z', ...content },
  })
  await push(call, [upsert('settings_history', settings), ...manyEntries().map((one) => upsert('entries', one))])
  const { changes } = (await call('GET', '/api/sync/pull?limit=1000')).body
  const timeline = buildTimeline(changes.settings_history as Settings[])
  for (const filter of FILTERS) {
    for (const range of RANGES) {
      for (const group of reportGroups) {
        const local = reportOf(changes.entries as Entry[], timeline, filter, range, group)
        const filled = Object.entries({ ...filter, ...range, group }).filter(([, value]) => value !== '')
        const { status, body } = await call('POST', '/api/reports', { json: Object.fromEntries(filled) })
        const { lines, repeatedMs, deductedMs, totalMs, notCountedMs } = local
        expect([status, body], JSON.stringify({ filter, range, group })).toEqual([
          200,
          {
            ...range,
            group,
            lines: lines.map(({ key, timeMs, entryCount }) => ({ key, time_ms: timeMs, entries: entryCount })),
            ...{ repeated_ms: repeatedMs, deducted_ms: deductedMs, total_ms: totalMs, not_counted_ms: notCountedMs },
          },
        ])
      }
    }
  }
  const whole = (
    await call('POST', '/api/reports', { json: { from: '2026-10-20', to: '2026-11-20', group: 'project' } })
  ).body
  expect(whole.lines.length).toBe(3)
  for (const figure of ['repeated_ms', 'deducted_ms', 'total_ms', 'not_counted_ms']) {
    expect(whole[figure], figure).toBeGreaterThan(0)
  }
})

heavyTest('[D21.9] a report by tag has at most 50,000 tags of entries, and others are not concerned', async () => {
  const { call } = await service.user()
  const ask = async (group: string) => {
    const json = { from: '2026-01-01', to: '2026-12-31', group }
    const { status, body } = await call('POST', '/api/reports', { json })
    return [status, body.errors?.[0].pointer]
  }
  const tags = (entry: number) => Array.from({ length: 50 }, (_, n) => `${entry} ${n}`)
  for (let first = 0; first < 1_000; first += 500) {
    const changes = Array.from({ length: 500 }, (_, n) => {
      const times = { started_at: '2026-03-02T08:00:00.000Z', ended_at: '2026-03-02T09:00:00.000Z' }
      const record = {
        id: newId(),
        updated_at: '2026-11-01T00:00:00.000Z',
        kind: 'work',
        ...times,
        tags: tags(first + n),
      }
      return { kind: 'entries', op: 'upsert', record }
    })
    await push(call, changes)
  }
  expect(await ask('tag')).toEqual([200, undefined])
  const one = {
    ...resourceOf('entries').content,
    tags: ['one more'],
    started_at: '2026-03-03T08:00:00.000Z',
    ended_at: null,
  }
  await call('POST', '/api/entries', { json: one })
  expect(await ask('tag')).toEqual([400, '/to'])
  expect(await ask('project')).toEqual([200, undefined])
})

test('[D21.9] a report has at most 400 days and 10,000 entries', async () => {
  const { call } = await service.user()
  const ask = async (from: string, to: string) => {
    const { status, body } = await call('POST', '/api/reports', { json: { from, to, group: 'day' } })
    return [status, body.errors?.[0].pointer]
  }
  expect(await ask('2026-01-01', '2027-02-04')).toEqual([200, undefined])
  expect(await ask('2026-01-01', '2027-02-05')).toEqual([400, '/to'])
  expect(await ask('2026-01-02', '2026-01-01')).toEqual([400, '/to'])
  const dayOf = (n: number) => new Date(Date.UTC(2026, 0, 1 + (n % 365))).toISOString().slice(0, 10)
  for (let first = 0; first < 10_000; first += 1_000) {
    const changes = Array.from({ length: 1_000 }, (_, n) => {
      const [started_at, ended_at] = [`${dayOf(first + n)}T08:00:00.000Z`, `${dayOf(first + n)}T09:00:00.000Z`]
      const record = { id: newId(), updated_at: '2026-11-01T00:00:00.000Z', kind: 'work', started_at, ended_at }
      return { kind: 'entries', op: 'upsert', record }
    })
    await push(call, changes)
  }
  expect(await ask('2026-01-01', '2026-12-31')).toEqual([200, undefined])
  await call('POST', '/api/entries', { json: resourceOf('entries').content })
  expect(await ask('2026-01-01', '2026-12-31')).toEqual([400, '/to'])
  expect(await ask('2026-01-01', '2026-06-30')).toEqual([200, undefined])
})
