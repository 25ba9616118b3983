import { expect, test } from 'vitest'
import { knownAfter, latestOnly, type ResourceOutcome } from './useResource.ts'

test('the answer to an earlier question does not replace that to a later one', async () => {
  const shown: ResourceOutcome<string>[] = []
  const ask = latestOnly<string>((outcome) => shown.push(outcome))
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  const asked = [ask(() => first.promise), ask(() => second.promise)]
  second.resolve('second')
  await asked[1]
  first.resolve('first')
  await asked[0]
  expect(shown).toEqual([{ answer: 'second' }])
})

test('each outcome is shown if nothing else was asked meanwhile, also an error', async () => {
  const shown: ResourceOutcome<string>[] = []
  const ask = latestOnly<string>((outcome) => shown.push(outcome))
  const error = new Error('no network')
  await ask(async () => 'first')
  await ask(() => Promise.reject(error))
  expect(shown).toEqual([{ answer: 'first' }, { error }])
})

test('a failure leaves the last answer, and the next answer ends the failure', () => {
  const known = knownAfter<string>({}, { answer: 'list' })
  const failed = knownAfter(known, { error: 'no network' })
  expect([known, failed]).toEqual([{ answer: 'list' }, { answer: 'list', failed: { error: 'no network' } }])
  expect(knownAfter(failed, { answer: 'longer list' })).toEqual({ answer: 'longer list' })
})
