import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import type { TestService } from '../harness.ts'
import { create, resourceOf, resources } from './resources.ts'

type Call = TestService['call']

const service = await serviceOfFile()

/** All pages of a collection, one after another; `between` may change records after each page. */
async function readAll(call: Call, path: string, query: string, between: () => Promise<unknown> = async () => {}) {
  const items: { id: string; note?: string }[] = []
  let cursor: string | null = null
  do {
    const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { status, body } = await call('GET', `${path}?${query}${more}`)
    expect(status).toBe(200)
    items.push(...body.items)
    cursor = body.next_cursor
    await between()
  } while (cursor !== null)
  return items
}

describe.each(resources)('$kind', (resource) => {
  const { path } = resource

  test('[D9.4] pages stay complete while records are created, deleted and moved between them', async () => {
    const { call } = await service.user()
    const at = (day: number) => `2026-05-${String(day).padStart(2, '0')}`
    const made: { id: string }[] = []
    for (let day = 1; day <= 12; day += 1) made.push(await create(call, resource, resource.on(at(day))))
    let page = 0
    const items = await readAll(call, path, 'limit=3', async () => {
      page += 1
      if (page > 3) return
      // Deletes, creates and moves records before and behind the cursor.
      await call('DELETE', `${path}/${made[page - 1]?.id}`)
      await create(call, resource, resource.on(at(1)))
      await create(call, resource, resource.on('2026-06-01'))
      await call('PUT', `${path}/${made[12 - page]?.id}`, { json: resource.on('2026-01-01') })
    })
    const ids = items.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    // Records that did not change are in the pages once.
    for (const { id } of made.slice(3, 9)) expect(ids.filter((one) => one === id)).toHaveLength(1)
    expect(ids).not.toContain(made[11]?.id)
  })

  test('[D9.4] the cursor distinguishes records of the same time', async () => {
    const { call } = await service.user()
    const made = []
    for (let n = 0; n < 7; n += 1) made.push(await create(call, resource, resource.on('2026-05-05')))
    for (const limit of [1, 2, 3, 6, 7, 8]) {
      const items = await readAll(call, path, `limit=${limit}`)
      expect(items.map(({ id }) => id)).toEqual(made.map(({ id }) => id).sort())
    }
  })
})

describe('entries of a range', () => {
  const entries = resourceOf('entries')

  async function userInBerlin() {
    const { call } = await service.user()
    await create(call, resourceOf('settings_history'), {
      effective_from: '2020-01-01',
      time_zone: 'Europe/Berlin',
      target_ms: [0, 0, 0, 0, 0, 0, 0],
    })
    return call
  }

  const notesOf = async (call: Call, query: string) => (await readAll(call, '/api/entries', query)).map((e) => e.note)

  test('[D9.3] a date in a filter is the day of the account in its time zone', async () => {
    const call = await userInBerlin()
    const work = (note: string, started_at: string, ended_at: string | null) =>
      create(call, entries, { kind: 'work', note, started_at, ended_at })
    // 29 March 2026 has 23 hours in Berlin: from 28T23:00Z to 29T22:00Z.
    await work('before', '2026-03-28T22:00:00Z', '2026-03-28T23:00:00Z')
    await work('into', '2026-03-28T22:30:00Z', '2026-03-28T23:00:00.001Z')
    await work('inside', '2026-03-29T01:00:00Z', '2026-03-29T02:00:00Z')
    await work('point', '2026-03-28T23:00:00Z', '2026-03-28T23:00:00Z')
    await work('over', '2026-03-20T00:00:00Z', '2026-04-20T00:00:00Z')
    await work('last', '2026-03-29T21:59:59.999Z', '2026-03-29T22:30:00Z')
    await work('after', '2026-03-29T22:00:00Z', '2026-03-29T23:00:00Z')
    await work('running', '2026-03-01T00:00:00Z', null)
    await create(call, entries, { kind: 'sick', note: 'sick before', date: '2026-03-28' })
    await create(call, entries, { kind: 'sick', note: 'sick', date: '2026-03-29' })
    await create(call, entries, { kind: 'sick', note: 'sick after', date: '2026-03-30' })
    const expected = ['running', 'over', 'into', 'point', 'sick', 'inside', 'last']
    expect(await notesOf(call, 'from=2026-03-29&to=2026-03-29')).toEqual(expected)
    expect(await notesOf(call, 'from=2026-03-29&to=2026-03-29&limit=1')).toEqual(expected)
    // The same as instants; the end is not included.
    expect(await notesOf(call, 'from=2026-03-28T23:00:00Z&to=2026-03-29T22:00:00Z')).toEqual(expected)
    expect(await notesOf(call, 'from=2026-03-29T00:00:00%2B01:00&to=2026-03-30T00:00:00%2B02:00')).toEqual(expected)
    expect(await notesOf(call, 'from=2026-03-29&to=2026-03-29T01:00:00.000Z')).toEqual(expected.slice(0, 5))
  })

  const zones = ['Europe/Berlin', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/Santiago', 'UTC']
  const noon = Date.parse('2026-09-06T12:00:00Z')
  const minute = fc.integer({ min: -4_000, max: 4_000 }).map((minutes) => noon + minutes * 60_000)
  const date = fc.integer({ min: -3, max: 3 }).map((days) => dateText(noon + days * 86_400_000))
  const border = fc.oneof(date, minute.map(instantText))
  const length = fc.oneof(fc.constantFrom(0, 1, 1_500, null), fc.nat(6_000))
  const anyEntry = fc.oneof(
    fc.record({ start: minute, length }).map(({ start, length }) => ({
      kind: 'work',
      started_at: instantText(start),
      ended_at: length === null ? null : instantText(start + length * 60_000),
    })),
    date.map((on) => ({ kind: 'vacation', date: on })),
  )

  test('[D9.3] a list equals a naive filter of all entries, for any zone, range and page size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...zones),
        fc.array(anyEntry, { maxLength: 12 }),
        fc.array(fc.record({ from: border, to: border, limit: fc.integer({ min: 1, max: 5 }) }), { minLength: 3 }),
        async (zone, contents, queries) => {
          const { call } = await service.user()
          const settings = { effective_from: '2020-01-01', time_zone: zone, target_ms: [0, 0, 0, 0, 0, 0, 0] }
          await create(call, resourceOf('settings_history'), settings)
          const made = []
          for (const content of contents) made.push(await create(call, entries, content))
          for (const { from, to, limit } of queries) {
            if (startOf(zone, from) >= endOf(zone, to)) continue
            const query = `from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}&limit=${limit}`
            const wanted = made.filter((entry) => isWanted(zone, entry, from, to))
            expect(await readAll(call, '/api/entries', query)).toEqual(wanted.toSorted(inOrder))
          }
        },
      ),
      { numRuns: 12 },
    )
  })

  interface Stored {
    id: string
    date?: string
    started_at: string
    ended_at: string | null
  }

  function isWanted(zone: string, { date, started_at, ended_at }: Stored, from: string, to: string): boolean {
    const [start, end] = [startOf(zone, from), endOf(zone, to)]
    if (date !== undefined) return midnight(zone, date, 1) > start && midnight(zone, date, 0) < end
    const [began, ended] = [Date.parse(started_at), ended_at === null ? Number.POSITIVE_INFINITY : Date.parse(ended_at)]
    return began < end && (ended > start || began >= start)
  }

  const placeOf = ({ date, started_at }: Stored) => Date.parse(date ?? started_at)
  const inOrder = (a: Stored, b: Stored) => placeOf(a) - placeOf(b) || (a.id < b.id ? -1 : 1)
  const startOf = (zone: string, border: string) =>
    border.length > 10 ? Date.parse(border) : midnight(zone, border, 0)
  const endOf = (zone: string, border: string) => (border.length > 10 ? Date.parse(border) : midnight(zone, border, 1))

  function midnight(zone: string, on: string, days: number): number {
    return Temporal.PlainDate.from(on).add({ days }).toZonedDateTime(zone).epochMilliseconds
  }
})

function instantText(ms: number): string {
  return new Date(ms).toISOString()
}

function dateText(ms: number): string {
  return instantText(ms).slice(0, 10)
}
