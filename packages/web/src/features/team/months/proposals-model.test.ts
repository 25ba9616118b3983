import type { ProposalRow } from '@saldo/core'
import { expect, test } from 'vitest'
import { presentOf, shownProposals } from './proposals-model.ts'

test('[D28.1] proposals that wait are first, then the latest of those that were answered', () => {
  const states = ['accepted', 'waiting', 'applied', 'declined', 'accepted', 'accepted', 'accepted', 'waiting'] as const
  const proposals = states.map((state, index) => ({ id: String(index), state }) as ProposalRow)
  expect(shownProposals(proposals).map(({ id }) => id)).toEqual(['1', '7', '0', '2', '3', '4', '5'])
})

test('[D28.1] each proposed change is beside its record as it is now', () => {
  const records = [{ id: 'a', kind: 'work' }, { id: 'b' }]
  const changes = [{ op: 'upsert', record: { id: 'a' } }, { op: 'delete', id: 'b' }, { op: 'delete', id: 'c' }, null]
  expect(presentOf(changes, records)).toEqual([{ id: 'a', kind: 'work' }, { id: 'b' }, null, null])
})
