import { expect, test } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

/** Runs work that the test ends, and tells when it is busy. */
function opened() {
  const busy: boolean[] = []
  const begun: PromiseWithResolvers<string>[] = []
  const run = oneAtATime((isBusy) => busy.push(isBusy))
  const press = () =>
    run(() => {
      begun.push(Promise.withResolvers<string>())
      return (begun.at(-1) as PromiseWithResolvers<string>).promise
    })
  return { busy, begun, press }
}

test('a second press does nothing while the work of the first runs', async () => {
  const { busy, begun, press } = opened()
  const presses = [press(), press()]
  expect([begun.length, busy]).toEqual([1, [true]])
  begun[0]?.resolve('done')
  expect([await Promise.all(presses), busy]).toEqual([
    ['done', undefined],
    [true, false],
  ])
})

test('after work that succeeded or failed, the next press works', async () => {
  const { busy, begun, press } = opened()
  const failing = press()
  begun[0]?.reject(new Error('no network'))
  await expect(failing).rejects.toThrow('no network')
  expect(busy).toEqual([true, false])
  for (const at of [1, 2]) {
    const next = press()
    begun[at]?.resolve('done')
    expect(await next).toBe('done')
  }
  expect(begun.length).toBe(3)
})
