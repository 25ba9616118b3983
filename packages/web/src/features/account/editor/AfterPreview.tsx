import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import classes from './AfterPreview.module.css'
import type { AdjustmentDraft, BalanceAfter } from './adjustment-draft.ts'

/** The balance without and with the adjustment. */
export function AfterPreview({
  draft,
  after: { isAhead, beforeMs, afterMs },
}: {
  draft: AdjustmentDraft
  after: BalanceAfter
}) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <output className={classes.preview}>
      <span className={classes.label}>
        {isAhead ? t('account.editor.afterOn', { date: format.date(draft.date, 'medium') }) : t('account.editor.after')}
      </span>
      <span>
        <span className="visually-hidden">
          {t('account.editor.fromTo', { from: format.delta(beforeMs), to: format.delta(afterMs) })}
        </span>
        <span aria-hidden>
          {format.delta(beforeMs)} → <strong className={classes.figure}>{format.delta(afterMs)}</strong>
        </span>
      </span>
    </output>
  )
}
