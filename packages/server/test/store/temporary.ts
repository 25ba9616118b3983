import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { OpenOptions } from '../../src/store/sql.ts'
import { openStores, type Stores } from '../../src/store/stores.ts'
import { systemRandom } from '../../src/system.ts'
import { ManualClock } from '../manual-clock.ts'

/** A new folder, and how to remove it. */
export function newFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'saldo-store-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A new folder that goes when the test ends. */
export function temporaryFolder(): string {
  const { folder, remove } = newFolder()
  onTestFinished(remove)
  return folder
}

/** Where a database would lie in a new folder. */
export function temporaryFile(): string {
  return join(temporaryFolder(), 'saldo.db')
}

/** Returns options that open a database with a manual clock. */
export function optionsFor(file: string, as: OpenOptions['as'] = 'service') {
  return { file, clock: new ManualClock('2026-02-02T12:00:00.000Z'), random: systemRandom, as }
}

/** A database in a new folder, or the one at `file`, closed when the test ends. */
export async function openTemporary(file = temporaryFile()): Promise<Stores & { file: string; clock: ManualClock }> {
  const options = optionsFor(file)
  const stores = await openStores(options)
  onTestFinished(() => stores.close())
  return { ...stores, file, clock: options.clock }
}
