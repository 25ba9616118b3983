import { DigestSum, type Digests, type RecordKind, recordKinds } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NewState, UserId } from '../../../src/store/store.ts'
import { digestsOf } from '../../../src/sync/digest.ts'
import { hourOf, oneOfEachKind, tombstone, uuidOf } from '../samples.ts'
import type { Contract } from './kit.ts'

/** Count and digest of what is live, kept with each write. */
export function digestsContract(contract: Contract): void {
  const kept = (user: UserId) => contract.read(user, (reader) => reader.digests())

  /** The digests, added up from what is live. */
  const addedUp = (user: UserId): Promise<Digests> =>
    contract.read(user, async (reader) => {
      const sum = new DigestSum()
      for (const kind of recordKinds) {
        for (const { body } of await reader.live(kind)) sum.add(kind, JSON.parse(body))
      }
      return sum.digests()
    })

  /** Writes as a program of level 4 does, past the digests. */
  const writeAsBefore = (user: UserId) =>
    contract.driver.write(async (sql) => {
      await sql.run(
        `INSERT INTO records (user_id, kind, id, version, updated_at, deleted, starts_ms, ends_ms, body)
         SELECT user_id, 'entries', $2, version + 1, $3, 0, 0, 0, '{"id":"old","version":' || (version + 1) || '}'
         FROM counters WHERE user_id = $1`,
        [user, uuidOf('old'), '2026-11-21T12:00:00.000Z'],
      )
      await sql.run(`UPDATE counters SET version = version + 1, tag = 'old' WHERE user_id = $1`, [user])
    })

  const state = fc.record({
    kind: fc.constantFrom(...recordKinds),
    number: fc.integer({ min: 0, max: 5 }),
    dies: fc.boolean(),
  })
  const stateOf = ({ kind, number, dies }: { kind: RecordKind; number: number; dies: boolean }): NewState => {
    const id = uuidOf(number)
    const living = oneOfEachKind(id).find((one) => one.kind === kind) as NewState
    return dies ? tombstone(kind, id) : living
  }

  test('[D10.2] after any writes, digests are those of what is live', async () => {
    const writes = fc.array(fc.array(state, { minLength: 1, maxLength: 8 }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(writes, async (writes) => {
        const user = await contract.user()
        for (const wanted of writes) {
          // Some of what is written was read before.
          await contract.records.write(user, async (writer) => {
            await writer.find(wanted.slice(1).map(({ kind, number }) => ({ kind, id: uuidOf(number) })))
            await writer.put(wanted.map(stateOf))
            await writer.put(wanted.slice(0, 2).map(stateOf))
          })
        }
        expect(await kept(user)).toEqual(await addedUp(user))
      }),
      { numRuns: 25 },
    )
  })

  test('[D4.7] a write that fails leaves them as they were', async () => {
    const user = await contract.user()
    await contract.put(user, hourOf(1))
    const before = await kept(user)
    const failing = contract.records.write(user, async (writer) => {
      await writer.put([hourOf(2)])
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    expect(await kept(user)).toEqual(before)
  })

  test('[R6.1] [D10.2] a program of the level before makes them unknown, until they are asked for', async () => {
    const user = await contract.user()
    await contract.put(user, ...oneOfEachKind('one'))
    await writeAsBefore(user)
    expect(await kept(user)).toBeUndefined()
    await contract.put(user, hourOf(1))
    expect(await kept(user)).toBeUndefined()
    const point = await contract.read(user, (reader) => reader.point())
    const digests = await addedUp(user)
    expect(digests.entries.count).toBe(3)
    expect(await digestsOf(contract.records, user)).toEqual({ point, digests })
    expect(await kept(user)).toEqual(digests)
    await contract.put(user, tombstone('entries', uuidOf('old')), hourOf(2))
    expect(await kept(user)).toEqual(await addedUp(user))
  })

  test('[D10.2] of more records than are read at once they are added up too', async () => {
    const user = await contract.user()
    const states = Array.from({ length: 1_200 }, (_, index) => hourOf(index))
    await contract.put(user, ...oneOfEachKind('one'), ...states)
    await writeAsBefore(user)
    expect((await digestsOf(contract.records, user))?.digests).toEqual(await addedUp(user))
  })

  test('[D10.2] what a write overtook is not kept, and after three times given up', async () => {
    const user = await contract.user()
    await contract.put(user, ...Array.from({ length: 600 }, (_, index) => hourOf(index)))
    await writeAsBefore(user)
    const digests = await addedUp(user)
    let reads = 0
    const overtaken = {
      ...contract.records,
      async read<T>(...[reader, body]: Parameters<typeof contract.records.read<T>>): Promise<T> {
        const answer = await contract.records.read(reader, body)
        reads += 1
        await contract.put(user, hourOf(1))
        return answer
      },
    }
    expect(await digestsOf(overtaken, user)).toBeUndefined()
    expect(reads).toBe(6)
    await contract.records.write(user, (writer) => writer.keepDigests(3, digests))
    expect(await kept(user)).toBeUndefined()
    expect((await digestsOf(contract.records, user))?.digests).toEqual(await addedUp(user))
  })
}
