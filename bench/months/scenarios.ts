import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { RealService } from '../../test/browser/service.ts'
import { Checker } from '../../test/kills/check.ts'
import { logOfFile } from '../../test/kills/log.ts'
import { Account } from '../../test/kills/recorded-account.ts'
import { chanceOf } from '../../test/simulation/chance.ts'
import { atMost, type Result } from '../result.ts'
import type { Pace } from './fast-time.ts'

export interface MonthsSizes {
  users: number
  minutes: number
  /** Number of days that pass for the service. */
  days: number
}

/** Two days in three seconds: what is 30 days old leaves the log after less than a minute. */
export const fullMonthsSizes: MonthsSizes = { users: 12, minutes: 6, days: 240 }
export const tinyMonthsSizes: MonthsSizes = { users: 1, minutes: 0.1, days: 50 }

const settings = {
  SALDO_WRITES_PER_MINUTE: '1000000',
  SALDO_WRITE_MEGABYTES_PER_MINUTE: '1000000',
  SALDO_LOG_LEVEL: 'warn',
}

/**
 * Has programs and devices change records while months pass for the service, and checks at the end that nothing is
 * lost. Measures the heap that is alive, in the first third and at the end, and what of the log is left.
 */
export async function monthsPass({ users, minutes, days }: MonthsSizes): Promise<Result[]> {
  const startMs = Date.now()
  const pace: Pace = { startMs, speed: (days * 1440) / minutes }
  const nodeArgs = ['--expose-gc', '--import', join(import.meta.dirname, 'fast-time.ts')]
  const service = await RealService.open({ ...settings, FAST_TIME: JSON.stringify(pace) }, nodeArgs)
  const readLog = logOfFile(service.folder)
  const folder = mkdtempSync(join(tmpdir(), 'saldo-bench-'))
  const accounts: Account[] = []
  try {
    const chance = chanceOf(1)
    for (let number = 1; number <= users; number += 1) {
      accounts.push(await Account.open({ name: `user ${number}`, service, chance, folder, pushers: 1, devices: 1 }))
    }
    const isOver = () => Date.now() > startMs + minutes * 60_000
    const working = Promise.all(accounts.map((account) => account.work(isOver)))
    await setTimeout((minutes * 60_000) / 3)
    const early = await aliveMb(service)
    await working
    for (const account of accounts) {
      await account.settle()
      await new Checker(account, readLog, { isPruned: true }).atRest()
    }
    const late = await aliveMb(service)
    if (service.stderr !== '') throw new Error('the service logged a warning or an error')
    const logs = await Promise.all(accounts.map(({ person }) => readLog(person.user)))
    const versions = logs.reduce((sum, log) => sum + log.version, 0)
    const rows = logs.reduce((sum, log) => sum + log.rows.length, 0)
    const share = rows / versions
    return [
      atMost(`memory alive after ${days} days`, `${early.toFixed(1)} MB`, `${late.toFixed(1)} MB`, late / early, 1.2),
      atMost(`log after ${days} days`, `${versions} versions`, `${rows} rows`, share, 0.4),
    ]
  } finally {
    for (const account of accounts) await account.close()
    await service.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The heap of the service without what is dead, in MB. */
async function aliveMb(service: RealService): Promise<number> {
  const { aliveMb } = (await service.askModule('heap')) as { aliveMb: number }
  return aliveMb
}
