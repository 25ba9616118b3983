import { expect, test } from 'vitest'
import { rangeProblem } from './sheet-range.ts'

test('a sheet has 1 to 366 days', () => {
  expect(rangeProblem({ from: '2026-11-20', to: '2026-11-20' })).toBeUndefined()
  expect(rangeProblem({ from: '2026-11-20', to: '2026-11-19' })).toBe('order')
  expect(rangeProblem({ from: '2024-01-01', to: '2024-12-31' })).toBeUndefined()
  expect(rangeProblem({ from: '2024-01-01', to: '2025-01-01' })).toBe('length')
})
