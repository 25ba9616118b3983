import { Button } from '@mantine/core'
import type { Conflict } from '@saldo/client'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useSaldo } from '../../../context/saldo.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { compare } from '../facts.ts'
import classes from '../SyncView.module.css'
import { useFacts } from '../useFacts.ts'
import { restoreTheirs } from './restore-theirs.ts'
import { Sides } from './Sides.tsx'

export function ConflictItem({ conflict, onDismiss }: { conflict: Conflict; onDismiss: () => void }) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const { actUndoably } = useAct()
  const format = useFormat()
  const facts = useFacts()
  const { mine, theirs, detectedAtMs } = conflict
  const rows = compare(facts(mine.kind, mine.content), facts(mine.kind, theirs.record))
  const takeBack = () =>
    actUndoably(saldo.conflicts.restoreMine(conflict), t('sync.overridden.taken'), () => restoreTheirs(saldo, conflict))
  return (
    <li className={classes.item}>
      <div className={classes.head}>
        <span className={classes.what}>
          <span className={classes.name}>{t(`sync.changeOf.${mine.kind}`)}</span>
        </span>
        <span className={classes.when}>{format.dateTime(detectedAtMs)}</span>
      </div>
      <Sides rows={rows} isMineDeleted={mine.content === null} isTheirsDeleted={theirs.record === null} />
      <div className={classes.actions}>
        <Button size="compact-md" onClick={() => void takeBack()}>
          {t('sync.overridden.takeBack')}
        </Button>
        <Button size="compact-md" variant="default" onClick={onDismiss}>
          {t('sync.overridden.dismiss')}
        </Button>
      </div>
    </li>
  )
}
