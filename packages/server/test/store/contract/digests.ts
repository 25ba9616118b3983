import { DigestSum, type Digests, type RecordKind, recordKinds, type UserNumber } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runsOf } from '../../../../core/test/tier.ts'
import type { RecordToStore } from '../../../src/store/store.ts'
import { dateSpan } from '../../../src/store/stored-records.ts'
import { hourOf, oneOfEachKind, tombstone, uuidOf } from '../samples.ts'
import type { Contract } from './kit.ts'

/** Count and digest of what is live, kept with each write. */
export function digestsContract(contract: Contract): void {
  const kept = (user: UserNumber) => contract.read(user, (reader) => reader.digests())

  /** The digests, added up from what is live. */
  const addedUp = (user: UserNumber): Promise<Digests> =>
    contract.read(user, async (reader) => {
      const sum = new DigestSum()
      for (const kind of recordKinds) {
        for (const { body } of await reader.overlapping(kind, dateSpan({}))) sum.add(kind, JSON.parse(body))
      }
      return sum.digests()
    })

  const state = fc.record({
    kind: fc.constantFrom(...recordKinds),
    number: fc.integer({ min: 0, max: 5 }),
    dies: fc.boolean(),
  })
  const stateOf = ({ kind, number, dies }: { kind: RecordKind; number: number; dies: boolean }): RecordToStore => {
    const id = uuidOf(number)
    const living = oneOfEachKind(id).find((one) => one.kind === kind) as RecordToStore
    return dies ? tombstone(kind, id) : living
  }

  test('[D10.2] after any writes, the digests are those of the live records', async () => {
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
      { numRuns: runsOf(10, 25) },
    )
  })

  test('[D4.7] a failed write leaves the digests unchanged', async () => {
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
}
