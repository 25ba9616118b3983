import type { DateRange } from '@saldo/core'
import { expect, test } from 'vitest'
import { Listeners } from '../store/listeners.ts'
import type { Changed, LocalStore } from '../store/store.ts'
import { type ChangeSource, changesOf, type Live, liveOver, queryPerRange } from './live-query.ts'
import type { Pause } from './slow-query-pause.ts'

/** A question whose answers the test gives, in the order in which they are asked for. */
function asked(pause?: Pause) {
  const listeners = new Listeners()
  const source: ChangeSource = { subscribe: (listener) => listeners.add(listener) }
  const questions: PromiseWithResolvers<string>[] = []
  const live = liveOver(
    () => {
      const question = Promise.withResolvers<string>()
      questions.push(question)
      return question.promise
    },
    [source],
    pause,
  )
  return { live, questions, change: () => listeners.call() }
}

function heard<T>(live: Live<T>) {
  const told: unknown[] = []
  const end = live.subscribe(
    (answer) => told.push(answer),
    (error) => told.push({ error }),
  )
  return { told, end }
}

/** Until everything has run that needs nothing from outside. */
const quiet = () => new Promise<void>((resolve) => setImmediate(resolve))

test('one query serves all subscribers, also later ones', async () => {
  const { live, questions } = asked()
  const early = [heard(live), heard(live)]
  questions[0]?.resolve('first')
  await quiet()
  const late = heard(live)
  await quiet()
  expect([...early, late].map(({ told }) => told)).toEqual([['first'], ['first'], ['first']])
  expect(questions).toHaveLength(1)
})

test('a subscriber that ends while a result is being delivered does not get it', async () => {
  const { live, questions } = asked()
  const endOthers: (() => void)[] = []
  live.subscribe(() => {
    for (const end of endOthers) end()
  })
  const others = [heard(live), heard(live)]
  endOthers.push(...others.map(({ end }) => end))
  questions[0]?.resolve('late')
  await quiet()
  expect(others.map(({ told }) => told)).toEqual([[], []])
})

test('any number of changes during a query lead to one more query', async () => {
  const { live, questions, change } = asked()
  const { told } = heard(live)
  for (let time = 0; time < 3; time += 1) change()
  await quiet()
  expect(questions).toHaveLength(1)
  questions[0]?.resolve('before')
  await quiet()
  questions[1]?.resolve('after')
  await quiet()
  expect(told).toEqual(['before', 'after'])
  expect(questions).toHaveLength(2)
})

test('a query pauses before it runs again, and then runs once for all changes meanwhile', async () => {
  const paused = Promise.withResolvers<void>()
  const { live, questions, change } = asked(() => paused.promise)
  const { told } = heard(live)
  questions[0]?.resolve('before')
  await quiet()
  for (let time = 0; time < 3; time += 1) change()
  await quiet()
  expect(told).toEqual(['before'])
  expect(questions).toHaveLength(1)
  paused.resolve()
  await quiet()
  questions[1]?.resolve('after')
  await quiet()
  expect(told).toEqual(['before', 'after'])
  expect(questions).toHaveLength(2)
})

test('a first subscriber does not wait for the pause of a query that others abandoned', async () => {
  const { live, questions } = asked(() => new Promise(() => {}))
  const first = heard(live)
  questions[0]?.resolve('before')
  await quiet()
  first.end()
  const { told } = heard(live)
  await quiet()
  questions[1]?.resolve('now')
  await quiet()
  expect(told).toEqual(['now'])
})

test('a failed query reports its error and runs again after the next change', async () => {
  const { live, questions, change } = asked()
  const { told } = heard(live)
  questions[0]?.reject('broken')
  await quiet()
  change()
  await quiet()
  questions[1]?.resolve('whole')
  await quiet()
  expect(told).toEqual([{ error: 'broken' }, 'whole'])
})

test('without subscribers no query runs, and a later subscriber gets no old result', async () => {
  const { live, questions, change } = asked()
  const first = heard(live)
  questions[0]?.resolve('old')
  await quiet()
  first.end()
  change()
  await quiet()
  expect(questions).toHaveLength(1)
  const [second, third] = [heard(live), heard(live)]
  await quiet()
  expect([second.told, third.told]).toEqual([[], []])
  questions[1]?.resolve('new')
  await quiet()
  expect([first, second, third].map(({ told }) => told)).toEqual([['old'], ['new'], ['new']])
})

test('a subscriber that comes during an abandoned query gets a newer result', async () => {
  const { live, questions } = asked()
  heard(live).end()
  const { told } = heard(live)
  questions[0]?.resolve('of before')
  await quiet()
  questions[1]?.resolve('of now')
  await quiet()
  expect(told).toEqual(['of now'])
})

test('a listener that throws does not keep others from being called', async () => {
  const { live, questions } = asked()
  const thrown: unknown[] = []
  const note = (error: unknown) => thrown.push(error)
  process.prependOnceListener('uncaughtException', note)
  const others = process.listeners('uncaughtException').filter((one) => one !== note)
  for (const one of others) process.off('uncaughtException', one)
  live.subscribe(() => {
    throw new Error('mine')
  })
  const { told } = heard(live)
  questions[0]?.resolve('answer')
  await quiet()
  for (const one of others) process.on('uncaughtException', one)
  expect(told).toEqual(['answer'])
  expect(thrown).toHaveLength(1)
})

test('the current result is there while somebody subscribes', async () => {
  const { live, questions, change } = asked()
  expect(live.current).toBeUndefined()
  const { end } = heard(live)
  expect(live.current).toBeUndefined()
  questions[0]?.resolve('first')
  await quiet()
  expect(live.current).toBe('first')
  change()
  await quiet()
  questions[1]?.reject('broken')
  await quiet()
  expect(live.current).toBe('first')
  change()
  await quiet()
  end()
  expect(live.current).toBeUndefined()
  questions[2]?.resolve('late')
  await quiet()
  expect([live.current, questions.length]).toEqual([undefined, 3])
})

test('a loop over a query gets the newest result each time, and skips those that it has no time for', async () => {
  const { live, questions, change } = asked()
  const loop = live[Symbol.asyncIterator]()
  const first = loop.next()
  questions[0]?.resolve('first')
  expect(await first).toEqual({ value: 'first', done: false })
  for (const [index, result] of ['second', 'third'].entries()) {
    change()
    await quiet()
    questions[index + 1]?.resolve(result)
    await quiet()
  }
  expect(await loop.next()).toEqual({ value: 'third', done: false })
  const next = loop.next()
  change()
  await quiet()
  questions[3]?.reject(new Error('broken'))
  await expect(next).rejects.toThrow('broken')
  change()
  await quiet()
  expect(questions).toHaveLength(4)
})

test('a loop that is left ends its query', async () => {
  const { live, questions, change } = asked()
  const over = (async () => {
    for await (const result of live) return result
  })()
  questions[0]?.resolve('enough')
  expect(await over).toBe('enough')
  expect(live.current).toBeUndefined()
  change()
  await quiet()
  expect(questions).toHaveLength(1)
})

test('a subscriber that leaves takes nothing from those that stay, however often it leaves', async () => {
  const { live, questions } = asked()
  const [staying, leaving] = [heard(live), heard(live)]
  questions[0]?.resolve('first')
  await quiet()
  leaving.end()
  expect(live.current).toBe('first')
  staying.end()
  expect(live.current).toBeUndefined()
  const next = heard(live)
  questions[1]?.resolve('second')
  await quiet()
  staying.end()
  leaving.end()
  expect([live.current, next.told]).toEqual(['second', ['second']])
  heard(live)
  expect(questions).toHaveLength(2)
})

test('a query hears of changes while it has subscribers, and pauses by the time that it took', async () => {
  const listening = new Set<() => void>()
  const source: ChangeSource = {
    subscribe(listener) {
      listening.add(listener)
      return () => listening.delete(listener)
    },
  }
  const pauses: number[] = []
  const startMs = performance.now()
  const live = liveOver(
    async () => 'result',
    [source, source],
    async (tookMs) => void pauses.push(tookMs),
  )
  expect(listening.size).toBe(0)
  const { end } = heard(live)
  expect(listening.size).toBe(2)
  await quiet()
  end()
  expect(listening.size).toBe(0)
  expect(pauses).toHaveLength(1)
  expect(pauses[0]).toBeLessThanOrEqual(performance.now() - startMs)
})

test('changes are heard of the tables that a query reads, and of errors of the store, until nobody listens', () => {
  const changes = new Set<(changed: ReadonlySet<Changed>) => void>()
  const errors = new Set<() => void>()
  const listening =
    <T>(listeners: Set<T>) =>
    (one: T) => {
      listeners.add(one)
      return () => listeners.delete(one)
    }
  const store = {
    subscribe: listening(changes),
    subscribeToErrors: listening(errors),
  } as unknown as LocalStore
  let count = 0
  const end = changesOf(store, ['outbox', 'entries']).subscribe(() => {
    count += 1
  })
  for (const table of ['outbox', 'entries', 'meta'] as const) for (const tell of changes) tell(new Set([table]))
  for (const tell of errors) tell()
  expect(count).toBe(3)
  end()
  expect([changes.size, errors.size]).toEqual([0, 0])
})

test('the same range has the same query, another range another one', () => {
  const question = queryPerRange(({ from }) => liveOver(async () => from, []))
  const range: DateRange = { from: '2026-11-16', to: '2026-11-22' }
  expect(question({ ...range })).toBe(question(range))
  const first = question(range)
  const other = question({ ...range, to: '2026-11-23' })
  expect(other).not.toBe(first)
  expect(question(range)).toBe(first)
  expect(question({ ...range, to: '2026-11-23' })).toBe(other)
})
