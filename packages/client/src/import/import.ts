import { type IsoWeek, itemAt, type JsonObject, type LocalDate, type WritableKind } from '@saldo/core'
import type { Saldo } from '../api/saldo.ts'
import { RejectedError } from '../engine/errors.ts'
import type { ImportDraft } from './draft.ts'
import type { ImportFile } from './file.ts'

/** Changes that are queued in one transaction, between which an import can be cancelled and other tabs get a turn. */
const CHANGES_PER_STEP = 1_000

/** Watches and ends an import or its undo. */
export interface ImportOptions {
  /** Called after each step with the number of records that are queued. */
  onProgress?: (done: number, total: number) => void
  /** Cancels the import; what has been queued stays, and can be undone as a batch. */
  signal?: AbortSignal
}

/**
 * Queues the records of an import, settings first and entries in the order of time, so that a week is settled with one
 * push or two. Sync sends them; `Saldo.sync` waits for it. To continue an import that was cut off, import the file
 * again. Resolves to the number of records queued. Throws `StoreError`.
 */
export async function runImport(
  saldo: Saldo,
  drafts: readonly ImportDraft[],
  { onProgress, signal }: ImportOptions = {},
): Promise<number> {
  const timeOf = ({ content }: { content: JsonObject }) => String(content.started_at ?? content.date ?? '')
  const inOrder = (['settings_history', 'entries', 'balance_adjustments'] as const).flatMap((kind) =>
    drafts.filter((draft) => draft.kind === kind).toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1)),
  )
  let done = 0
  while (done < inOrder.length && !signal?.aborted) {
    const { kind } = itemAt(inOrder, done)
    const step = inOrder.slice(done, done + CHANGES_PER_STEP)
    const ofKind = step.filter((draft) => draft.kind === kind)
    await queueAll(saldo, kind, ofKind)
    done += ofKind.length
    onProgress?.(done, inOrder.length)
  }
  return done
}

/** Deletes the entries of a batch, at any time. Resolves to their number. Throws `StoreError`. */
export async function undoImport(
  saldo: Saldo,
  batch: string,
  { onProgress, signal }: ImportOptions = {},
): Promise<number> {
  const rows = await saldo.entries.all().read()
  const ids = rows.filter(({ record }) => record.source === batch).map(({ record }) => record.id)
  let done = 0
  while (done < ids.length && !signal?.aborted) {
    const step = ids.slice(done, done + CHANGES_PER_STEP)
    await saldo.entries.queueAll(step.map((id) => ({ id, content: null })))
    done += step.length
    onProgress?.(done, ids.length)
  }
  return done
}

/**
 * Closes the weeks and days that were closed in an export of Saldo, once the service has its records. Resolves to those
 * that could not be closed, such as weeks before the account begins. Throws `OfflineError` and `NotSignedInError`.
 */
export async function closeExported(
  saldo: Saldo,
  file: Pick<Extract<ImportFile, { format: 'saldo' }>, 'closedWeeks' | 'closedDays'>,
): Promise<{ weeks: IsoWeek[]; days: LocalDate[] }> {
  const failed: { weeks: IsoWeek[]; days: LocalDate[] } = { weeks: [], days: [] }
  const attempt = async (close: () => Promise<void>, onRejected: () => void) => {
    try {
      await close()
    } catch (error) {
      if (!(error instanceof RejectedError)) throw error
      onRejected()
    }
  }
  for (const week of file.closedWeeks as IsoWeek[]) {
    await attempt(
      () => saldo.weeks.close(week),
      () => failed.weeks.push(week),
    )
  }
  for (const date of file.closedDays as LocalDate[]) {
    await attempt(
      () => saldo.days.close(date),
      () => failed.days.push(date),
    )
  }
  return failed
}

function queueAll(saldo: Saldo, kind: WritableKind, drafts: readonly ImportDraft[]): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- content of any kind, checked
  const changes = drafts.map(({ id, content }) => ({ id, content }))
  if (kind === 'entries') return saldo.entries.queueAll(changes)
  return kind === 'settings_history' ? saldo.settings.queueAll(changes) : saldo.balanceAdjustments.queueAll(changes)
}
