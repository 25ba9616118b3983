import { expect, test } from 'vitest'
import { hasCommandKey, shortcuts } from './shortcuts.ts'

test('each key does one thing, and what single keys must not do goes with Ctrl or ⌘', () => {
  const keys = shortcuts.flatMap((shortcut) => shortcut.keys)
  expect(keys).toEqual([...new Set(keys)])
  expect(shortcuts.filter(({ isCommand }) => isCommand).map((shortcut) => shortcut.keys)).toEqual([['K'], ['Z']])
  expect(shortcuts.every((shortcut) => shortcut.keys.length > 0)).toBe(true)
})

test('commands go with ⌘ on Apple’s keyboards and with Ctrl on others', () => {
  expect(['MacIntel', 'iPad', 'Win32', 'Linux x86_64'].map(hasCommandKey)).toEqual([true, true, false, false])
})
