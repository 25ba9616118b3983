import { expect, test } from 'vitest'
import { commandKey } from './shortcuts.ts'

test('the command key has the name that is printed on the platform’s keyboards', () => {
  expect(commandKey('MacIntel')).toBe('⌘')
  expect(commandKey('Win32')).toBe('Ctrl')
})
