import { isJsonObject, type ProposalRow, type RequestToDecide } from '@saldo/core'

/** Answered proposals that are shown besides those that wait. */
const SHOWN_ANSWERED = 5

/** Returns the proposals to show: all that wait, then the latest of the others. */
export function shownProposals(proposals: readonly ProposalRow[]): ProposalRow[] {
  const [waiting, others] = [true, false].map((isWaiting) =>
    proposals.filter(({ state }) => (state === 'waiting') === isWaiting),
  )
  return [...(waiting ?? []), ...(others ?? []).slice(0, SHOWN_ANSWERED)]
}

/** Returns the record of each change as it is now; null for none. */
export function presentOf(changes: readonly unknown[], records: readonly { id: string }[]): RequestToDecide['present'] {
  const recordsById = new Map(records.map((record) => [record.id, record]))
  return changes.map((change) => {
    const { id, record } = isJsonObject(change) ? change : {}
    const found = recordsById.get(String(isJsonObject(record) ? record.id : id))
    return found ? { ...found } : null
  })
}
