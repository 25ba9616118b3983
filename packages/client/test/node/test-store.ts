import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { sqliteStore } from '../../src/store/node/sqlite-store.ts'
import type { LocalStore } from '../../src/store/store.ts'
import { owner } from '../rows.ts'
import { temporaryDir } from './child.ts'

/** Opens a store of `owner` in a new file, which is closed and removed when the test ends. */
export function openTestStore(): LocalStore {
  const folder = temporaryDir()
  const store = sqliteStore(join(folder, 'store.db'))(owner)
  onTestFinished(() => store.close())
  return store
}
