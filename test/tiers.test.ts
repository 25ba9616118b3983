import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isHeavy } from '../packages/core/test/tier.ts'
import { heavyTest } from '../packages/server/test/heavy-test.ts'
import { HEAVY_REASON, isHeavyFile, wronglySkipped } from './tiers.ts'

test('a test may be skipped for its tier, and for nothing else', ({ task }) => {
  const ofTier = task.file.tasks.filter(({ name }) => name.startsWith('this test runs'))
  expect(ofTier.map(({ mode, result }) => ({ mode, ...result }))).toMatchObject(
    Array(3).fill(isHeavy ? { mode: 'run' } : { mode: 'skip', note: HEAVY_REASON }),
  )
  const tests = [{ tags: ['heavy'] }, { tags: [] }, { tags: ['slow'] }]
  expect(wronglySkipped(tests)).toEqual(tests.slice(1))
})

heavyTest('this test runs in the heavy tier', () => expect(isHeavy).toBe(true))

heavyTest.each([1, 2])('this test runs in the heavy tier, case %i', () => expect(isHeavy).toBe(true))

const words = ['browser', 'databases', 'distributed', 'heavy', 'heavy-databases', 'postgres', 'sqlite']

test('file names of tests have only the words that choose their database, browser and tier', () => {
  const root = join(import.meta.dirname, '..')
  const names = globSync('{packages/*/{src,test},test,bench}/**/*.test.ts', { cwd: root })
  const unknown = names.filter((name) =>
    (/\.(.+)\.test\.ts$/.exec(name.replace(/^.*\//, ''))?.[1]?.split('.') ?? []).some((word) => !words.includes(word)),
  )
  expect(unknown).toEqual([])
  expect(names.some(isHeavyFile)).toBe(true)
})
