import type { Computer } from './computer.ts'
import type { User } from './service.ts'
import type { Simulation } from './simulation.ts'
import type { Tab } from './tab.ts'

/**
 * Throws where a device rests though it has something to send that nobody is sending, or gave up following a service
 * that was never restored.
 */
export async function requireUnstuck(simulation: Simulation): Promise<void> {
  // Without locks, a closed tab goes unnoticed; the next sync sends its in-flight changes.
  if (simulation.setup.lockless) return
  for (const computer of simulation.computers) {
    for (const user of computer.users) await requireItsUnstuck(simulation, computer, user)
  }
}

async function requireItsUnstuck(simulation: Simulation, computer: Computer, user: User): Promise<void> {
  const tabs = computer.tabs.filter((tab) => tab.user === user && !tab.page.isGone)
  const leader = tabs.find(({ leads }) => leads)
  if (leader?.device.activity().lastError?.code === 'coldStartsFailed' && simulation.ledgerOf(user.id).restores === 0) {
    throw new Error(`stuck: ${computer.name} cannot follow the service`)
  }
  // Some message is still in flight.
  if (!leader || computer.browser.underWay > 0 || tabs.some(({ page }) => !page.isRunning)) return
  if (leader.isClosing || leader.device.activity().phase !== 'idle') return
  const isSending = ({ tabs, page }: Tab, sender: string) =>
    tabs.self === sender && simulation.network.isAwaitedBy(page)
  const outbox = await computer.diskOf(user).peek((tables) => tables.outbox.all())
  for (const { kind, id, sender } of outbox) {
    if (sender !== null && tabs.some((tab) => isSending(tab, sender))) continue
    throw new Error(`stuck: ${computer.name} is idle, and nobody sends ${kind} ${id}`)
  }
}
