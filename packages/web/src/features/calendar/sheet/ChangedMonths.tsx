import { Button } from '@mantine/core'
import type { DateRange } from '@saldo/core'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { IconPrinter } from '../../../ui/icons.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { pathOf } from '../period.ts'
import { changedPrints, type PrintedSheets } from './sheet-model.ts'
import { useSheetAccount } from './useSheetAccount.ts'

/** Names the printed months of a range that have changed. */
export default function ChangedMonths({ range, printed }: { range: DateRange; printed: PrintedSheets }) {
  const { t } = useTranslation()
  const format = useFormat()
  const loaded = useSheetAccount(range)
  const changed = useMemo(() => (loaded ? changedPrints(loaded.account, printed) : {}), [loaded, printed])
  return Object.entries(changed).map(([month, { printedAtMs, request }]) => (
    <Notice
      key={month}
      actions={
        <Button
          component={Link}
          href={`${pathOf({ year: Number(month.slice(0, 4)), month: Number(month.slice(5, 7)) })}/sheet`}
          variant="default"
          size="compact-sm"
          leftSection={<IconPrinter size={16} aria-hidden />}
        >
          {t('calendar.sheet.again')}
        </Button>
      }
    >
      {t('calendar.sheet.changed', {
        month: format.date(request.range.from, 'month'),
        when: format.dateTime(printedAtMs),
      })}
    </Notice>
  ))
}
