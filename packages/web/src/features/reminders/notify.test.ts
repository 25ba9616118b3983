import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isNewReminder } from './notify.ts'

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
