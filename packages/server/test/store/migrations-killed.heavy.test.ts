import { expect, test } from 'vitest'
import { DatabaseChild, type Orders } from './child.ts'
import { expectMigrated } from './migrated.ts'
import { contentsOfFile, type FixtureLevel, fixtureCopy } from './raw-database.ts'
import { openTemporary, optionsFor } from './temporary.ts'

/** Migrates a copy of a kept database in a process that is killed at a step; returns the file. */
async function killedAt(killAtStep: number, level: FixtureLevel): Promise<string> {
  const file = fixtureCopy(level)
  const child = new DatabaseChild({ ...ordersFor(file), killAtStep })
  expect(await child.ended).toMatchObject({ signal: 'SIGKILL' })
  return file
}

function ordersFor(file: string): Orders {
  return { file, work: 'open', nowMs: optionsFor(file).clock.now() }
}

/** Returns the steps of a migration from a level. */
async function stepsFrom(level: FixtureLevel): Promise<string[]> {
  const report = await new DatabaseChild(ordersFor(fixtureCopy(level))).report()
  if (report.tells !== 'opened') throw new Error(report.tells)
  return report.steps
}

// The steps from level 2 are among those from level 1.
test.each([1, 3] as const)(
  '[R6.1] a migration from level %i that is killed leaves a whole level, and the next start completes it',
  async (level) => {
    const old = contentsOfFile(fixtureCopy(level))
    const steps = await stepsFrom(level)
    expect(steps.slice(0, 2)).toEqual(['before the copy', 'after the copy'])
    expect(steps.filter((step) => step === 'after a commit')).toHaveLength(4 - level)

    const inBetween = async (_: unknown, index: number) => {
      const file = await killedAt(index + 1, level)
      const commits = steps.slice(0, index + 1).filter((step) => step === 'after a commit').length
      const found = contentsOfFile(file)
      expect(found.level).toBe(level + commits)
      if (commits === 0) expect(found).toEqual(old)
      const stores = await openTemporary(file)
      expect(stores.migrated).toEqual({ from: level + commits, to: 4 })
      await expectMigrated(old, stores)
      if (index > 0) expect(contentsOfFile(`${file}.level-${level}`)).toEqual(old)
    }
    // Two at a time, for two cores.
    for (let index = 0; index < steps.length; index += 2) {
      await Promise.all([
        inBetween(steps[index], index),
        index + 1 < steps.length && inBetween(steps[index + 1], index + 1),
      ])
    }
  },
)
