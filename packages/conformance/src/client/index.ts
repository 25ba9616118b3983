import { runChecks, type Selection } from '../check.ts'
import type { CheckReport } from '../report.ts'
import { digestChecks } from './digest.ts'
import { type ClientTarget, ClientUnderTest, Harness } from './harness.ts'
import { outboxChecks } from './outbox.ts'
import { pullChecks } from './pull.ts'

/** The checks of clients, in the order in which they run. */
export const clientChecks = [...outboxChecks, ...pullChecks, ...digestChecks]

/**
 * Checks a client against the protocol. It is started by a command (`docs/conformance.md` describes it) and syncs with
 * a scripted service that has faults. Each check gets a new folder.
 */
export async function checkClient(target: ClientTarget, selection: Selection = {}): Promise<CheckReport> {
  const client = new ClientUnderTest(target.command)
  const within = async (run: (harness: Harness) => Promise<void>) => {
    const harness = new Harness(target, client)
    try {
      await harness.start()
      await run(harness)
    } finally {
      await harness.stop()
    }
  }
  try {
    return { subject: target.command, results: await runChecks(clientChecks, within, selection), leftovers: [] }
  } finally {
    await client.kill()
  }
}
