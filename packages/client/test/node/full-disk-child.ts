// A process on a small disk of its own: fills it, makes space, and tells what the store did, as JSON.
import { rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { StoreError } from '../../src/store/errors.ts'
import { sqliteStore } from '../../src/store/node/sqlite-store.ts'
import { baseRecord, outboxRow, owner } from '../rows.ts'

const [folder = ''] = process.argv.slice(2)
const file = join(folder, 'saldo.db')
const ballast = join(folder, 'ballast')

function fill(bytes: number): void {
  try {
    writeFileSync(ballast, Buffer.alloc(bytes))
  } catch {
    // The ballast takes all the space there is.
  }
}

function openingError(): string | undefined {
  try {
    sqliteStore(file)(owner)
    return undefined
  } catch (error) {
    return (error as StoreError).code
  }
}

fill(1 << 20)
const atOpening = openingError()
rmSync(ballast)
fill(128 * 1024)
const store = sqliteStore(file)(owner)
let kept = 0
let atPut: string | undefined
while (kept < 100 && atPut === undefined) {
  const row = baseRecord(kept + 1, { note: 'x'.repeat(10_000) })
  await store
    .write((tables) => tables.baseRecords.put([row]))
    .then(
      () => {
        kept += 1
      },
      (error: StoreError) => {
        atPut = error.code
      },
    )
}
const reported = store.error()?.code
const count = async (tables: { baseRecords: { all(): Promise<unknown[]> } }) => (await tables.baseRecords.all()).length
const readable = await store.read(count)
rmSync(ballast)
await store.write((tables) => tables.outbox.put([outboxRow(1)]))
const afterwards = store.error()?.code
await store.close()
const again = sqliteStore(file)(owner)
const reopened = [await again.read(count), (await again.read((tables) => tables.outbox.all())).length]
await again.close()
writeSync(1, `${JSON.stringify({ atOpening, atPut, reported, afterwards, kept, readable, reopened })}\n`)
