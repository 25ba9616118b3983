import { openSaldo, type Saldo } from '@saldo/client'
import { dexieStore } from '@saldo/client/dexie'
import type { DateRange, UserNumber } from '@saldo/core'
import { Dexie } from 'dexie'

/** The user that measures. */
interface As {
  user: UserNumber
  token: string
}

interface Page {
  cursor?: string
  changes: Record<string, { id: string }[]>
}

/** The longest that the page could do nothing else, in milliseconds, while `work` went on. */
async function longestBlock(work: () => Promise<void>): Promise<{ ms: number; blockMs: number }> {
  const { port1, port2 } = new MessageChannel()
  let last = performance.now()
  let blockMs = 0
  port2.onmessage = () => {
    const now = performance.now()
    blockMs = Math.max(blockMs, now - last)
    last = now
    port1.postMessage(null)
  }
  port1.postMessage(null)
  const startMs = performance.now()
  await work()
  const ms = performance.now() - startMs
  port1.close()
  return { ms, blockMs }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

/** Resolved when the device has been told `isDone` of its status. */
function synced(saldo: Saldo): Promise<void> {
  const done = Promise.withResolvers<void>()
  const end = saldo.status.subscribe(({ state, lastSuccessMs }) => {
    if (state === 'idle' && lastSuccessMs !== null) done.resolve()
  })
  return done.promise.finally(end)
}

const open = (as: As) => openSaldo({ ...as, store: dexieStore() })

/** The reference: a page fetches everything and puts it into a table. */
async function bare({ token }: As): Promise<void> {
  const database = new Dexie('bare')
  database.version(1).stores({ records: 'id' })
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const at = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const headers = { authorization: `Bearer ${token}` }
    const page = (await (await fetch(`/api/sync/pull?limit=10000${at}`, { headers })).json()) as Page
    await database.table('records').bulkPut(Object.values(page.changes).flat())
    cursor = page.cursor ?? undefined
  }
  database.close()
}

const week: DateRange = { from: '2026-11-16', to: '2026-11-22' }

/** The measurements, in milliseconds. */
const measures = {
  async bareColdStart(as: As): Promise<number> {
    const ms = await timed(() => bare(as))
    await Dexie.delete('bare')
    return ms
  },

  async coldStart(as: As): Promise<number> {
    let saldo: Saldo | undefined
    const ms = await timed(async () => {
      saldo = await open(as)
      await synced(saldo)
    })
    await saldo?.forget()
    return ms
  },

  /** The longest time that a cold start blocked the page. */
  async block(as: As): Promise<number> {
    let saldo: Saldo | undefined
    const { blockMs } = await longestBlock(async () => {
      saldo = await open(as)
      await synced(saldo)
    })
    await saldo?.forget()
    return blockMs
  },

  /** From an edit to where a live query shows it, on a filled device; and from opening that to what a query answers. */
  async filled(as: As, rounds: number): Promise<{ editMs: number[]; openMs: number[] }> {
    const first = await open(as)
    await synced(first)
    await first.close()
    const openMs: number[] = []
    const editMs: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      let saldo: Saldo | undefined
      openMs.push(
        await timed(async () => {
          saldo = await open(as)
          await saldo.entries.between(week).read()
        }),
      )
      if (saldo) {
        await synced(saldo)
        editMs.push(await editVisible(saldo, `round ${round}`))
        await saldo.sync()
        await saldo.close()
      }
    }
    return { editMs, openMs }
  },
}
export type Measures = typeof measures

async function editVisible(saldo: Saldo, note: string): Promise<number> {
  const listening = Promise.withResolvers<void>()
  const shown = Promise.withResolvers<number>()
  const end = saldo.entries.between(week).subscribe((rows) => {
    listening.resolve()
    if (rows.some(({ record }) => record.note === note)) shown.resolve(performance.now())
  })
  await listening.promise
  const startMs = performance.now()
  const created = saldo.entries.create({ kind: 'sick', date: '2026-11-20', note }).settled
  const ms = (await shown.promise) - startMs
  await created
  end()
  return ms
}

Object.assign(globalThis, { measures })
