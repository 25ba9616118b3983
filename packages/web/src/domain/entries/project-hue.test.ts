import { expect, test } from 'vitest'
import { hueOf } from './project-hue.ts'

test('the colour of a project is the same on every device and in every version', () => {
  expect(['', 'Saldo', 'Garten', 'Ü', 'Big House'].map(hueOf)).toEqual([110, 175, 250, 80, 175])
})
