import { join } from 'node:path'
import { expect, test } from 'vitest'
import { slope } from './figures.ts'
import { plot } from './plot.ts'
import { type Sample, soak } from './run.ts'

const { build } = await import(join(import.meta.dirname, '../../scripts/setup.mjs'))
await build()

test('seconds of the soak run weeks of mixed load without an error', async () => {
  const samples: Sample[] = []
  const result = await soak({
    minutes: 0.1,
    users: 20,
    seed: 1,
    rate: 40,
    days: 50,
    sampleSeconds: 2,
    database: undefined,
    onSample: (sample) => void samples.push(sample),
  })
  expect(result.errors).toEqual([])
  expect(result.checked).toMatchObject({ users: 4 })
  expect(result.checked.days).toBeGreaterThan(0)
  expect(samples).toEqual(result.samples)
  const [first] = samples
  expect(first?.rssMb).toBeGreaterThan(0)
  expect(first?.heapMb).toBeGreaterThan(0)
  expect(first?.records).toBeGreaterThan(0)
})

test('figures: a slope by least squares, and a plot of it', () => {
  const points = [
    [0, 1],
    [1, 3],
    [2, 5],
  ] as const
  expect(slope(points)).toBe(2)
  const drawn = plot([{ title: 'two a minute', lines: [{ name: 'this', points }] }], 'minutes')
  expect(drawn.match(/points="[^"]+"/g)).toEqual(['points="60.0,134.8 440.0,80.4 820.0,26.0"'])
})
