import { expect, test } from 'vitest'
import { readAbsenceKind } from './absence-kind.ts'

test('a kind of absence has its own name and the words of both languages, but none that can mean several', () => {
  expect(
    ['time_off_in_lieu', 'paid_other', 'Urlaub', 'krank', 'Gleittag', 'bank holiday'].map(readAbsenceKind),
  ).toEqual(['time_off_in_lieu', 'paid_other', 'vacation', 'sick', 'time_off_in_lieu', 'public_holiday'])
  for (const text of ['', 'holiday', 'off', 'kind krank', 'vacation Monday'])
    expect(readAbsenceKind(text)).toBeUndefined()
})
