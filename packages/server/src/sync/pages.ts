import type { RecordKind } from '@saldo/core'
import type { RecordKey, StoredRecord, UserReader } from '../store/store.ts'

/** How many records are read at once: 64 MB at most. */
const READ_AT_ONCE = 1_000
/** Of a snapshot's, twice as many where those before took fewer bytes each than this: 128 MB at most, where large ones follow. */
const SMALL_BYTES = 1024
/** A page that has grown to so many bytes ends, also below its limit. Entries take some 400 bytes each. */
const PAGE_BYTES = 8 * 1024 * 1024

const comma = Buffer.from(',')

/** By kind, the JSON of records, in parts. */
export type Lists = ReadonlyMap<RecordKind, readonly Uint8Array[]>

/** The live records behind a key, at most `limit` and about `mostBytes`; `last` where there are more. */
export async function snapshotPage(
  reader: UserReader,
  after: RecordKey | undefined,
  limit: number,
  mostBytes = PAGE_BYTES,
): Promise<{ lists: Lists; last: RecordKey | undefined }> {
  const lists = new Map<RecordKind, Uint8Array[]>()
  let [last, left, bytes] = [after, limit, 0]
  do {
    const areSmall = bytes < (limit - left) * SMALL_BYTES
    const asked = Math.min(left, areSmall ? 2 * READ_AT_ONCE : READ_AT_ONCE)
    const page = await reader.snapshot(last, asked)
    for (const [kind, list] of page.lists) {
      bytes += list.byteLength
      const parts = lists.get(kind)
      if (parts) parts.push(comma, list)
      else lists.set(kind, [list])
    }
    last = page.last
    left -= asked
  } while (last && left > 0 && bytes < mostBytes)
  const hasMore = last !== undefined && (await reader.snapshot(last, 1)).lists.size > 0
  return { lists, last: hasMore ? last : undefined }
}

/** A JSON object of lists, in parts. */
export function jsonOfLists(lists: Lists): Uint8Array[] {
  const parts = [...lists].flatMap(([kind, list], index) => [
    Buffer.from(`${index === 0 ? '{' : '],'}"${kind}":[`),
    ...list,
  ])
  return [...parts, Buffer.from(lists.size === 0 ? '{}' : ']}')]
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
