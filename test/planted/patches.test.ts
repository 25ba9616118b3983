import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { patches, placesOf } from './patches.ts'

test('each patch applies to the present program, and names a test that exists', () => {
  const all = patches()
  expect(all.length).toBeGreaterThanOrEqual(33)
  for (const patch of all) {
    expect(placesOf(patch), patch.name).toBe(1)
    expect(patch.after, patch.name).not.toBe(patch.before)
    const { property } = patch
    expect(property === undefined || existsSync(join(import.meta.dirname, '../..', property)), patch.name).toBe(true)
  }
})
