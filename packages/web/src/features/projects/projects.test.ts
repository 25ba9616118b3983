import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { projectsOf, renameChanges, renamingOf } from './projects.ts'

const timeline = buildTimeline([aSettingsRow()])
const at = (time: string) => Date.parse(`2026-11-${time}:00Z`)

test('projects have the time that reports count, and the last used comes first', () => {
  const entries = [
    aWork(at('02T08:00'), at('02T10:00'), { project: 'Harbour' }),
    aWork(at('02T09:00'), at('02T11:00'), { project: 'Harbour' }),
    aWork(at('01T08:00'), at('01T09:00'), { project: 'Garden' }),
    aWork(at('02T23:30'), null, { project: 'House' }),
    aWork(at('03T08:00'), at('03T09:00')),
  ]
  expect(projectsOf(entries, timeline)).toMatchObject([
    { name: 'House', timeMs: 0, entryCount: 1, lastDate: '2026-11-03' },
    { name: 'Harbour', timeMs: 3 * HOUR_MS, entryCount: 2, lastDate: '2026-11-02' },
    { name: 'Garden', timeMs: HOUR_MS, entryCount: 1, lastDate: '2026-11-01' },
  ])
})

test('projects that were last used at the same time come by name', () => {
  const named = ['B', 'A', 'C'].map((project) => aWork(at('02T08:00'), at('02T10:00'), { project }))
  expect(projectsOf(named, timeline).map(({ name }) => name)).toEqual(['A', 'B', 'C'])
})

test('an absence west of Greenwich keeps its date', () => {
  const west = buildTimeline([aSettingsRow({ time_zone: 'America/New_York' })])
  const training = { ...anAbsence('paid_other', '2026-11-04'), project: 'Training' }
  expect(projectsOf([training], west)).toMatchObject([{ name: 'Training', lastDate: '2026-11-04' }])
})

test('another name is given to the entries of the project alone', () => {
  const [harbour, garden, none] = ['Harbour', 'Garden', null].map((project, index) =>
    aWork(index, index + 1, { project }),
  )
  const entries = [harbour, garden, none].flatMap((entry) => entry ?? [])
  expect(renameChanges(entries, 'Harbour', 'Garden')).toEqual([
    { op: 'update', record: harbour, patch: { project: 'Garden' } },
  ])
})

test('another name renames a project, and the name of another project merges both', () => {
  const projects = [{ name: 'Atlas' }, { name: 'Borealis' }]
  expect(renamingOf('Atlas', 'Zenith', projects)).toBe('rename')
  expect(renamingOf('Atlas', 'Borealis', projects)).toBe('merge')
  expect([renamingOf('Atlas', 'Atlas', projects), renamingOf('Atlas', '', projects)]).toEqual([undefined, undefined])
})
