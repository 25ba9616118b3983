import { Text } from '@mantine/core'
import { FIRST_DATE, LAST_DATE } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useToday } from '../../domain/account/TimelineProvider.tsx'
import { neighbourAddress, type ReportQuery, reportAddressOf, reportFields } from '../../domain/reports/report-query.ts'
import { presetOf } from '../../domain/reports/report-range.ts'
import { UnreadAddress } from '../../domain/UnreadAddress.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { PeriodHeader } from '../../ui/PeriodHeader.tsx'
import { ReportActions } from './ReportActions.tsx'
import { ReportFields } from './ReportFields.tsx'
import classes from './ReportsView.module.css'
import { ReportTable } from './ReportTable.tsx'
import { type ShownReport, useReport } from './useReport.ts'

/** Time by project, tag, day, week or month. The address is the report: a bookmark keeps it. */
export default function ReportsView() {
  const { t } = useTranslation()
  const shown = useReport()
  const { query, answered } = shown
  return (
    <div className={classes.view}>
      <Header shown={shown} />
      <UnreadAddress reads={reportFields} />
      <ReportFields shown={shown} />
      <FilterText query={query} />
      {answered &&
        (answered.report.lines.length === 0 ? (
          <Text c="dimmed">{t('reports.nothing')}</Text>
        ) : (
          <ReportTable key={reportAddressOf(answered.query)} answered={answered} />
        ))}
    </div>
  )
}

function Header({ shown: { query, range, answered } }: { shown: ShownReport }) {
  const { t } = useTranslation()
  const today = useToday()
  const rangeText = useRangeText()
  return (
    <PeriodHeader
      title={t('reports.title')}
      subtitle={presetOf(range, today) === 'all' ? t('reports.dates.all') : rangeText(range)}
      before={{ href: neighbourAddress(query, -1, today), label: t('reports.before') }}
      after={{ href: neighbourAddress(query, 1, today), label: t('reports.after') }}
      now={{
        href: reportAddressOf({ ...query, dates: 'this-month' }),
        label: t('reports.dates.this-month'),
        isShown: range.from <= today && today <= range.to,
      }}
      actions={answered && <ReportActions answered={answered} />}
    />
  )
}

/** The filters in words, for paper. */
function FilterText({ query: { kind, project, tag, words } }: { query: ReportQuery }) {
  const { t } = useTranslation()
  const texts = [
    kind === 'break' && t('entries.kind.break'),
    project !== '' && `${t('reports.group.project')}: ${project}`,
    tag !== '' && `${t('reports.group.tag')}: ${tag}`,
    words.trim() !== '' && `${t('reports.words')}: ${words.trim()}`,
  ].filter((text) => text !== false)
  return texts.length > 0 && <p className={classes.filters}>{texts.join(' · ')}</p>
}

/** Returns a function for the text of a range, of which either end can be open. */
function useRangeText(): (range: ShownReport['range']) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return ({ from, to }) => {
    if (to === LAST_DATE) return t('reports.since', { date: format.date(from, 'medium') })
    if (from === FIRST_DATE) return t('reports.until', { date: format.date(to, 'medium') })
    return format.dateRange({ from, to })
  }
}
