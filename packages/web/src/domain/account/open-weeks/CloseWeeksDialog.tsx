import { Anchor, ScrollArea, Select, Stack, Text } from '@mantine/core'
import { useEntries, useSaldo } from '@saldo/client/react'
import { entriesByDate, FIRST_DATE, type IsoWeek, mondayOf, weekOf } from '@saldo/core'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import tables from '../../../ui/table.module.css'
import { useTimeline } from '../TimelineProvider.tsx'
import { daysToCheck, type OpenWeek, undoableClosingOfWeeks, weeksUntil } from './open-weeks-model.ts'

/**
 * Returns a function that closes weeks one after another, which can be undone as one. The service does it, so the
 * message comes at the end.
 */
function useCloseWeeks() {
  const { t } = useTranslation()
  const { weeks } = useSaldo()
  const { actWithUndo } = useAct()

  /** Resolves to true if all weeks are closed. */
  return (wanted: readonly IsoWeek[]): Promise<boolean> => {
    return actWithUndo(undoableClosingOfWeeks(weeks, wanted), t('openWeeks.closed', { count: wanted.length }))
  }
}

interface Props {
  openWeeks: readonly OpenWeek[]
  onClose: () => void
}

/** Closes all finished weeks up to a chosen one. */
export default function CloseWeeksDialog({ openWeeks, onClose }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const closeWeeks = useCloseWeeks()
  const [until, setUntil] = useState<IsoWeek | undefined>(openWeeks.at(-1)?.week)
  const wanted = weeksUntil(openWeeks, until)
  const { timeline } = useTimeline()
  const from = mondayOf(openWeeks[0]?.week ?? weekOf(FIRST_DATE))
  const to = openWeeks.at(-1)?.lastDate ?? FIRST_DATE
  const rows = useEntries({ from, to })
  const entriesOn = useMemo(() => {
    const records = (rows ?? []).map(({ record }) => record)
    return entriesByDate(records, timeline, { from, to })
  }, [rows, timeline, from, to])
  const submit = async () => {
    if (await closeWeeks(wanted.map(({ week }) => week))) onClose()
  }
  return (
    <Dialog title={t('openWeeks.title')} onClose={onClose}>
      <Stack>
        <Text>{t('openWeeks.lead')}</Text>
        <Select
          label={t('openWeeks.until')}
          allowDeselect={false}
          data={openWeeks.toReversed().map(({ week, lastDate }) => ({
            value: week,
            label: format.date(lastDate, 'full'),
          }))}
          value={until ?? null}
          onChange={(week) => setUntil(week ?? undefined)}
        />
        <ScrollArea.Autosize mah="min(28rem, 45vh)" viewportProps={{ tabIndex: 0 }}>
          <table className={tables.figures}>
            <caption className="visually-hidden">{t('openWeeks.title')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('openWeeks.week')}</th>
                <th scope="col">{t('openWeeks.delta')}</th>
              </tr>
            </thead>
            <tbody>
              {wanted.map(({ week, lastDate, deltaMs }) => (
                <tr key={week}>
                  <th scope="row">
                    <Anchor
                      component={Link}
                      underline="hover"
                      c="inherit"
                      inherit
                      href={`/week/${week}`}
                      onClick={onClose}
                    >
                      {format.dateRange({ from: mondayOf(week), to: lastDate })}
                    </Anchor>
                    <DaysToCheck count={rows ? daysToCheck({ week }, entriesOn, timeline) : 0} />
                  </th>
                  <td>{format.delta(deltaMs)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea.Autosize>
        <FormFooter
          action={t('openWeeks.close', { count: wanted.length })}
          disabled={wanted.length === 0}
          onAction={submit}
          onCancel={onClose}
        />
      </Stack>
    </Dialog>
  )
}

/** Says below a week how many of its days should be checked first. */
function DaysToCheck({ count }: { count: number }) {
  const { t } = useTranslation()
  if (count === 0) return null
  return (
    <Text size="xs" c="var(--saldo-warn-text)">
      {t('openWeeks.check', { count })}
    </Text>
  )
}
