import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { patches, placesOf } from './patches.ts'
import { serviceFaults } from './service-faults.ts'

const root = join(import.meta.dirname, '../..')

test('each patch applies to the present program, and names a test that exists', () => {
  const all = patches()
  expect(all.length).toBeGreaterThanOrEqual(125)
  for (const patch of all) {
    expect(placesOf(patch), patch.name).toBe(1)
    expect(patch.after, patch.name).not.toBe(patch.before)
    const { property } = patch
    expect(property === undefined || existsSync(join(root, property)), patch.name).toBe(true)
  }
})

test('each rule of companies has a planted fault', () => {
  const protocol = readFileSync(join(root, 'docs/protocol.md'), 'utf8')
  const rules = [...protocol.matchAll(/^- \*\*(D(?:2[4-9]|3[01])\.\d+)\*\*/gm)].map(([, rule]) => rule)
  const planted = [...serviceFaults.map(({ rule }) => rule), ...patches().map(({ rule }) => rule)]
  expect(rules.length).toBeGreaterThan(100)
  expect(rules.filter((rule) => !planted.includes(rule))).toEqual([])
})
