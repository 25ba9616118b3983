import { DAY_MS, LAST_DATE, type UserNumber } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runsOf } from '../../../../core/test/tier.ts'
import { pullSince } from '../../../src/sync/pull.ts'
import { hourOf, tombstone, uuidOf } from '../samples.ts'
import { type Contract, idsOf, isPruningDue, markerOf, storedBytesIn, tagAt } from './kit.ts'

const RETENTION_MS = 30 * DAY_MS
const LOGGED_AT = '2026-01-01T00:00:00.000Z'

/** The log, its marker and what pruning takes. */
export function retentionContract(contract: Contract): void {
  const prune = async (user: UserNumber, ms: number) => {
    while (await contract.records.write(user, (writer) => writer.prune(ms)));
  }
  const markerFor = (user: UserNumber) => contract.read(user, markerOf)
  const versionsOf = async (user: UserNumber) => (await contract.log(user)).map(({ version }) => version)

  /** A user whose records were logged so many milliseconds after `LOGGED_AT`, one each, versions counting up from 1. */
  async function userWithLog(...offsets: number[]): Promise<UserNumber> {
    const user = await contract.user()
    for (const [index, offset] of offsets.entries()) {
      contract.clock.set(LOGGED_AT)
      contract.clock.advance(offset)
      await contract.put(user, hourOf(index))
    }
    return user
  }

  test('[R2.6] a row of the log carries when it was logged', async () => {
    const user = await userWithLog(0, 5, DAY_MS)
    const start = Date.parse(LOGGED_AT)
    expect((await contract.log(user)).map(({ logged_at }) => logged_at)).toEqual([start, start + 5, start + DAY_MS])
  })

  test.each([
    ['30 days less 1 ms stays', -1, false],
    ['exactly 30 days stays: it is not older', 0, false],
    ['30 days and 1 ms goes', 1, true],
  ])('[R4.1] [R3.4] a row of %s', async (_, offset, goes) => {
    const user = await userWithLog(0)
    contract.clock.set(LOGGED_AT)
    contract.clock.advance(RETENTION_MS + offset)
    const before = contract.clock.now() - RETENTION_MS
    expect(await contract.read(user, (reader) => isPruningDue(reader, before))).toBe(goes)
    const outcome = await pullSince(contract.records, contract.clock, user, 0, 10)
    expect(outcome.outcome).toBe(goes ? 'stale' : 'pulled')
    expect((await markerFor(user))?.version).toBe(goes ? 1 : undefined)
    expect((await contract.log(user)).map(({ kind }) => kind)).toEqual([goes ? '_pruned' : 'entries'])
  })

  test('[R4.1] [R4.2] [D4.5] pruning deletes older rows, and the marker has their last version and tag', async () => {
    const user = await userWithLog(0, 1, 2, 3, 4)
    const log = await contract.log(user)
    await prune(user, Date.parse(LOGGED_AT) + 3)
    expect(await versionsOf(user)).toEqual([3, 4, 5])
    expect(await markerFor(user)).toEqual({ version: 3, tag: log[2]?.tag })
    const [marker, ...rest] = await contract.log(user)
    expect(marker?.kind).toBe('_pruned')
    expect(rest).toEqual(log.slice(3))
    expect(await contract.read(user, (reader) => tagAt(reader, 3))).toBe(log[2]?.tag)
    expect(await contract.read(user, (reader) => tagAt(reader, 2))).toBeNull()
  })

  test('[D4.20] a prune gives back the bytes of the rows that it removes', async () => {
    const user = await userWithLog(0, 1, 2, 3, 4)
    const before = await contract.read(user, (reader) => reader.storedBytes())
    for (const [border, removed] of [
      [3, 2],
      [5, 4],
      [5, 4],
    ] as const) {
      await prune(user, Date.parse(LOGGED_AT) + border)
      const bytes = await contract.read(user, (reader) => reader.storedBytes())
      expect(bytes).toBe(before - 100 * removed)
      expect(bytes).toBe(await storedBytesIn(contract, user))
    }
    await contract.put(user, hourOf(9))
    expect(await contract.read(user, (reader) => reader.storedBytes())).toBe(await storedBytesIn(contract, user))
  })

  test('[R4.2] a later prune moves the marker', async () => {
    const user = await userWithLog(0, 10, 20, 30)
    const log = await contract.log(user)
    for (const [border, version] of [
      [5, 1],
      [15, 2],
      [35, 4],
    ] as const) {
      await prune(user, Date.parse(LOGGED_AT) + border)
      expect(await markerFor(user)).toEqual({ version, tag: log[version - 1]?.tag })
      const markers = (await contract.log(user)).filter(({ kind }) => kind === '_pruned')
      expect(markers).toHaveLength(1)
    }
    expect(await versionsOf(user)).toEqual([4])
  })

  test('[D1.37] [R4.2] thousands of rows go in several writes, each of which moves the marker', async () => {
    const user = await contract.user()
    contract.clock.set(LOGGED_AT)
    await contract.put(user, ...Array.from({ length: 5_002 }, (_, index) => hourOf(index % 3)))
    const border = Date.parse(LOGGED_AT) + 1
    for (const [hasMore, version] of [
      [true, 5_000],
      [false, 5_002],
      [false, 5_002],
    ] as const) {
      expect(await contract.records.write(user, (writer) => writer.prune(border))).toBe(hasMore)
      expect((await markerFor(user))?.version).toBe(version)
      expect(await contract.read(user, (reader) => reader.storedBytes())).toBe(await storedBytesIn(contract, user))
    }
  })

  test('[D4.16] the marker is never pruned, however old it is', async () => {
    const user = await userWithLog(0, 1)
    await prune(user, Date.parse(LOGGED_AT) + 2)
    const marker = await markerFor(user)
    const rows = await contract.log(user)
    for (const ms of [Date.parse(LOGGED_AT) + 3, Number.MAX_SAFE_INTEGER]) {
      expect(await contract.read(user, (reader) => isPruningDue(reader, ms))).toBe(false)
      await prune(user, ms)
      expect(await markerFor(user)).toEqual(marker)
      expect(await contract.log(user)).toEqual(rows)
    }
  })

  test('[R4.1] without old rows, pruning writes nothing', async () => {
    const user = await userWithLog(0, 1)
    const before = await contract.log(user)
    const position = await contract.read(user, (reader) => reader.position())
    await prune(user, Date.parse(LOGGED_AT))
    expect(await contract.log(user)).toEqual(before)
    expect(await markerFor(user)).toBeUndefined()
    expect(await contract.read(user, (reader) => reader.position())).toEqual(position)
    const nobody = await contract.user()
    await prune(nobody, Number.MAX_SAFE_INTEGER)
    expect(await contract.log(nobody)).toEqual([])
    expect(await markerFor(nobody)).toBeUndefined()
  })

  test('[D4.17] pruning keeps records, tombstones and the counter', async () => {
    const user = await userWithLog(0, 1)
    await contract.put(user, tombstone('entries', uuidOf(0)))
    const before = await contract.read(user, async (reader) => ({
      position: await reader.position(),
      found: await reader.find([0, 1].map((number) => ({ kind: 'entries', id: uuidOf(number) }))),
      snapshot: await reader.snapshot(undefined, 10),
    }))
    await prune(user, Number.MAX_SAFE_INTEGER)
    const after = await contract.read(user, async (reader) => ({
      position: await reader.position(),
      found: await reader.find([0, 1].map((number) => ({ kind: 'entries', id: uuidOf(number) }))),
      snapshot: await reader.snapshot(undefined, 10),
    }))
    expect(after).toEqual(before)
    expect(await markerFor(user)).toEqual(before.position)
    const [next] = await contract.put(user, hourOf(7))
    expect(next?.version).toBe(4)
    expect(idsOf(await contract.read(user, (reader) => reader.changesSince(3, 10)))).toEqual([uuidOf(7)])
  })

  test('[D4.14] [R4.1] with a clock that goes back, a row is logged no earlier than those before it', async () => {
    const user = await userWithLog(100, 50, 100, 40, 101)
    const start = Date.parse(LOGGED_AT)
    expect((await contract.log(user)).map(({ logged_at }) => logged_at - start)).toEqual([100, 100, 100, 100, 101])
    await prune(user, start + 100)
    expect(await versionsOf(user)).toEqual([1, 2, 3, 4, 5])
    await prune(user, start + 101)
    expect(await versionsOf(user)).toEqual([4, 5])
    expect((await markerFor(user))?.version).toBe(4)
    contract.clock.set(LOGGED_AT)
    await contract.put(user, hourOf(9))
    expect((await contract.log(user)).at(-1)?.logged_at).toBe(start + 101)
  })

  test('[R4.1] [R4.2] under any clock, pruning leaves the same rows as a naive model', async () => {
    const step = fc.record({ prunes: fc.boolean(), offset: fc.integer({ min: 0, max: 9 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const user = await contract.user()
        const start = Date.parse(LOGGED_AT)
        let log: { version: number; at: number }[] = []
        let marker: number | undefined
        let version = 0
        let at = 0
        for (const { prunes, offset } of steps) {
          if (prunes) {
            const old = log.filter((row) => row.at < offset)
            log = log.filter((row) => row.at >= offset)
            marker = old.at(-1)?.version ?? marker
            const isOld = await contract.read(user, (reader) => isPruningDue(reader, start + offset))
            expect(isOld).toBe(old.length > 0)
            await prune(user, start + offset)
          } else {
            contract.clock.set(LOGGED_AT)
            contract.clock.advance(offset)
            await contract.put(user, hourOf(version), hourOf(version + 1))
            at = Math.max(at, offset)
            log.push({ version: version + 1, at }, { version: version + 2, at })
            version += 2
          }
          expect((await markerFor(user))?.version).toBe(marker)
          const left = (await contract.log(user)).map((row) => [row.kind, row.version])
          const rows = log.map((row) => ['entries', row.version])
          expect(left).toEqual(marker === undefined ? rows : [['_pruned', marker], ...rows])
        }
      }),
      { numRuns: runsOf(10, 25) },
    )
  })

  test('[R3.5] [R3.6] a pull behind the marker is stale, and from the marker on it is answered', async () => {
    const user = await userWithLog(0, 1, DAY_MS)
    contract.clock.set(LOGGED_AT)
    contract.clock.advance(RETENTION_MS + 2)
    const pull = (since: number) => pullSince(contract.records, contract.clock, user, since, 10)
    expect(await pull(1)).toMatchObject({ outcome: 'stale', marker: { version: 2 } })
    expect(await pull(0)).toMatchObject({ outcome: 'stale', marker: { version: 2 } })
    for (const [since, expected] of [
      [2, 1],
      [3, 0],
      [Number.MAX_SAFE_INTEGER, 0],
    ] as const) {
      const outcome = await pull(since)
      if (outcome.outcome !== 'pulled') throw new Error(`since ${since} is ${outcome.outcome}`)
      const { version, changes } = JSON.parse(outcome.body)
      expect(version).toBe(3)
      expect(changes.entries ?? []).toHaveLength(expected)
    }
  })

  test('[R3.4] simultaneous pulls prune once', async () => {
    const user = await userWithLog(0, 1, 2, RETENTION_MS)
    const log = await contract.log(user)
    contract.clock.set(LOGGED_AT)
    contract.clock.advance(RETENTION_MS + 2)
    const pulls = [2, 0, 4, 2, 1, 3, 2].map((since) => pullSince(contract.records, contract.clock, user, since, 10))
    expect((await Promise.all(pulls)).map(({ outcome }) => outcome)).toEqual([
      'pulled',
      'stale',
      'pulled',
      'pulled',
      'stale',
      'pulled',
      'pulled',
    ])
    expect(await versionsOf(user)).toEqual([2, 3, 4])
    expect(await markerFor(user)).toEqual({ version: 2, tag: log[1]?.tag })
  })

  test('[D4.13] [D4.20] pruning one user keeps the log of another, and its bytes', async () => {
    const user = await userWithLog(0, 1)
    const other = await userWithLog(0, 1)
    await contract.put(other, hourOf(9))
    const before = await contract.log(other)
    await prune(user, Number.MAX_SAFE_INTEGER)
    expect(await contract.log(other)).toEqual(before)
    const bytes = await contract.read(other, (reader) => reader.storedBytes())
    expect(bytes).toBe(await storedBytesIn(contract, other))
    expect(await markerFor(other)).toBeUndefined()
  })

  test('[D4.20] [D29.7] rows of the trail count for the user who acted, until they are pruned', async () => {
    const user = await contract.user()
    const other = await contract.user()
    const event = (actor: UserNumber) => ({ actor, kind: 'remark_added' as const, data: { month: '2026-01' as const } })
    await contract.records.write(user, async (writer) => {
      const dates = [{ from: '2026-01-01', to: LAST_DATE }] as const
      await writer.putMemberRules({ company: 1, dates, versions: [] })
      await writer.addTrail(1, [event(user), event(other), event(user)])
    })
    const stored = () => contract.read(user, (reader) => reader.storedBytes())
    expect(await stored()).toBe(1_000)
    expect(await stored()).toBe(await storedBytesIn(contract, user))
    await contract.put(user, hourOf(1))
    expect(await stored()).toBe(await storedBytesIn(contract, user))
    await contract.records.write(user, (writer) => writer.pruneTrail(new Map([[1, '9999-01-01T00:00:00.000Z']])))
    expect(await contract.rowsOf('account_trail', user)).toBe(0)
    expect(await stored()).toBe(await storedBytesIn(contract, user))
  })
}
