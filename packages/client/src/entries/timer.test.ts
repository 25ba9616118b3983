import { aWork } from '@saldo/client/testing'
import { HOUR_MS, instantOf, isTimed, type RecordId } from '@saldo/core'
import { expect, test } from 'vitest'
import type { WorkRecord } from './parts.ts'
import { actionToReach, isReflected, type TimerState, timerActions, timerMutations, timerState } from './timer.ts'
import { entriesAfter } from './undoable.ts'

const NOW_MS = 10 * HOUR_MS + 999
const zone = 'Europe/Berlin'
const done = aWork(HOUR_MS, 2 * HOUR_MS, { project: 'Old' })
const working = aWork(8 * HOUR_MS, null, { project: 'Saldo', tags: ['ui'] })
const pausing = aWork(9 * HOUR_MS, null, { kind: 'break' })

test('start creates work at the full second', () => {
  expect(timerState([done])).toEqual({ kind: 'idle' })
  expect(timerMutations([done], 'start', NOW_MS, zone)).toEqual([
    {
      op: 'create',
      content: {
        kind: 'work',
        started_at: instantOf(10 * HOUR_MS),
        ended_at: null,
        time_zone: zone,
        project: null,
        tags: [],
        note: '',
        source: null,
        import_ref: null,
        counts: true,
      },
    },
  ])
})

test('stop ends all running entries', () => {
  expect(timerState([working, done])).toEqual({ kind: 'working', entry: working })
  const patch = { ended_at: instantOf(10 * HOUR_MS) }
  expect(timerMutations([working, pausing, done], 'stop', NOW_MS, zone)).toEqual([
    { op: 'update', record: working, patch },
    { op: 'update', record: pausing, patch },
  ])
})

test('starting after a break continues the interrupted work', () => {
  const changes = timerMutations([working], 'break', NOW_MS, zone)
  expect(changes).toMatchObject([{ record: working }, { op: 'create', content: { kind: 'break', ended_at: null } }])
  const ended = { ...working, ended_at: pausing.started_at }
  expect(timerState([ended, pausing])).toEqual({ kind: 'break', entry: pausing, before: ended })
  expect(timerMutations([ended, pausing], 'start', NOW_MS, zone)).toMatchObject([
    { record: pausing },
    { content: { kind: 'work', project: 'Saldo', tags: ['ui'] } },
  ])
})

test('work that does not count continues after a break as such, and starts again as such', () => {
  const onCall = aWork(8 * HOUR_MS, 9 * HOUR_MS, { project: 'On call', counts: false })
  const continued = timerMutations([onCall, pausing], 'start', NOW_MS, zone)
  expect(continued).toMatchObject([{ record: pausing }, { content: { project: 'On call', counts: false } }])
  const like = { project: null, tags: [], note: 'Errand', counts: false }
  expect(timerMutations([], 'start', NOW_MS, zone, like)).toMatchObject([{ content: like }])
})

test.each([
  ['no timer runs', [done]],
  ['other work runs', [done, working]],
  ['a break runs', [done, pausing]],
])('chosen work begins as it was chosen: %s', (...row) => {
  const [, entries] = row
  const like = { project: 'Garden', tags: ['beds'], note: 'Roses', counts: false }
  expect(timerMutations(entries, 'start', NOW_MS, zone, like).at(-1)).toMatchObject({ op: 'create', content: like })
})

test('a timer that started in the future ends at its start', () => {
  const future = aWork(11 * HOUR_MS, null)
  expect(timerMutations([future], 'stop', NOW_MS, zone)).toMatchObject([{ patch: { ended_at: future.started_at } }])
})

test('pending changes are applied to the entries, and further presses build on them', () => {
  const [first, pause] = [aWork(0, 0).id, aWork(0, 0).id]
  const withId = (changes: ReturnType<typeof timerMutations>, id: RecordId) =>
    changes.map((change) => (change.op === 'create' ? { ...change, id } : change))
  const started = withId(timerMutations([done], 'start', NOW_MS, zone), first)
  const running = entriesAfter([done], started).filter(isTimed)
  expect(timerState(running)).toMatchObject({
    kind: 'working',
    entry: { id: first, started_at: instantOf(10 * HOUR_MS) },
  })
  const paused = withId(timerMutations(running, 'break', NOW_MS + 2_000, zone), pause)
  expect(paused).toMatchObject([
    { op: 'update', record: { id: first } },
    { op: 'create', id: pause },
  ])
  const after = entriesAfter(running, paused).filter(isTimed)
  expect(timerState(after)).toMatchObject({ kind: 'break', entry: { id: pause }, before: { id: first } })
  expect(timerState(entriesAfter(after, timerMutations(after, 'stop', NOW_MS + 3_000, zone)).filter(isTimed))).toEqual({
    kind: 'idle',
  })
})

test('a change is reflected once the entries have it', () => {
  const patch = { ended_at: instantOf(10 * HOUR_MS) }
  const ended = { op: 'update', record: working, patch } as const
  expect(isReflected(ended, [working])).toBe(false)
  expect(isReflected(ended, [])).toBe(false)
  expect(isReflected(ended, [{ ...working, ...patch }])).toBe(true)
  const [begun] = timerMutations([done], 'start', NOW_MS, zone)
  if (begun?.op !== 'create') throw new Error('a start creates an entry')
  expect(isReflected({ ...begun, id: working.id }, [done])).toBe(false)
  expect(isReflected({ ...begun, id: working.id }, [done, working])).toBe(true)
  expect(isReflected({ op: 'delete', record: working }, [working])).toBe(false)
  expect(isReflected({ op: 'delete', record: working }, [pausing])).toBe(true)
})

test('a break that begins in the second of the work interrupts that work', () => {
  const work = aWork(9 * HOUR_MS, 9 * HOUR_MS, { project: 'Saldo' })
  expect(timerState([done, work, pausing])).toMatchObject({ kind: 'break', before: { id: work.id } })
})

test('of several pending changes of an entry the last one counts', () => {
  const ended = [11, 10].map((hour) => ({
    op: 'update' as const,
    record: working,
    patch: { ended_at: instantOf(hour * HOUR_MS) },
  }))
  expect(entriesAfter([working], ended)).toEqual([{ ...working, ended_at: instantOf(10 * HOUR_MS) }])
})

test('an action that leads to the present state is not needed, and a break needs work', () => {
  const entry = aWork(0, null) as WorkRecord
  const states: TimerState[] = [
    { kind: 'idle' },
    { kind: 'working', entry },
    { kind: 'break', entry, before: undefined },
  ]
  const reached = timerActions.map((action) => states.map((state) => actionToReach(action, state)))
  expect(reached).toEqual([
    ['start', undefined, 'start'],
    [undefined, 'stop', 'stop'],
    [undefined, 'break', undefined],
  ])
})
