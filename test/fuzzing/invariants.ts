import { isDeepStrictEqual } from 'node:util'
import {
  type BalanceSummary,
  type ClosedWeek,
  type DigestResponse,
  DigestSum,
  type JsonObject,
  type PullResponse,
  recordKinds,
} from '@saldo/core'
import { requireClosedRight } from '../simulation/check.ts'
import type { User } from './wire.ts'

type Row = JsonObject & { id: string; version: number }
type Rows = Record<string, Row[]>

/** All that the service says of a user's account. */
export interface State {
  version: number
  /** By the pages of a snapshot, by pulls from the beginning where the log reaches back to it, and by the export. */
  paged: Rows
  pulled: Rows | undefined
  exported: Rows
  digest: DigestResponse
  balance: BalanceSummary
}

export async function stateOf(url: string, user: User): Promise<State> {
  for (;;) {
    const before = await stateAround(url, user)
    // Days may be closed by themselves meanwhile.
    const after = await stateAround(url, user)
    if (before.version === after.version) return before
  }
}

async function stateAround(url: string, { token }: User): Promise<State> {
  const ask = async (path: string) => {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
    const body = (await answer.json()) as object
    if (answer.status !== 200 && answer.status !== 410)
      throw new Error(`${path}: ${answer.status} ${JSON.stringify(body)}`)
    return answer.status === 200 ? body : undefined
  }
  const paged: Rows = {}
  let version = 0
  for (let cursor: string | null | undefined = ''; typeof cursor === 'string'; ) {
    const page = (await ask(`/api/sync/pull?limit=40${cursor && `&cursor=${cursor}`}`)) as PullResponse
    for (const [kind, rows] of Object.entries(page.changes)) {
      paged[kind] = [...(paged[kind] ?? []), ...(rows as unknown as Row[])]
    }
    version = page.version
    cursor = page.cursor
  }
  const { records } = (await ask('/api/me/export')) as { records: Rows }
  return {
    version,
    paged,
    pulled: await pulledFrom(ask),
    exported: records,
    digest: (await ask('/api/sync/digest')) as DigestResponse,
    balance: (await ask('/api/balance')) as BalanceSummary,
  }
}

async function pulledFrom(ask: (path: string) => Promise<object | undefined>): Promise<Rows | undefined> {
  const rows = new Map<string, { kind: string; row: Row }>()
  for (let since = 0; ; ) {
    const page = (await ask(`/api/sync/pull?since=${since}&limit=30`)) as PullResponse | undefined
    if (!page) return undefined
    for (const [kind, list] of Object.entries(page.changes)) {
      for (const row of list as unknown as Row[]) rows.set(`${kind} ${row.id}`, { kind, row })
    }
    for (const [kind, list] of Object.entries(page.deleted))
      for (const { id } of list ?? []) rows.delete(`${kind} ${id}`)
    if (!page.has_more) break
    if (page.version <= since) throw new Error(`a pull behind ${since} goes on at ${page.version}`)
    since = page.version
  }
  const byKind = Map.groupBy(rows.values(), ({ kind }) => kind)
  return Object.fromEntries([...byKind].map(([kind, those]) => [kind, those.map(({ row }) => row)]))
}

/** Throws unless all that the service says is of one account, and its closings and balance are what its records say. */
export function requireSound({ version, paged, pulled, exported, digest, balance }: State): void {
  const sum = new DigestSum()
  const versions = new Set<number>()
  for (const kind of recordKinds) {
    const rows = byId(paged[kind])
    requireSame(`the export has other ${kind} than the snapshot`, byId(exported[kind]), rows)
    if (pulled) requireSame(`pulls bring other ${kind} than the snapshot`, byId(pulled[kind]), rows)
    for (const row of rows) {
      sum.add(kind, row)
      if (versions.has(row.version) || row.version > version)
        throw new Error(`version ${row.version} is wrong at ${version}`)
      versions.add(row.version)
    }
  }
  requireSame('the digest is not that of the records', digest.kinds, sum.digests())
  requireClosedRight({ changes: paged } as unknown as PullResponse)
  const closed = total((paged.closed_weeks ?? []) as unknown as ClosedWeek[])
  if (closed !== balance.closed_weeks_delta_ms)
    throw new Error(`the balance has ${balance.closed_weeks_delta_ms} of closed weeks instead of ${closed}`)
}

const total = (rows: readonly { delta_ms: number }[]) => rows.reduce((sum, { delta_ms }) => sum + delta_ms, 0)
const byId = (rows: readonly Row[] = []) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))

function requireSame(what: string, has: unknown, should: unknown): void {
  if (!isDeepStrictEqual(has, should))
    throw new Error(`${what}: ${JSON.stringify(has)} instead of ${JSON.stringify(should)}`)
}
