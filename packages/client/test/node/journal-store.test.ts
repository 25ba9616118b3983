import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { StoreError } from '../../src/store/errors.ts'
import { journalStore } from '../../src/store/node/journal-store.ts'
import type { LocalStore } from '../../src/store/store.ts'
import { contents, held, id, owner, pending } from '../rows.ts'
import { describeLocalStore } from '../store-contract.ts'
import { erasingChild, journalChild, smallDisk, temporaryDir } from './child.ts'

describeLocalStore('a journal in a file', async () => {
  const file = join(temporaryDir(), 'saldo.journal')
  return () => journalStore(file)(owner)
})

function opened(file: string): LocalStore {
  const store = journalStore(file)(owner)
  onTestFinished(() => store.close())
  return store
}

const troubled = (trouble: StoreError['trouble']) => expect.objectContaining({ name: 'StoreError', trouble })

function troubleOf(action: () => unknown): unknown {
  try {
    return action()
  } catch (error) {
    return error
  }
}

/** A journal with three transactions behind its first line, closed. */
async function filled(): Promise<{ file: string; bytes: Buffer; lastAt: number }> {
  const file = join(temporaryDir(), 'saldo.journal')
  const store = journalStore(file)(owner)
  for (const number of [1, 2, 3]) await store.run((tables) => tables.outbox.put([pending(number, { note: 'ä🏁' })]))
  await store.close()
  const bytes = readFileSync(file)
  return { file, bytes, lastAt: bytes.lastIndexOf('\n', -2) + 1 }
}

test('[D7.50] a last line that a crash cut off at any byte is none, and what is written next is kept', async () => {
  const { file, bytes, lastAt } = await filled()
  for (let end = lastAt; end < bytes.byteLength; end += 1) {
    writeFileSync(file, bytes.subarray(0, end))
    const store = journalStore(file)(owner)
    expect((await contents(store)).outbox.map((row) => row.id)).toEqual([id(1), id(2)])
    await store.run((tables) => tables.held.put([held(end)]))
    await store.close()
    const again = journalStore(file)(owner)
    expect((await contents(again)).held).toEqual([held(end)])
    await again.close()
  }
})

test('[D7.50] a last line of which a part did not reach the disk is none', async () => {
  const { file, bytes, lastAt } = await filled()
  writeFileSync(file, Buffer.from(bytes).fill(0, lastAt, lastAt + 20))
  expect((await contents(opened(file))).outbox.map((row) => row.id)).toEqual([id(1), id(2)])
})

test('[D7.53] whichever byte is changed, all is there or the journal is refused as damaged, and left as it is', async () => {
  const { file, bytes } = await filled()
  for (let at = 0; at < bytes.byteLength; at += 1) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] as number) ^ 1
    writeFileSync(file, changed)
    const isLastEnd = at === bytes.byteLength - 1
    if (isLastEnd) continue
    expect(troubleOf(() => journalStore(file)(owner))).toEqual(troubled('damaged'))
    expect(readFileSync(file).equals(changed)).toBe(true)
  }
})

test.each([
  ['nothing', ''],
  ['another file', '[]\n'],
  ['a header alone', 'saldo journal 1\n'],
  ['a later format', 'saldo journal 2\n00000000 []\n'],
])('[D7.53] a file that holds %s is refused as damaged', (_what, text) => {
  const file = join(temporaryDir(), 'saldo.journal')
  writeFileSync(file, text)
  expect(troubleOf(() => journalStore(file)(owner))).toEqual(troubled('damaged'))
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('[D7.50] a killed process leaves every transaction that it acknowledged, and none in part', async () => {
  const file = join(temporaryDir(), 'saldo.journal')
  for (const least of [1, 40, 150]) {
    rmSync(file, { force: true })
    const child = journalChild(file, 1_000_000)
    await child.wrote(new RegExp(`^${least}\n`, 'm'))
    await child.kill()
    const acknowledged = child.stdout.split('\n').slice(1, -1).length
    const store = journalStore(file)(owner)
    const { outbox, held, meta } = await contents(store)
    expect(acknowledged).toBeGreaterThanOrEqual(least)
    expect([acknowledged, acknowledged + 1]).toContain(meta.seq)
    const written = Array.from({ length: meta.seq }, (_, index) => id(index + 1))
    expect(outbox.map((row) => row.id)).toEqual(written)
    expect(held.map((row) => row.id)).toEqual(written)
    await store.close()
  }
})

test('[D7.53] a journal that another process has open is refused, and free once that process is killed', async () => {
  const file = join(temporaryDir(), 'saldo.journal')
  const child = journalChild(file, 3)
  await child.wrote(/^3\n/m)
  expect(troubleOf(() => journalStore(file)(owner))).toEqual(troubled('inUse'))
  await child.kill()
  expect((await contents(opened(file))).meta.seq).toBe(3)
})

test('[D7.53] a later opening in the same process ends the earlier one, by whatever path', async () => {
  const dir = temporaryDir()
  mkdirSync(join(dir, 'real'))
  symlinkSync(join(dir, 'real'), join(dir, 'link'))
  const file = join(dir, 'real', 'saldo.journal')
  const earlier = journalStore(file)(owner)
  await earlier.run((tables) => tables.held.put([held(1)]))
  const heard: unknown[] = []
  earlier.subscribe((changed) => heard.push([changed.size, earlier.trouble()?.trouble]))
  const gate = Promise.withResolvers<void>()
  const running = earlier.run(async (tables) => {
    await tables.held.put([held(2)])
    await gate.promise
  })
  await Promise.resolve()
  const later = opened(join(dir, 'link', 'saldo.journal'))
  gate.resolve()
  await expect(running).rejects.toEqual(troubled('inUse'))
  await expect(earlier.run((tables) => tables.held.all())).rejects.toEqual(troubled('inUse'))
  await expect(earlier.erase()).rejects.toEqual(troubled('inUse'))
  expect(heard).toEqual([[0, 'inUse']])
  await earlier.close()
  await later.run((tables) => tables.held.put([held(3)]))
  expect((await contents(later)).held).toEqual([held(1), held(3)])
  const child = journalChild(file, 0)
  await expect(child.wrote(/open/)).rejects.toThrow('open elsewhere')
})

test('[D7.48] the journal of another user is refused, and left as it is', async () => {
  const { file, bytes } = await filled()
  const another = { ...owner, user: owner.user + 1 }
  expect(troubleOf(() => journalStore(file)(another))).toEqual(troubled('foreign'))
  expect(readFileSync(file).equals(bytes)).toBe(true)
  const store = opened(file)
  expect(troubleOf(() => journalStore(file)(another))).toEqual(troubled('foreign'))
  await store.run((tables) => tables.held.put([held(1)]))
  expect(await contents(store)).toMatchObject({
    held: [held(1)],
    outbox: [{ id: id(1) }, { id: id(2) }, { id: id(3) }],
  })
})

test('[D7.49] a journal that is erased leaves no file behind, and its name is free for another user', async () => {
  const file = join(temporaryDir(), 'saldo.journal')
  const store = opened(file)
  await store.run((tables) => tables.held.put([held(1)]))
  await store.erase()
  expect(readdirSync(dirname(file))).toEqual([])
  const another = journalStore(file)({ ...owner, user: owner.user + 1 })
  expect((await contents(another)).held).toEqual([])
  await another.close()
})

test('[D7.53] of processes that open and erase a journal at the same time, one has it at a time', async () => {
  const file = join(temporaryDir(), 'saldo.journal')
  const children = Array.from({ length: 3 }, () => erasingChild(file, 40))
  await Promise.all(children.map((child) => child.wrote(/^done\n/)))
  expect(readdirSync(dirname(file))).toEqual([])
})

test('[D7.50] [D7.53] a full disk refuses a transaction whole, keeps all before it, and goes on once there is room', async () => {
  const dir = await smallDisk(256)
  const file = join(dir, 'saldo.journal')
  const store = opened(file)
  let kept = 0
  const put = (number: number, bytes: number) =>
    store.run((tables) => tables.held.put([held(number, { note: 'x'.repeat(bytes) })]))
  const failure = await (async () => {
    for (;;) await put(kept + 1, 10_000).then(() => (kept += 1))
  })().catch((error: unknown) => error)
  expect(failure).toEqual(troubled('full'))
  expect(store.trouble()).toEqual(troubled('full'))
  expect(kept).toBeGreaterThan(5)
  expect((await contents(store)).held).toHaveLength(kept)

  // Nothing of the refused line is in the file: a copy of it opens on what was kept.
  const copy = join(temporaryDir(), 'saldo.journal')
  copyFileSync(file, copy)
  expect((await contents(opened(copy))).held).toHaveLength(kept)
  expect(readFileSync(copy).at(-1)).toBe(0x0a)

  await store.close()
  const again = opened(file)
  expect((await contents(again)).held).toHaveLength(kept)
  await again.run((tables) => tables.outbox.put([pending(1)]))
  await again.close()
  expect(await contents(opened(file))).toMatchObject({ outbox: [pending(1)] })
})

test('[D7.53] a disk that is full from the start refuses to make a journal, and leaves nothing behind', async () => {
  const dir = await smallDisk(64)
  expect(troubleOf(() => writeFileSync(join(dir, 'ballast'), Buffer.alloc(1 << 20)))).toMatchObject({ code: 'ENOSPC' })
  const file = join(dir, 'saldo.journal')
  expect(troubleOf(() => journalStore(file)(owner))).toEqual(troubled('full'))
  rmSync(join(dir, 'ballast'))
  expect((await contents(opened(file))).held).toEqual([])
})

test('[D7.50] a journal that has grown long is written anew, and shows the same', async () => {
  const file = join(temporaryDir(), 'saldo.journal')
  const store = journalStore(file)(owner)
  const note = 'x'.repeat(50_000)
  for (let seq = 1; seq <= 60; seq += 1) {
    await store.run(async (tables) => {
      await tables.held.put([held(1, { note, seq })])
      await tables.setMeta({ ...(await tables.meta()), seq })
    })
  }
  expect(statSync(file).size).toBeLessThan(1_500_000)
  const before = await contents(store)
  await store.close()
  expect(before.held).toEqual([held(1, { note, seq: 60 })])
  expect(await contents(opened(file))).toEqual(before)
})
