import { existsSync, statfsSync } from 'node:fs'

/** Where Linux keeps files in memory: there a sync costs nothing, and what is tested is the same. */
const MEMORY = '/dev/shm'
const NEEDED_BYTES = 4 * 1024 ** 3

/** The folder for files that go with the tests, in memory; `undefined` where there is no room. */
export function folderInMemory(): string | undefined {
  if (!existsSync(MEMORY)) return undefined
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= NEEDED_BYTES ? MEMORY : undefined
}
