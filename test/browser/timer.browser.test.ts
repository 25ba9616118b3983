import { expect, test } from 'vitest'
import type { StoredTimer } from './page/timer.ts'
import { programOfFile } from './pages.ts'

const open = await programOfFile<StoredTimer>('timer', 'stored')

/** Runs steps on a new page, and returns the state of the timer after each. */
async function statesAfter(...steps: ((timer: StoredTimer) => unknown)[]): Promise<string[]> {
  const timer = await open()
  const states: string[] = []
  for (const step of steps) {
    await timer.evaluate(step)
    states.push(await timer.evaluate((each) => each.state()))
  }
  return states
}

test('a pressed timer shows the press until the entries have it, whatever was read before it', async () => {
  const states = await statesAfter(
    (timer) => timer.press('start'),
    (timer) => timer.showBefore(),
    (timer) => timer.settle(true),
    (timer) => timer.showBefore(),
    (timer) => timer.showAfter(),
    (timer) => timer.press('stop'),
    (timer) => timer.settle(true),
    (timer) => timer.showBefore(),
    (timer) => timer.showAfter(),
  )
  expect(states).toEqual([...Array(5).fill('working'), ...Array(4).fill('idle')])
})

test('a press that is taken back before the entries had it shows no longer, and does not come back', async () => {
  const states = await statesAfter(
    (timer) => timer.press('start'),
    (timer) => timer.settle(true),
    (timer) => timer.takeBack(),
    (timer) => timer.showBefore(),
  )
  expect(states).toEqual(['working', 'working', 'idle', 'idle'])
})

test('a press that fails shows no longer', async () => {
  expect(
    await statesAfter(
      (timer) => timer.press('start'),
      (timer) => timer.settle(false),
    ),
  ).toEqual(['working', 'idle'])
})
