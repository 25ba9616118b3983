import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runSaldo } from '../../packages/server/test/faults/program.ts'
import { Harness } from './harness.ts'
import { expectHealing } from './healing.ts'

let harness: Harness
beforeEach(async () => {
  harness = await Harness.open()
})
afterEach(() => harness.close())

test('[D7.29] [D7.35] after a `restore` of an older backup, devices bring back the lost changes', async () => {
  const { folder } = harness.address
  const copy = join(folder, 'nightly')
  const saldo = (command: string) => runSaldo(['admin', command, copy], { env: { SALDO_DATA_DIR: folder } })
  await expectHealing(harness, {
    async backUp() {
      const success = { code: 0, stderr: '', stdout: expect.stringContaining(`${copy} holds`) }
      expect(await saldo('backup')).toMatchObject(success)
      expect(await saldo('backup')).toMatchObject({ code: 1, stderr: expect.stringContaining('does not overwrite') })
    },
    async restore() {
      expect(await saldo('restore')).toMatchObject({ code: 1, stderr: expect.stringContaining('stop it first') })
      await harness.whileStopped(async () => {
        const { code, stdout, stderr } = await saldo('restore')
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
        expect(stdout).toMatch(/is kept as .*saldo\.db\.before-restore-/)
        expect(stdout).toMatch(/Devices notice at their next sync/)
      })
    },
  })
})
