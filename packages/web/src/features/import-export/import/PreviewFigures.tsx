import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { AlteredWeeks, BalanceChange } from '../../../domain/account/balance-change/AlteredWeeks.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { factsOf } from './import-model.ts'
import type { ShownPreview } from './import-work.ts'
import classes from './PreviewFigures.module.css'
import { RowNotes } from './RowNotes.tsx'

/** The projects that are named. */
const SHOWN_PROJECTS = 8

/** Shows the effect of an import. */
export function PreviewFigures({ preview }: { preview: ShownPreview }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { entries, settings, adjustments, first, last, days, projects, account_from } = preview
  const { worked_ms, overlapping_ms } = preview
  const { recordCount, countedMs, isBeforeAccount, closedCount } = factsOf(preview)
  const change = { beforeMs: preview.balanceBeforeMs, afterMs: preview.balanceAfterMs, weeks: [...preview.weeks] }
  return (
    <>
      {recordCount === 0 ? (
        <Text>{t('importExport.preview.nothing')}</Text>
      ) : (
        <dl className={classes.figures}>
          <Figure name={t('importExport.preview.entries')}>
            {t('importExport.preview.onDays', {
              count: days,
              entries: format.number(entries),
              days: format.number(days),
            })}
          </Figure>
          {settings + adjustments > 0 && (
            <Figure name={t('importExport.preview.others')}>
              {format.list([
                ...(settings > 0 ? [t('importExport.preview.settings', { count: settings })] : []),
                ...(adjustments > 0 ? [t('importExport.preview.adjustments', { count: adjustments })] : []),
              ])}
            </Figure>
          )}
          {first && last && (
            <Figure name={t('importExport.preview.range')}>{format.dateRange({ from: first, to: last })}</Figure>
          )}
          <Figure name={t('importExport.preview.worked')}>{format.duration(worked_ms)}</Figure>
          {countedMs !== worked_ms && (
            <Figure name={t('importExport.preview.covered')}>
              {format.duration(countedMs)}
              <Text size="sm" c="dimmed">
                {t('importExport.preview.coveredWhy')}
                {overlapping_ms > 0 &&
                  ` ${t('importExport.preview.overlapping', { hours: format.duration(overlapping_ms) })}`}
              </Text>
            </Figure>
          )}
          {projects.length > 0 && (
            <Figure name={t('importExport.preview.projects')}>
              {format.list(
                projects.length > SHOWN_PROJECTS
                  ? [
                      ...projects.slice(0, SHOWN_PROJECTS),
                      t('importExport.preview.moreProjects', { count: projects.length - SHOWN_PROJECTS }),
                    ]
                  : projects,
              )}
            </Figure>
          )}
          <Figure name={t('importExport.preview.balance')}>
            <BalanceChange preview={change} />
            {closedCount > 0 && (
              <Text size="sm" c="dimmed">
                {t('importExport.preview.closedWeeks', { count: closedCount })}
              </Text>
            )}
          </Figure>
        </dl>
      )}
      {isBeforeAccount && (
        <Notice>
          {account_from === null
            ? t('importExport.preview.noAccount')
            : t('importExport.preview.beforeAccount', { date: format.date(account_from, 'full') })}
        </Notice>
      )}
      <RowNotes
        title={t('importExport.preview.skipped')}
        rows={preview.skipped}
        texts={preview.texts}
        textOf={(reason) => t(`importExport.skipped.${reason}`)}
      />
      <RowNotes
        title={t('importExport.preview.odd')}
        rows={preview.oddities.map(({ row, oddity }) => ({ row, reason: oddity }))}
        texts={preview.texts}
        textOf={(oddity) => t(`importExport.odd.${oddity}`)}
      />
      <AlteredWeeks preview={change} />
    </>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
