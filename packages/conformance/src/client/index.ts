import { runChecks, type Selection } from '../check.ts'
import type { Report } from '../report.ts'
import { Bench, type ClientTarget, ClientUnderTest } from './bench.ts'
import { digestChecks } from './digests.ts'
import { outboxChecks } from './outbox.ts'
import { pullingChecks } from './pulling.ts'

/** All checks of a client, in the order in which they run. */
export const clientChecks = [...outboxChecks, ...pullingChecks, ...digestChecks]

/**
 * Checks a client against the contract: plays a service with faults to a command that speaks for it (`docs/conformance.md`
 * tells how), each check with a new folder.
 */
export async function checkClient(target: ClientTarget, selection: Selection = {}): Promise<Report> {
  const client = new ClientUnderTest(target.command)
  const within = async (run: (bench: Bench) => Promise<void>) => {
    const bench = new Bench(target, client)
    try {
      await bench.begin()
      await run(bench)
    } finally {
      await bench.end()
    }
  }
  try {
    return { subject: target.command, results: await runChecks(clientChecks, within, selection), leftovers: [] }
  } finally {
    await client.kill()
  }
}
