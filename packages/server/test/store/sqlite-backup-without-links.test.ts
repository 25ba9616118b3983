import { readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { backUpSqlite } from '../../src/store/sqlite/backup.ts'
import { openStores } from '../../src/store/stores.ts'
import { systemRandom } from '../../src/system.ts'
import { optionsFor, temporaryFile, temporaryFolder } from './temporary.ts'

/** Hard links fail as they do on FAT and exFAT. */
vi.mock('node:fs', async (load) => ({
  ...(await load<typeof import('node:fs')>()),
  linkSync(from: string) {
    throw Object.assign(new Error(`EPERM: operation not permitted, link '${from}'`), { code: 'EPERM', syscall: 'link' })
  },
}))

test('a backup goes to a file system without links, and overwrites nothing there', async () => {
  const file = temporaryFile()
  const { close } = await openStores(optionsFor(file))
  await close()
  const folder = temporaryFolder()
  const backUp = (name: string) => backUpSqlite({ file, to: join(folder, name), random: systemRandom })
  expect(await backUp('copy')).toBe(statSync(join(folder, 'copy')).size)
  symlinkSync(join(folder, 'unmounted'), join(folder, 'link'))
  writeFileSync(join(folder, 'diary'), 'Dear diary')
  for (const name of ['copy', 'link', 'diary']) await expect(backUp(name)).rejects.toThrow(/exists|EPERM/)
  expect(readdirSync(folder).sort()).toEqual(['copy', 'diary', 'link'])
})
