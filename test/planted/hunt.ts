import { join } from 'node:path'
import { checkClient, checkService, type Result } from '@saldo/conformance'
import { systemClock, systemRandom } from '@saldo/server'
import { startTestService, type TestService } from '../../packages/server/test/harness.ts'
import { teamSessions } from '../conformance/team-sessions.ts'
import { clientFaults } from './client-faults.ts'
import { type Alteration, startAltered } from './proxy.ts'
import type { ServiceFault } from './service-faults.ts'

/** A service of its own with its jobs, for faults between it and the kit. */
export async function openServiceHunt() {
  const service = await startTestService()
  const jobs = setInterval(() => void service.service.runDueJobs(), 20)

  /** Returns the checks that an altered service fails: of one rule up to the first, or of all. */
  async function failuresOf(alteration: Alteration, rule?: string): Promise<Result[]> {
    // The clock goes on with each hunt, until no session of before is valid.
    const isOfTeam = rule === undefined || TEAM_RULE.test(rule)
    return isOfTeam ? failuresWithTeam(alteration, rule) : failuresAt(service, alteration, { rule })
  }

  return {
    failuresOf,
    /** Returns the check that finds a fault, which is one of the rule that it breaks. */
    async hunt({ rule, make }: ServiceFault): Promise<Result | undefined> {
      return (await failuresOf(make(), rule)).find(({ rules }) => rules.includes(rule))
    },
    async close(): Promise<void> {
      clearInterval(jobs)
      await service.close()
    },
  }
}

/** The rules whose checks need people of a company. */
const TEAM_RULE = /^D2[4-6]\./

/** Does the same at a service of its own with a company. */
async function failuresWithTeam(alteration: Alteration, rule: string | undefined): Promise<Result[]> {
  const service = await startTestService()
  const jobs = setInterval(() => void service.service.runDueJobs(), 20)
  try {
    return await failuresAt(service, alteration, { rule, team: await teamSessions(service) })
  } finally {
    clearInterval(jobs)
    await service.close()
  }
}

async function failuresAt(
  service: TestService,
  alteration: Alteration,
  { rule, team }: { rule: string | undefined; team?: Awaited<ReturnType<typeof teamSessions>> },
): Promise<Result[]> {
  const [{ token }, { token: otherToken }] = [await service.user(), await service.user()]
  const altered = await startAltered(service.url, alteration)
  const advanceClock = async (ms: number) => service.clock.advance(ms)
  const target = { url: altered.url, token, otherToken, team, advanceClock, random: systemRandom }
  try {
    const { results } = await checkService(target, rule === undefined ? {} : { only: rule, bail: true })
    return results.filter(({ outcome }) => outcome === 'failed')
  } finally {
    await altered.close()
  }
}

/** The words of the command that makes the client of this repository a client under test. */
const clientCommand = [process.execPath, join(import.meta.dirname, '../conformance/client-command.ts')]

/** Returns the results of client checks, all or those that `only` selects, for the client of this repository. */
export async function checkOurClient({ cache, fault, only }: { cache: string; fault?: string; only?: string }) {
  const words = fault === undefined ? clientCommand : [...clientCommand, fault]
  const command = `NODE_COMPILE_CACHE=${JSON.stringify(cache)} ${words.map((word) => JSON.stringify(word)).join(' ')}`
  const { results } = await checkClient({ command, random: systemRandom, now: () => systemClock.now() }, { only })
  return results
}

/** Returns the check that finds a planted fault of the client. */
export async function huntInClient(name: string, cache: string): Promise<Result | undefined> {
  const { rule, check } = clientFaults[name] as (typeof clientFaults)[string]
  const results = await checkOurClient({ cache, fault: name, only: check })
  return results.find(({ outcome, rules }) => outcome === 'failed' && rules.includes(rule))
}
