import { anAbsence, aWork } from '@saldo/client/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSubject, recentWork, subjectText } from './recent-work.ts'

const drawing = { project: 'Saldo', tags: ['ui'], note: 'Drawing', counts: true }
const roses = { project: 'Garden', tags: [], note: 'Roses', counts: false }

test('recent work is listed once, the newest first, without absences and blank work', () => {
  const entries = [
    aWork(1, 2, drawing),
    aWork(3, 4, roses),
    aWork(5, 6, drawing),
    aWork(6, 7, roses),
    aWork(7, 8),
    aWork(8, 9, { counts: false }),
    anAbsence('sick', '2026-11-20'),
    aWork(9, 10, { kind: 'break', note: 'Lunch' }),
  ]
  expect(recentWork(entries, 9)).toEqual([roses, drawing])
  expect(recentWork(entries, 1)).toEqual([roses])
})

test('a subject is a line of its project, its note and its tags', () => {
  expect(subjectText(drawing)).toBe('Saldo Drawing #ui')
  expect(subjectText({ project: null, tags: ['a', 'b'], note: '', counts: true })).toBe('#a #b')
  expect(subjectText(roses)).toBe('Garden Roses !')
})

test('a recent line is read as the work that it was', () => {
  const subject = fc.record({
    project: fc.option(fc.constantFrom('Saldo', 'House of cards')),
    tags: fc.uniqueArray(fc.constantFrom('ui', 'a'), { maxLength: 2 }),
    note: fc.constantFrom('', 'Saldo', 'Drawing  twice'),
    counts: fc.boolean(),
  })
  fc.assert(
    fc.property(subject, (one) => {
      fc.pre(subjectText(one) !== '')
      expect(readSubject(subjectText(one), [one], [])).toEqual(one)
    }),
  )
})

test('a recent line is recognized whatever spaces are typed between its words', () => {
  expect(readSubject('  Saldo  Drawing   #ui ', [roses, drawing], [])).toEqual(drawing)
})

test('another line begins with a known project, or is a note', () => {
  const projects = ['Saldo', 'Saldo Web']
  expect(readSubject('saldo web fix #bug it', [], projects)).toEqual({
    project: 'Saldo Web',
    tags: ['bug'],
    note: 'fix it',
    counts: true,
  })
  expect(readSubject('Saldoweb', [], projects)).toEqual({ project: null, tags: [], note: 'Saldoweb', counts: true })
  expect(readSubject('  ', [], projects)).toEqual({ project: null, tags: [], note: '', counts: true })
})

test('a project after @ may stand anywhere and may be new, as in quick entry', () => {
  const projects = ['Saldo', 'Saldo Web']
  const subject = (line: string) => readSubject(line, [], projects)
  expect(subject('@Garden')).toEqual({ project: 'Garden', tags: [], note: '', counts: true })
  expect(subject('Saldo hedge @garden #a !')).toEqual({
    project: 'garden',
    tags: ['a'],
    note: 'Saldo hedge',
    counts: false,
  })
  expect(subject('@"saldo web" fix it')).toEqual({ project: 'Saldo Web', tags: [], note: 'fix it', counts: true })
  expect(subject('write to ada@example.com')).toMatchObject({ project: null, note: 'write to ada@example.com' })
  expect(subject('@ home')).toMatchObject({ project: null, note: '@ home' })
})

test('a line with an exclamation mark of its own is work that does not count', () => {
  const call = { project: null, tags: ['night'], note: 'On call!', counts: false }
  expect(readSubject('On call! ! #night', [], [])).toEqual(call)
  expect(readSubject('! On call! #night', [], [])).toEqual(call)
})
