import { expect, test } from 'vitest'
import { hasCommandKey } from './shortcuts.ts'

test('commands go with ⌘ on Apple’s keyboards and with Ctrl on others', () => {
  expect(['MacIntel', 'iPad', 'Win32', 'Linux x86_64'].map(hasCommandKey)).toEqual([true, true, false, false])
})
