import type { UserNumber } from '@saldo/core'

const nameOf = (user: UserNumber) => `saldo-team-${user}`

/** Says to the pages of a user in all tabs that an answer of the team has changed (D30.4). */
export function announceTeamChange(user: UserNumber): void {
  const channel = new BroadcastChannel(nameOf(user))
  channel.postMessage(null)
  channel.close()
}

/** Calls a function when an answer of the team has changed. Returns how to stop it. */
export function onTeamChange(user: UserNumber, listener: () => void): () => void {
  const channel = new BroadcastChannel(nameOf(user))
  channel.addEventListener('message', listener)
  return () => channel.close()
}
