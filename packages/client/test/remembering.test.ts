import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Held } from '../src/held.ts'
import { journalStore } from '../src/node/journal-store.ts'
import { remembering } from '../src/remembering.ts'
import type { LocalStore } from '../src/store/store.ts'
import { held, owner } from './rows.ts'

const day = (number: number, version = number): Held => ({ ...held(number), kind: 'closed_days', version })

function opened(): { store: LocalStore; looks: () => number } {
  const folder = mkdtempSync(join(tmpdir(), 'saldo-remembering-'))
  const kept = journalStore(join(folder, 'journal'))(owner)
  let looks = 0
  const counting: LocalStore = {
    run: (body) => kept.run(body),
    read: (body) =>
      kept.read((tables) => {
        const ofKind = (kind: Held['kind']) => {
          looks += 1
          return tables.held.ofKind(kind)
        }
        return body({ ...tables, held: { ...tables.held, ofKind } })
      }),
    subscribe: (listener) => kept.subscribe(listener),
    trouble: () => kept.trouble(),
    close: () => kept.close(),
    erase: () => kept.erase(),
  }
  onTestFinished(async () => {
    await kept.close()
    rmSync(folder, { recursive: true })
  })
  return { store: remembering(counting), looks: () => looks }
}

const days = (store: LocalStore) => store.read((tables) => tables.held.ofKind('closed_days'))

test('what changes seldom is read once, until it changes', async () => {
  const { store, looks } = opened()
  await store.run((tables) => tables.held.put([day(1), day(2)]))
  for (let time = 0; time < 3; time += 1) expect(await days(store)).toEqual([day(1), day(2)])
  await store.run((tables) => tables.held.put([held(3)]))
  expect(await days(store)).toEqual([day(1), day(2)])
  expect(looks()).toBe(1)
  await store.run((tables) => tables.held.put([day(2, 9)]))
  expect(await days(store)).toEqual([day(1), day(2, 9)])
  await store.run((tables) => tables.wipe())
  expect(await days(store)).toEqual([])
})

test('what was read while it changed is read again', async () => {
  const { store } = opened()
  await store.run((tables) => tables.held.put([day(1)]))
  const early = store.read(async (tables) => {
    const rows = await tables.held.ofKind('closed_days')
    await tables.meta()
    return rows
  })
  const change = store.run((tables) => tables.held.put([day(2)]))
  await Promise.all([early, change])
  expect(await days(store)).toEqual([day(1), day(2)])
})

test('entries, which are many, are not kept in memory', async () => {
  const { store, looks } = opened()
  const entries = () => store.read((tables) => tables.held.ofKind('entries'))
  await entries()
  await entries()
  expect(looks()).toBe(2)
})
