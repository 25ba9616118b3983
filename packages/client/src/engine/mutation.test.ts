import { expect, test } from 'vitest'
import { InvalidRecordError } from './errors.ts'
import { toMutation } from './mutation.ts'

test('[D7.6] a number that JSON cannot carry is an error at its place, and not stored as text', () => {
  const id = '00000000-0000-4000-8000-000000000001'
  for (const note of [Number.NaN, Number.POSITIVE_INFINITY]) {
    const content = { kind: 'sick', date: '2026-11-20', note }
    expect(() => toMutation('entries', id, content)).toThrow(InvalidRecordError)
    expect(() => toMutation('entries', id, content)).toThrow('/note is not a finite number')
  }
})
