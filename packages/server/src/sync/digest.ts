import { setImmediate } from 'node:timers/promises'
import { DigestSum, type Digests, type JsonObject } from '@saldo/core'
import { UnavailableError } from '../store/sql.ts'
import type { Point, RecordKey, RecordStore, UserId } from '../store/store.ts'

/** How many records are added up at once: others have their turn between. */
const READ_AT_ONCE = 500
/** How often the sum is begun anew when it was overtaken by a write. */
const MOST_TIMES = 3

/** What is live, and at which version (D10). */
export interface DigestsAt {
  point: Point
  digests: Digests
}

/**
 * The digests of a user, as kept with each write. Where they are not known, as after a program wrote that does not keep
 * them, they are added up anew and kept; `undefined` where the user's writes left no time for that.
 */
export async function digestsOf(store: RecordStore, user: UserId): Promise<DigestsAt | undefined> {
  for (let left = MOST_TIMES; left > 0; left -= 1) {
    const { point, digests } = await store.read(user, async (reader) => ({
      point: await reader.point(),
      digests: await reader.digests(),
    }))
    if (digests) return { point, digests }
    const added = await addedUp(store, user, point)
    if (!added) continue
    await store
      .write(user, (writer) => writer.keepDigests(point.version, added))
      .catch((error) => {
        // On a full disk, say: they are right without being kept.
        if (!(error instanceof UnavailableError)) throw error
      })
    return { point, digests: added }
  }
  return undefined
}

/** The sum over all that is live at a version, page by page; `undefined` where a write came between. */
async function addedUp(store: RecordStore, user: UserId, { version, tag }: Point): Promise<Digests | undefined> {
  const sum = new DigestSum()
  let after: RecordKey | undefined
  do {
    const page = await store.read(user, async (reader) => {
      const now = await reader.point()
      return now.version === version && now.tag === tag ? reader.snapshot(after, READ_AT_ONCE) : undefined
    })
    if (!page) return undefined
    for (const { kind, body } of page) sum.add(kind, JSON.parse(body) as JsonObject)
    after = page.length === READ_AT_ONCE ? page.at(-1) : undefined
    await setImmediate()
  } while (after)
  return sum.digests()
}
