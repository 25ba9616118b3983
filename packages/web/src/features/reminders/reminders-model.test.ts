import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, type Entry, HOUR_MS, MINUTE_MS } from '@saldo/core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dueReminders, isNewReminder } from './reminders-model.ts'

const german = { rules: [{ worked_above_ms: 6 * HOUR_MS, required_ms: 30 * MINUTE_MS }], min_piece_ms: 15 * MINUTE_MS }
const timeline = buildTimeline([aSettingsRow({ break_policy: german })])
/** 00:00 of a Monday in Berlin. */
const MIDNIGHT_MS = Date.parse('2026-11-22T23:00:00Z')
const at = (hours: number) => MIDNIGHT_MS + hours * HOUR_MS
const friday = aWork(at(-64), at(-56))

const kindsAt = (hours: number, ...entries: Entry[]) =>
  dueReminders({ entries, timeline, today: '2026-11-23', forgotten: undefined }, at(hours)).map(({ kind }) => kind)

test('a break is due once the rules deduct one from running work, and not on a break or after one', () => {
  const running = aWork(at(8), null)
  expect(kindsAt(14, friday, running)).toEqual([])
  expect(kindsAt(14.1, friday, running)).toEqual(['break'])
  expect(kindsAt(14.1, friday, aWork(at(8), at(14.1)))).toEqual([])
  expect(kindsAt(14.6, friday, aWork(at(8), at(11)), aWork(at(11.5), null))).toEqual([])
})

test('the target is reached by running work alone', () => {
  const morning = aWork(at(7), at(12))
  expect(kindsAt(15.9, friday, morning, aWork(at(13), null))).toEqual([])
  expect(kindsAt(16, friday, morning, aWork(at(13), null))).toEqual(['target'])
  expect(kindsAt(16, friday, morning, aWork(at(13), at(16)))).toEqual([])
})

test('on a Monday, a Friday without work or absence is missing', () => {
  expect(kindsAt(9)).toEqual(['missing'])
  expect(kindsAt(9, friday)).toEqual([])
  expect(kindsAt(9, anAbsence('sick', '2026-11-20', 1))).toEqual([])
})

test('a reminder has the key of what it is about, so that it comes once', () => {
  const running = aWork(at(8), null)
  const keysOf = (entries: Entry[], hours: number) =>
    dueReminders({ entries, timeline, today: '2026-11-23', forgotten: undefined }, at(hours)).map(({ key }) => key)
  expect(keysOf([friday, running], 14.1)).toEqual([`break ${running.id}`])
  expect(keysOf([friday, aWork(at(7), at(12)), aWork(at(13), null)], 16)).toEqual(['target 2026-11-23'])
  expect(keysOf([], 9)).toEqual(['missing 2026-11-20'])
})

test('a forgotten timer is the only reminder of running work, and each thing has its own key', () => {
  const forgotten = aWork(at(-10), null)
  const situation = { entries: [friday, forgotten], timeline, today: '2026-11-23' as const, forgotten }
  expect(dueReminders(situation, at(9))).toEqual([{ kind: 'forgotten', key: `forgotten ${forgotten.id}` }])
})

const stored = new Map<string, string>()
beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})
afterEach(() => void vi.unstubAllGlobals())

test('a reminder is new once for each user of a device', () => {
  expect([isNewReminder(7, 'break'), isNewReminder(7, 'break'), isNewReminder(7, 'target')]).toEqual([
    true,
    false,
    true,
  ])
  expect([isNewReminder(17, 'break'), isNewReminder(17, 'break')]).toEqual([true, false])
})

test('the last 20 reminders are remembered', () => {
  for (let number = 0; number < 21; number += 1) isNewReminder(7, `missing ${number}`)
  expect(isNewReminder(7, 'missing 1')).toBe(false)
  expect(isNewReminder(7, 'missing 0')).toBe(true)
})
