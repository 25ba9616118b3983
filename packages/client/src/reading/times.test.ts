import { expect, test } from 'vitest'
import { readTime } from './times.ts'

test('[D32.5] "now" is a time of day where somebody says which', () => {
  expect(['now', 'jetzt'].map((text) => readTime(text, 615))).toEqual([
    { kind: 'certain', value: 615 },
    { kind: 'certain', value: 615 },
  ])
  expect(readTime('now')).toEqual({ kind: 'nothing' })
})
