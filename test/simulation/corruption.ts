import { isWritableKind } from '@saldo/core'
import type { BaseRecord } from '../../packages/client/src/store/rows.ts'
import { at, contentOf, type Kind } from './contents.ts'
import type { Simulation } from './simulation.ts'
import type { Tab } from './tab.ts'

const hows = ['lost', 'altered', 'risen'] as const

/** One of the records that a device holds is lost, altered, or alive again after its deletion, without a trace. */
export async function corrupt(
  simulation: Simulation,
  { disk, user }: Tab,
  which: number,
  number: number,
): Promise<void> {
  const ledger = simulation.ledgerOf(user.id)
  const how = at(hows, number)
  const taken: BaseRecord[] = []
  await disk.corrupt(async (tables) => {
    const held = (await tables.baseRecords.all()).filter(({ unconfirmed }) => !unconfirmed)
    const isFit = ({ kind, record }: BaseRecord) => (how === 'risen' ? !record && isWritableKind(kind) : record)
    const row = at(held.filter(isFit), which)
    if (!row) return
    ledger.corruptions += 1
    if (how === 'lost') {
      taken.push(row)
      await tables.baseRecords.delete([`${row.kind} ${row.id}`])
    } else await tables.baseRecords.put([how === 'altered' ? altered(row, number) : risen(row, ledger.mark, number)])
    if (how === 'risen') ledger.risen.add(`${disk.name} ${row.kind} ${row.id}`)
  })
  for (const row of taken) ledger.takenByFault(row, await simulation.baseRecordsOf(user.id))
}

function altered(row: BaseRecord, number: number): BaseRecord {
  const names = Object.keys(row.record as object).filter((name) => !['id', 'note', 'reason'].includes(name))
  return { ...row, record: { ...row.record, [at(names, number) as string]: 'altered' } }
}

/** Its time and version are those of its deletion. */
function risen(row: BaseRecord, mark: string, number: number): BaseRecord {
  const { kind, id, version, updatedAt } = row
  const content = contentOf(kind as Kind, `${mark} ${kind} ${id} of ${version}`, number)
  return { ...row, record: { id, ...content, created_at: updatedAt, updated_at: updatedAt, version } }
}
