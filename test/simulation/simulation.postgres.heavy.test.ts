import { expect, inject, test } from 'vitest'
import { runsOf } from '../../packages/core/test/tier.ts'
import { postgresDatabases, type Server } from './postgres.ts'
import { problemOf } from './run.ts'
import { scenarioOf } from './scenario.ts'

const SEEDS = runsOf(3, 20)
// One for all runs: it numbers the databases that it makes.
const host = { makeDatabase: postgresDatabases(inject('postgres') as Server) }

test.each([
  [`[R5.3] [R5.4] [R5.5] [R5.6] [D7.42] devices agree despite failing PostgreSQL nodes: ${SEEDS} seeds`, {}],
  [`[D27.4] [D27.5] [D27.11] so do they with the sheets of a company: ${SEEDS} seeds`, { company: true }],
])('%s', async (_, options) => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    expect(await problemOf(scenarioOf(seed, { nodes: 3, ...options }), host), `seed ${seed}`).toBeUndefined()
  }
})
