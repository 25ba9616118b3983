import type { RecordKind } from '@saldo/core'
import type { RecordKey, SnapshotPage, StoredRecord, UserReader } from '../store/store.ts'

/** How many records are read at once: 64 MB at most. */
const READ_AT_ONCE = 1_000
/** A page that has grown to so many bytes ends, also below its limit. Entries take some 400 bytes each. */
const PAGE_BYTES = 8 * 1024 * 1024

/** Reads live records behind a key, at most so many. */
export type ReadSnapshot = (after: RecordKey | undefined, most: number) => Promise<SnapshotPage>

/** How a snapshot's records are first read. */
export function firstOfSnapshot(
  read: ReadSnapshot,
  after: RecordKey | undefined,
  limit: number,
): Promise<SnapshotPage> {
  return read(after, Math.min(limit, READ_AT_ONCE))
}

/**
 * The JSON of live records as an object of lists by kind, in parts, each as soon as it is read: those that were first read and
 * those behind them, at most `limit` and about `mostBytes`. `kinds` have a list also where there are none. Returns the last key
 * where there are more.
 */
export async function* snapshotLists(
  first: SnapshotPage,
  read: ReadSnapshot,
  { limit, mostBytes = PAGE_BYTES, kinds = [] }: { limit: number; mostBytes?: number; kinds?: readonly RecordKind[] },
): AsyncGenerator<Uint8Array, RecordKey | undefined> {
  const empty = new Set(kinds)
  let [page, left, bytes] = [first, limit - READ_AT_ONCE, 0]
  let open: RecordKind | undefined
  for (;;) {
    for (const [kind, list] of page.lists) {
      const before = kind === open ? ',' : `${open ? '],' : '{'}"${kind}":[`
      yield Buffer.concat([Buffer.from(before), list])
      bytes += list.byteLength
      open = kind
      empty.delete(kind)
    }
    if (!page.last || left <= 0 || bytes >= mostBytes) break
    page = await read(page.last, Math.min(left, READ_AT_ONCE))
    left -= READ_AT_ONCE
  }
  const emptyLists = [...empty].map((kind) => `"${kind}":[]`)
  yield Buffer.from(`${open ? [']', ...emptyLists].join(',') : `{${emptyLists.join(',')}`}}`)
  const hasMore = page.last !== undefined && (await read(page.last, 1)).lists.size > 0
  return hasMore ? page.last : undefined
}

/** Changes in version order, each with the tag of its version. */
export interface ChangesPage {
  page: (StoredRecord & { tag: string })[]
  hasMore: boolean
}

/** What changed after `since`, at most `limit` records and about `PAGE_BYTES`. */
export async function changesPage(reader: UserReader, since: number, limit: number): Promise<ChangesPage> {
  const page: ChangesPage['page'] = []
  let [after, characters] = [since, 0]
  for (;;) {
    const most = Math.min(limit - page.length, READ_AT_ONCE)
    // One more tells whether there is more, without another question.
    const found = await reader.changesSince(after, most + 1)
    page.push(...found.slice(0, most))
    if (found.length <= most) return { page, hasMore: false }
    after = (page.at(-1) as StoredRecord).version
    characters += found.reduce((sum, { body }) => sum + body.length, 0)
    if (page.length === limit || characters >= PAGE_BYTES) return { page, hasMore: true }
  }
}
