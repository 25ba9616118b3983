import { Button } from '@mantine/core'
import type { RejectedChange } from '@saldo/client'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useSaldo } from '../../../context/saldo.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { EditLine } from '../EditLine.tsx'
import classes from '../SyncView.module.css'
import { RejectionReason } from './RejectionReason.tsx'

export function RejectedChangeItem({ rejected, onEdit }: { rejected: RejectedChange; onEdit: () => void }) {
  const { t } = useTranslation()
  const { rejectedChanges } = useSaldo()
  const { act, actUndoably } = useAct()
  const format = useFormat()
  const { change, rejectedAtMs } = rejected
  // Sent again it is rejected again, and so comes back to where it was.
  const discard = () =>
    actUndoably(rejectedChanges.discard(rejected), t('sync.refused.discarded'), () => rejectedChanges.retry(rejected))
  return (
    <li className={classes.item}>
      <div className={classes.head}>
        <EditLine edit={change} />
        <span className={classes.when}>{format.dateTime(rejectedAtMs)}</span>
      </div>
      <RejectionReason rejected={rejected} />
      <div className={classes.actions}>
        {change.content !== null && (
          <Button size="compact-md" onClick={onEdit}>
            {t('sync.refused.edit')}
          </Button>
        )}
        <Button size="compact-md" variant="default" onClick={() => void act(rejectedChanges.retry(rejected))}>
          {t('sync.refused.retry')}
        </Button>
        <Button size="compact-md" variant="subtle" c="var(--saldo-error-text)" onClick={() => void discard()}>
          {t('sync.refused.discard')}
        </Button>
      </div>
    </li>
  )
}
