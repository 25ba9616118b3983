import { OfflineError, RejectedError } from '@saldo/client'
import { DAY_MS, problemOf, type UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import { forgetAnswers, isEnded, keepAnswer, keptAnswer } from './kept-answers.ts'

const [ada, grace] = [1 as UserNumber, 11 as UserNumber]

class Memory {
  readonly #values = new Map<string, string>()
  get length() {
    return this.#values.size
  }
  key = (index: number) => [...this.#values.keys()][index] ?? null
  getItem = (key: string) => this.#values.get(key) ?? null
  setItem(key: string, value: string) {
    if (value.length > 1_000) throw new DOMException('full', 'QuotaExceededError')
    this.#values.set(key, value)
  }
  removeItem(key: string) {
    this.#values.delete(key)
  }
}

test('[D30.3] an answer is kept for seven days with its time, for each user alone', () => {
  const storage = new Memory()
  keepAnswer(storage, ada, 'away', { atMs: 5, answer: ['Grace'] })
  expect(keptAnswer(storage, ada, 'away', 7 * DAY_MS + 5)).toEqual({ atMs: 5, answer: ['Grace'] })
  expect(keptAnswer(storage, ada, 'away', 7 * DAY_MS + 6)).toBeUndefined()
  expect(keptAnswer(storage, grace, 'away', 5)).toBeUndefined()
})

test('[D30.3] answers of a user can be deleted, all or the old ones, and those of others stay', () => {
  const storage = new Memory()
  const kept = { atMs: 0, answer: 1 }
  for (const user of [ada, grace]) keepAnswer(storage, user, 'away', kept)
  keepAnswer(storage, ada, 'requests', { atMs: 1, answer: 2 })
  forgetAnswers(storage, ada, 7 * DAY_MS + 1)
  expect(keptAnswer(storage, ada, 'away', 0)).toBeUndefined()
  expect(keptAnswer(storage, ada, 'requests', 0)).toBeDefined()
  forgetAnswers(storage, ada)
  expect(keptAnswer(storage, ada, 'requests', 0)).toBeUndefined()
  expect(keptAnswer(storage, grace, 'away', 0)).toEqual(kept)
})

test('an answer that finds no room is not kept', () => {
  const storage = new Memory()
  keepAnswer(storage, ada, 'away', { atMs: 0, answer: 'x'.repeat(2_000) })
  expect(keptAnswer(storage, ada, 'away', 0)).toBeUndefined()
})

test('[D30.3] [D30.5] a role that has ended ends the kept answers, and a service out of reach does not', () => {
  for (const code of ['forbidden', 'not_found'] as const)
    expect(isEnded(new RejectedError(problemOf(code, '')))).toBe(true)
  expect(isEnded(new RejectedError(problemOf('rate_limited', '')))).toBe(false)
  expect(isEnded(new OfflineError())).toBe(false)
})
