import { derivedId } from '@saldo/core'
import { expect, test } from 'vitest'
import { derivedOnce } from './derived-once.ts'

test('[D1.37] the id of a date is derived once, however many entries have the date', () => {
  let derivations = 0
  const idOn = derivedOnce((date: string) => {
    derivations += 1
    return derivedId('leave', date)
  })
  const dates = Array.from({ length: 1_000 }, (_, index) => `2026-11-0${(index % 5) + 1}`)
  expect(dates.map(idOn)).toEqual(dates.map((date) => derivedId('leave', date)))
  expect(derivations).toBe(5)
})
