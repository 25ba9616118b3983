import { expect, test } from 'vitest'
import { balanceLight } from './board.ts'

test('[D27.17] the light of a balance is green up to a week either way, yellow up to two, and red beyond', () => {
  const sizes = [0, 40, 41, 80, 81]
  const lights = ['green', 'green', 'yellow', 'yellow', 'red']
  for (const sign of [1, -1]) expect(sizes.map((size) => balanceLight(sign * size, 40))).toEqual(lights)
})
