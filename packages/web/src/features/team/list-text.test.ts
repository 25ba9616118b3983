import { expect, test } from 'vitest'
import { listLines, MAX_LIST_CHARACTERS, readList } from './list-text.ts'

test('[D11.13] a list that is too large is not read, be it a file or pasted', async () => {
  const line = 'Ada Lovelace; ada@example.org\n'
  expect(listLines(line)).toHaveLength(1)
  expect(await readList(new Blob([line]))).toBe(line)
  const long = line.repeat(Math.ceil(MAX_LIST_CHARACTERS / line.length) + 1)
  expect(listLines(long)).toBe(undefined)
  expect(await readList(new Blob([long]))).toBe(undefined)
})
