import { Button, Title } from '@mantine/core'
import type { LedgerLine } from '@saldo/client/account'
import type { Adjustment } from '@saldo/core'
import { useId, useState } from 'react'
import { useTranslation } from '../../i18n/translation.ts'
import tables from '../../ui/table.module.css'
import { AdjustmentRow, WeekRow } from './LedgerRows.tsx'
import classes from './LedgerTable.module.css'

const PAGE_SIZE = 60

interface Props {
  title: string
  help: string | undefined
  lines: readonly LedgerLine[]
  onEdit: (record: Adjustment) => void
}

/** Lists weeks and adjustments with the balance after each. */
export function LedgerTable({ title, help, lines, onEdit }: Props) {
  const { t } = useTranslation()
  const titleId = useId()
  const [shown, setShown] = useState(PAGE_SIZE)
  return (
    <section className={classes.ledger} aria-labelledby={titleId}>
      <Title order={2} id={titleId}>
        {title}
      </Title>
      {help && <p className={classes.note}>{help}</p>}
      {lines.length > 0 && (
        <table className={`${tables.figures} ${classes.table}`} aria-labelledby={titleId}>
          <thead>
            <tr>
              <th scope="col">{t('account.ledger.what')}</th>
              <th scope="col">{t('account.ledger.delta')}</th>
              <th scope="col">{t('account.ledger.balance')}</th>
            </tr>
          </thead>
          <tbody>
            {lines
              .slice(0, shown)
              .map((line) =>
                line.kind === 'week' ? (
                  <WeekRow key={line.week} line={line} />
                ) : (
                  <AdjustmentRow key={line.record.id} line={line} onEdit={() => onEdit(line.record)} />
                ),
              )}
          </tbody>
        </table>
      )}
      {lines.length > shown && (
        <Button className={classes.more ?? ''} variant="default" onClick={() => setShown(shown + PAGE_SIZE)}>
          {t('account.ledger.more')}
        </Button>
      )}
    </section>
  )
}
