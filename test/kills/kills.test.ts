import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { RealService } from '../browser/service.ts'
import { chanceOf } from '../simulation/chance.ts'
import { Checker } from './check.ts'
import { logOfFile } from './log.ts'
import { putImage, requireDatabase } from './power/image.ts'
import type { Promised } from './power/promised.ts'
import { Account } from './recorded-account.ts'
import { killInRounds } from './rounds.ts'

test('[D4.8] a service killed under load loses and duplicates nothing acknowledged', async () => {
  const victims = ['service', 'starting service', 'service'] as const
  const { kills, changes } = await killInRounds({
    database: 'sqlite',
    victims,
    kills: 3,
    seed: 1,
    users: 1,
    changes: 30,
  })
  expect(kills).toEqual({ service: 2, 'starting service': 1 })
  expect(changes).toBeGreaterThan(0)
})

heavyTest('[D4.7] wherever the write-ahead log is torn, earlier acknowledged commits are complete', async () => {
  const chance = chanceOf(1)
  const folder = mkdtempSync(join(tmpdir(), 'saldo-kills-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const service = await RealService.open()
  onTestFinished(() => service.close())
  const account = await Account.open({ name: 'ada', service, chance, folder, pushers: 1, devices: 0 })
  const checker = new Checker(account, logOfFile(service.folder))
  const log = join(service.folder, 'saldo.db-wal')
  /** Lengths of the file when everything was acknowledged, with the acknowledged changes. */
  const times: (Promised & { length: number })[] = []
  await account.work(() => {
    const versions = [...account.acknowledgements.acknowledged].map(([key, { version }]) => ({
      id: key.split(' ')[1] ?? '',
      version,
    }))
    times.push({ length: statSync(log).size, versions, users: [account.person.user] })
    return times.length > 12
  })
  await service.kill()

  const files = new Map<string, Buffer>(
    readdirSync(service.folder).map((name) => [name, readFileSync(join(service.folder, name))]),
  )
  const whole = files.get('saldo.db-wal') as Buffer
  const image = join(folder, 'image')
  const [first, last] = [times[0], times.at(-1)] as [(typeof times)[number], (typeof times)[number]]
  for (let tear = 0; tear < 8; tear += 1) {
    const length = first.length + chance.below(whole.length - first.length)
    putImage(image, files.set('saldo.db-wal', whole.subarray(0, length)))
    await requireDatabase(image, times.findLast((time) => time.length <= length) ?? first)
  }

  // A missing acknowledged change is found.
  putImage(image, files.set('saldo.db-wal', whole.subarray(0, first.length)))
  await expect(requireDatabase(image, last)).rejects.toThrow(/^lost: version/)
  putImage(service.folder, files)
  await service.start()
  await expect(checker.afterKill()).rejects.toThrow(/lost: /)
})
