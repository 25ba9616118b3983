import { expect, test } from 'vitest'
import { killInRounds } from './rounds.ts'

test('[D4.8] service and PostgreSQL killed under load lose and duplicate nothing acknowledged', async () => {
  const victims = ['service', 'database'] as const
  const { kills, changes } = await killInRounds({
    database: 'postgres',
    victims,
    kills: 2,
    seed: 1,
    users: 1,
    changes: 30,
  })
  expect(kills).toEqual({ service: 1, database: 1 })
  expect(changes).toBeGreaterThan(0)
})
