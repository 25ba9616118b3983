import type { UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import { Gate } from '../../src/gate.ts'
import { inTurns, listInParts } from '../../src/http/parts.ts'

const ADA = 1 as UserNumber
const isValid = async () => {}

/** Five parts that are there at once; `isEnded` once nobody wants more. */
function fiveParts() {
  const made = { count: 0, isEnded: false }
  async function* parts() {
    try {
      for (; made.count < 5; made.count += 1) yield String(made.count)
    } finally {
      made.isEnded = true
    }
  }
  return { made, parts: parts() }
}

test('[D1.36] others have a turn before each part, however fast a client takes them', async () => {
  let turns = 0
  const count = () => {
    turns += 1
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const turnsAtPart: number[] = []
  for await (const _part of inTurns(new Gate(1), ADA, fiveParts().parts, isValid)) turnsAtPart.push(turns)
  clearImmediate(timer)
  expect(turnsAtPart).toHaveLength(5)
  expect(new Set(turnsAtPart).size).toBe(5)
})

test('[D1.36] a part waits for the turn of its user', async () => {
  const turns = new Gate(1)
  const leave = await turns.enter(ADA)
  const { made, parts } = fiveParts()
  const iterator = inTurns(turns, ADA, parts, isValid)
  const first = iterator.next()
  for (let n = 0; n < 5; n += 1) await new Promise((resolve) => setImmediate(resolve))
  expect(turns.waiting(ADA)).toBe(1)
  expect(made.count).toBe(0)
  leave()
  expect(await first).toEqual({ done: false, value: '0' })
})

test.each([0, 1, 100, 101, 250])(
  '[D1.36] a list of %i items comes in parts, and access is checked before each',
  async (count) => {
    const items = Array.from({ length: count }, (_, id) => ({ id }))
    const [parts, checks]: [string[], number[]] = [[], []]
    for await (const part of listInParts(items, async () => checks.push(parts.length))) parts.push(part)
    expect(JSON.parse(parts.join(''))).toEqual({ items })
    expect(checks).toHaveLength(Math.ceil(count / 100))
    expect(parts).toHaveLength(checks.length + 2)
  },
)

test('[D1.36] a client that leaves ends what makes the parts', async () => {
  const { made, parts } = fiveParts()
  for await (const _part of inTurns(new Gate(1), ADA, parts, isValid)) break
  expect(made).toEqual({ count: 0, isEnded: true })
})

test('[D8.37] no part follows once access has ended', async () => {
  const { made, parts } = fiveParts()
  let checks = 0
  const check = async () => {
    checks += 1
    if (checks > 2) throw new Error('ended')
  }
  const received: string[] = []
  const reading = (async () => {
    for await (const part of inTurns(new Gate(1), ADA, parts, check)) received.push(part)
  })()
  await expect(reading).rejects.toThrow('ended')
  expect([received, made.isEnded]).toEqual([['0', '1'], true])
})
