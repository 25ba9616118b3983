import { Button } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useSaldo } from '../../../context/saldo.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { type Period, pathOf, rangeOf } from '../period.ts'
import { changedPrints, type PrintedSheets, printedSheets } from './printed-sheets.ts'
import { useSheetAccount } from './useSheetAccount.ts'

/** Names the months of a period that have changed after they were printed on this device (D13.6). */
export default function PrintMarks({ period }: { period: Period }) {
  const { user } = useSaldo()
  const { from, to } = rangeOf(period)
  const printed = useMemo(() => {
    const all = Object.entries(printedSheets(user))
    return Object.fromEntries(all.filter(([month]) => from <= month && month <= to)) as PrintedSheets
  }, [user, from, to])
  return Object.keys(printed).length > 0 && <Marks period={period} printed={printed} />
}

function Marks({ period, printed }: { period: Period; printed: PrintedSheets }) {
  const { t } = useTranslation()
  const format = useFormat()
  const loaded = useSheetAccount(rangeOf(period))
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
