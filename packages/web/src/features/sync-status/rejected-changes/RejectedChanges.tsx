import { Button, Text, Title } from '@mantine/core'
import type { RejectedChange } from '@saldo/client'
import { useEntries, useLive, useSaldo } from '@saldo/client/react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTimeline, useToday } from '../../../domain/account/TimelineProvider.tsx'
import { requestOfChange, requestOfCorrection } from '../../../domain/team/requests.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { ChangeLine } from '../ChangeLine.tsx'
import classes from '../SyncView.module.css'
import { remedyOf } from '../sync-status-model.ts'
import { RejectionReason } from './RejectionReason.tsx'

const EditRejectedChange = lazy(() => import('./EditRejectedChange.tsx'))

/** Lists the changes that the service rejected, with the reason and what the user can do. */
export function RejectedChanges() {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const rejectedChanges = useLive(useMemo(() => saldo.rejectedChanges.list(), [saldo]))
  const [edited, setEdited] = useState<RejectedChange>()
  if (!rejectedChanges || rejectedChanges.length === 0) return null
  return (
    <section className={classes.section} aria-labelledby="sync-rejected">
      <Title order={2} id="sync-rejected">
        {t('sync.rejected.title')}
      </Title>
      <Text c="dimmed">{t('sync.rejected.lead')}</Text>
      <ul className={classes.list}>
        {rejectedChanges.map((rejected) => (
          <RejectedItem
            key={`${rejected.change.kind} ${rejected.change.id} ${rejected.change.updatedAt}`}
            rejected={rejected}
            onEdit={() => setEdited(rejected)}
          />
        ))}
      </ul>
      {edited && (
        <Suspense>
          <EditRejectedChange rejected={edited} onClose={() => setEdited(undefined)} />
        </Suspense>
      )}
    </section>
  )
}

function RejectedItem({ rejected, onEdit }: { rejected: RejectedChange; onEdit: () => void }) {
  const { t } = useTranslation()
  const { rejectedChanges } = useSaldo()
  const { act, actWithUndo } = useAct()
  const format = useFormat()
  const { change, rejectedAtMs } = rejected
  // Undo sends the change again: the service rejects it again, so that it comes back to this list.
  const discard = () =>
    actWithUndo(
      { make: () => rejectedChanges.discard(rejected), takeBack: () => rejectedChanges.retry(rejected) },
      t('sync.rejected.discarded'),
    )
  const remedy = remedyOf(rejected)
  return (
    <li className={classes.item}>
      <div className={classes.head}>
        <ChangeLine change={change} />
        <span className={classes.when}>{format.dateTime(rejectedAtMs)}</span>
      </div>
      <RejectionReason rejected={rejected} />
      <div className={classes.actions}>
        {remedy === 'ask' && <AskForChange rejected={rejected} />}
        {remedy === 'correct' && (
          <Button size="compact-md" onClick={onEdit}>
            {t('sync.rejected.edit')}
          </Button>
        )}
        <Button size="compact-md" variant="default" onClick={() => void act(rejectedChanges.retry(rejected))}>
          {t('sync.rejected.retry')}
        </Button>
        <Button size="compact-md" variant="subtle" c="var(--saldo-error-text)" onClick={() => void discard()}>
          {t('sync.rejected.discard')}
        </Button>
      </div>
    </li>
  )
}

/** Makes a request that holds a rejected change whole, which then leaves the list (D27.10). */
function AskForChange({ rejected }: { rejected: RejectedChange }) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const { act } = useAct()
  const today = useToday()
  const { timeline } = useTimeline()
  const entries = useEntries()
  const { change, problem } = rejected
  const isForApproval = problem.code === 'approval_needed'
  const ask = async () => {
    const before = entries?.find(({ record }) => record.id === change.id)?.record
    const content = isForApproval
      ? requestOfChange(change, before, today)
      : requestOfCorrection([{ change, before }], timeline, today)
    const { queued } = saldo.entries.create(content)
    if (await act(queued)) await act(saldo.rejectedChanges.discard(rejected))
  }
  return (
    <Button size="compact-md" disabled={!entries} onClick={() => void ask()}>
      {t(isForApproval ? 'sync.rejected.ask' : 'sync.rejected.askCorrection')}
    </Button>
  )
}
