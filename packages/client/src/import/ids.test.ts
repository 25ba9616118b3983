import { expect, test } from 'vitest'
import { type FileRow, newRow } from './file.ts'
import { batchOf, breakId, nameRows } from './ids.ts'

const row: FileRow = { ...newRow(2), start: { at: 0 }, end: { at: 3_600_000 }, project: 'a', note: 'b' }

test('[D11.2] rows that differ in anything have different names, and where a row stands does not matter', () => {
  const changes: Partial<FileRow>[] = [
    { kind: 'break' },
    { start: { at: 1 } },
    { end: { at: 1 } },
    { date: '2026-01-05' },
    { durationMs: 1 },
    { breakMs: 1 },
    { project: 'x' },
    { client: 'x' },
    { note: 'x' },
    { tags: ['x'] },
    { user: 'x' },
  ]
  const rows = nameRows('csv', [row, ...changes.map((change) => ({ ...row, ...change }))])
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  expect(rows.some(({ isRepeated }) => isRepeated)).toBe(false)
  expect(nameRows('csv', [{ ...row, row: 9 }])[0]?.id).toBe(rows[0]?.id)
  expect(nameRows('toggl', [row])[0]?.id).not.toBe(rows[0]?.id)
})

test('[D11.2] equal rows are numbered, so that each becomes an entry', () => {
  const [first, second] = nameRows('csv', [row, row])
  expect([first?.isRepeated, second?.isRepeated]).toEqual([false, true])
  expect(second?.id).not.toBe(first?.id)
  expect(second?.importRef).toBe(`csv:${second?.id}`)
})

test('[D11.2] a row that the other tool named keeps its name, whatever else changes', () => {
  const [before] = nameRows('csv', [{ ...row, ref: '7' }])
  const [after, other] = nameRows('csv', [
    { ...row, ref: '7', note: 'edited' },
    { ...row, ref: '8' },
  ])
  expect(after?.id).toBe(before?.id)
  expect(other?.id).not.toBe(before?.id)
})

test('[D11.2] a batch is named by its rows, and a break by its own', () => {
  const [one, two] = nameRows('csv', [row, { ...row, note: 'x' }])
  if (!one || !two) throw new Error('a row is missing')
  expect(batchOf('csv', [one, two])).toMatch(/^csv-[0-9a-f-]{13}$/)
  expect(new Set([batchOf('csv', [one, two]), batchOf('csv', [one]), batchOf('csv', [two])]).size).toBe(3)
  expect(new Set([breakId(one), breakId(two), one.id, two.id]).size).toBe(4)
})
