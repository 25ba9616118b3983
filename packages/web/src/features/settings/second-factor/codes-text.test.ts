import { expect, test } from 'vitest'
import { codesText } from './codes-text.ts'

test('recovery codes are copied one per line', () => {
  expect(codesText(['aaaa-1111', 'bbbb-2222', 'cccc-3333'])).toBe('aaaa-1111\nbbbb-2222\ncccc-3333')
})
