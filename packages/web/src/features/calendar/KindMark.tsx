import type { AbsenceRecord } from '@saldo/client/entries'
import { useTranslation } from '../../i18n/translation.ts'
import classes from './KindMark.module.css'

/** The letter of a kind of absence. Its name stands beside it. */
export function KindMark({ kind }: { kind: AbsenceRecord['kind'] }) {
  const { t } = useTranslation()
  return (
    <span className={classes.mark} data-kind={kind} aria-hidden>
      {t(`calendar.letter.${kind}`)}
    </span>
  )
}
