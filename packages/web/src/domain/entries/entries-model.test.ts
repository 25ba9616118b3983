import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, DAY_MS, type Entry, HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import {
  isNewProject,
  likelyEnd,
  needsEnd,
  ownNameOf,
  projectHues,
  projectOptions,
  timerOptions,
} from './entries-model.ts'

test('a public holiday has its own name; the note of another absence is no name', () => {
  expect(ownNameOf({ kind: 'public_holiday', note: 'Epiphany' })).toBe('Epiphany')
  expect(ownNameOf({ kind: 'public_holiday', note: '' })).toBeUndefined()
  expect(ownNameOf({ kind: 'vacation', note: 'Sea' })).toBeUndefined()
})

const timeline = buildTimeline([aSettingsRow()])
/** 00:00 of a Friday in Berlin. */
const MIDNIGHT_MS = Date.parse('2026-11-19T23:00:00Z')
const at = (hours: number) => MIDNIGHT_MS + hours * HOUR_MS

test('a timer that the user keeps running needs no end for 31 days', () => {
  const timer = aWork(at(8), null)
  const needs = (keptId: string | undefined, ranMs: number) => needsEnd(timer, keptId, at(8) + ranMs)
  expect([undefined, 'another', timer.id].map((id) => needs(id, DAY_MS))).toEqual([true, true, false])
  expect([31 * DAY_MS, 31 * DAY_MS + 1].map((ranMs) => needs(timer.id, ranMs))).toEqual([false, true])
})

test('the proposed end is when the target was reached', () => {
  const [morning, forgotten] = [aWork(at(8), at(12)), aWork(at(13), null)]
  const end = (timer: typeof forgotten, entries: Entry[], nowMs = at(40)) => likelyEnd(timer, entries, timeline, nowMs)
  expect(end(forgotten, [morning, forgotten])).toBe(at(17))
  expect(end(forgotten, [morning, forgotten], at(17))).toBeUndefined()
  expect(end({ ...forgotten, kind: 'break' }, [morning, forgotten])).toBeUndefined()
  const halfDay = anAbsence('vacation', '2026-11-20', 0.5)
  expect(end(forgotten, [halfDay, aWork(at(8), at(10)), forgotten])).toBe(at(15))
  const onSaturday = aWork(at(30), null)
  expect(end(onSaturday, [onSaturday])).toBeUndefined()
})

const workOn = (names: readonly string[]) => names.map((project, index) => aWork(at(index), at(index + 1), { project }))

test('as many projects as there are hues have different ones, the same on every device', () => {
  const names = ['Saldo', 'Big House', ...'abcdefghij']
  const hues = projectHues(workOn(names))
  expect([hues.get('Saldo'), hues.get('Big House')]).toEqual([200, 30])
  expect(new Set(hues.values()).size).toBe(names.length)
  expect(projectHues(workOn(names).toReversed())).toEqual(hues)
})

test('a project that comes later changes the colour of none', () => {
  const names = Array.from({ length: 30 }, (_, index) => `Project ${index}`)
  const hues = projectHues(workOn(names))
  for (const count of [1, 12, 13, 29]) {
    expect([...projectHues(workOn(names.slice(0, count)))]).toEqual([...hues].slice(0, count))
  }
  expect(new Set([...hues.values()].slice(12, 24)).size).toBe(12)
})

const projects = ['Big Garden', 'Garden', 'Garage', 'Saldo']

test('[D32.1] half the name of a project offers the project first, and the typed name as a new one last', () => {
  expect(projectOptions('gar', projects)).toEqual(['Garden', 'Garage', 'Big Garden', 'gar'])
  expect(projectOptions('', projects)).toEqual(projects)
  expect(projectOptions('garden', projects)).toEqual(['Garden', 'Big Garden'])
  expect(projectOptions('Garden ', projects)).toEqual([])
  expect(projectOptions('Roof', projects)).toEqual(['Roof'])
  expect(['', 'Roof', 'garden', ' Garden'].map((typed) => isNewProject(typed, projects))).toEqual([
    false,
    true,
    false,
    false,
  ])
})

test('[D32.1] the timer offers a project whose name is half typed, else what is typed, then recent work', () => {
  const recent = ['Garden hedge #out', 'Call Ada']
  expect(timerOptions('gar', projects, recent)).toEqual(['Garden', 'Garage', 'gar', 'Garden hedge #out'])
  expect(timerOptions('Garden', projects, recent)).toEqual(['Garden', 'Garden hedge #out'])
  expect(timerOptions('call', projects, recent)).toEqual(['call', 'Call Ada'])
  expect(timerOptions('Call Ada', projects, recent)).toEqual(['Call Ada'])
  expect(timerOptions(' ', projects, recent)).toEqual(recent)
})
