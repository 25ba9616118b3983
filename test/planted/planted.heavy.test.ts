import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientFaults } from './client-faults.ts'
import { huntInClient, openServiceHunt } from './hunt.ts'
import { ProgramCopy, patches } from './patches.ts'
import { serviceFaults } from './service-faults.ts'

const all = patches()
const named = (name: string) => all.find((patch) => patch.name === name) ?? expect.unreachable(name)

const copy = new ProgramCopy()
const cache = mkdtempSync(join(tmpdir(), 'saldo-compiled-'))
let services: Awaited<ReturnType<typeof openServiceHunt>>
beforeAll(async () => {
  services = await openServiceHunt()
})
afterAll(async () => {
  copy.remove()
  rmSync(cache, { recursive: true, force: true })
  await services.close()
})

test('the simulation finds a patch', async () => {
  expect(await copy.hunt(named('row-removed-on-send'), 5)).toMatchObject({ check: expect.stringContaining('dropped') })
})

test('a property finds a patch', async () => {
  const found = await copy.hunt(named('lower-version-stored'), 5)
  expect(found).toMatchObject({ check: expect.stringContaining('lower version') })
})

test('a test on PostgreSQL finds a patch', async () => {
  expect(await copy.hunt(named('reads-of-several-states'), 1)).toBeDefined()
})

test('nothing is found in the program without a patch', async () => {
  const patch = named('row-removed-on-send')
  expect(await copy.hunt({ ...patch, property: undefined, after: patch.before }, 2)).toBeUndefined()
})

test.each(serviceFaults)('$rule: the kit finds a service that $name', async (fault) => {
  const found = await services.hunt(fault)
  expect(found?.rules).toContain(fault.rule)
  expect(found?.detail).not.toMatch(/^\w*Error: /)
})

test('the kit finds nothing in a correct service behind the same proxy', async () => {
  expect(await services.failuresOf({})).toEqual([])
})

test.each(Object.keys(clientFaults))('the kit finds a client that %s', async (name) => {
  expect(await huntInClient(name, cache)).toBeDefined()
})
