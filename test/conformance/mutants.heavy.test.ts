import { checkService } from '@saldo/conformance'
import { systemRandom } from '@saldo/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../packages/server/test/harness.ts'
import { mutants } from './mutants.ts'
import { type Mutation, startMutant } from './proxy.ts'

let service: TestService
let jobs: NodeJS.Timeout
beforeAll(async () => {
  service = await startTestService()
  jobs = setInterval(() => void service.service.runDueJobs(), 20)
})
afterAll(() => {
  clearInterval(jobs)
  return service.close()
})

/** Returns the checks that a mutant fails. */
async function failuresOf(mutation: Mutation, selection: { only?: string; bail?: true } = {}) {
  const [{ token }, { token: otherToken }] = [await service.user(), await service.user()]
  const mutant = await startMutant(service.url, mutation)
  const advanceClock = async (ms: number) => service.clock.advance(ms)
  const target = { url: mutant.url, token, otherToken, advanceClock, random: systemRandom }
  try {
    const { results } = await checkService(target, selection)
    return results.filter(({ outcome }) => outcome === 'failed')
  } finally {
    await mutant.close()
  }
}

test.each(mutants)('$rule: a service that $name is found by it', async ({ rule, make }) => {
  const found = await failuresOf(make(), { only: rule, bail: true })
  expect(found.flatMap(({ rules }) => rules)).toContain(rule)
  expect(found[0]?.detail).not.toMatch(/^\w*Error: /)
})

test('a correct service behind the same proxy passes', async () => {
  expect(await failuresOf({})).toEqual([])
})
