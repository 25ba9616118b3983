import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ProgramCopy, placesOf, plantedBugs } from './planting.ts'

const bugs = plantedBugs()
const copy = new ProgramCopy()
afterAll(() => copy.remove())

test('each planted bug applies to the current program', () => {
  expect(bugs.length).toBeGreaterThanOrEqual(12)
  for (const bug of bugs) {
    expect(placesOf(bug), bug.name).toBe(1)
    expect(bug.after, bug.name).not.toBe(bug.before)
    if (bug.property !== undefined)
      expect(existsSync(join(import.meta.dirname, '../..', bug.property)), bug.name).toBe(true)
  }
})

test('the simulation finds a planted bug', async () => {
  const bug = bugs.find(({ name }) => name === 'row-removed-on-send')
  if (!bug) throw new Error('the bug is not there')
  expect(await copy.hunt(bug, 5)).toMatchObject({ check: expect.stringContaining('dropped') })
})

test('a property finds a planted bug', async () => {
  const bug = bugs.find(({ name }) => name === 'lower-version-stored')
  if (!bug) throw new Error('the bug is not there')
  expect(await copy.hunt(bug, 5)).toMatchObject({ check: expect.stringContaining('lower version') })
})

test('without a planted bug, nothing is found', async () => {
  const [bug] = bugs
  if (!bug) throw new Error('there are no bugs')
  expect(await copy.hunt({ ...bug, property: undefined, after: bug.before }, 2)).toBeUndefined()
})
