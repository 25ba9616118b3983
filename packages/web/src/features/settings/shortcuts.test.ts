import { expect, test } from 'vitest'
import { commandKey } from './shortcuts.ts'

test('the command key is called what stands on the keyboard', () => {
  expect(commandKey('MacIntel')).toBe('⌘')
  expect(commandKey('Win32')).toBe('Ctrl')
})
