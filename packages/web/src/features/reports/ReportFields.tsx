import { Select, TextInput } from '@mantine/core'
import { FIRST_DATE, LAST_DATE, type ReportGroup, reportGroups } from '@saldo/core'
import { useToday } from '../../domain/account/TimelineProvider.tsx'
import { useKnownNames } from '../../domain/entries/known-names.ts'
import { datesOf } from '../../domain/reports/report-query.ts'
import { type RangePreset, rangePresets } from '../../domain/reports/report-range.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { DateInput } from '../../ui/DateInput.tsx'
import { FilterSelect } from '../../ui/FilterSelect.tsx'
import { IconSearch } from '../../ui/icons.ts'
import classes from './ReportsView.module.css'
import type { ShownReport } from './useReport.ts'

const OTHER = 'other'

/** The fields of the dates, the group and the filters of a report. */
export function ReportFields({ shown: { query, range, ask } }: { shown: ShownReport }) {
  const { t } = useTranslation()
  const today = useToday()
  const { projects, tags } = useKnownNames()
  const isPreset = typeof query.dates === 'string'
  const presets = rangePresets.map((preset) => ({ value: preset, label: t(`reports.dates.${preset}`) }))
  const choose = (chosen: string | null) => {
    if (chosen !== null && chosen !== OTHER) ask({ dates: chosen as RangePreset })
  }
  const askDates = (changed: Partial<typeof range>) => ask({ dates: datesOf({ ...range, ...changed }, today) })
  return (
    <search className={classes.fields}>
      <Select
        label={t('reports.dates.label')}
        data={isPreset ? presets : [...presets, { value: OTHER, label: t('reports.dates.other') }]}
        allowDeselect={false}
        value={isPreset ? (query.dates as RangePreset) : OTHER}
        onChange={choose}
      />
      <Select
        label={t('reports.group.label')}
        data={reportGroups.map((group) => ({ value: group, label: t(`reports.group.${group}`) }))}
        allowDeselect={false}
        value={query.group}
        onChange={(group) => ask({ group: group as ReportGroup })}
      />
      <DateInput
        label={t('reports.from')}
        max={range.to}
        value={range.from === FIRST_DATE ? '' : range.from}
        onChange={(from) => askDates({ from })}
        onEmpty={() => askDates({ from: FIRST_DATE })}
      />
      <DateInput
        label={t('reports.to')}
        min={range.from}
        value={range.to === LAST_DATE ? '' : range.to}
        onChange={(to) => askDates({ to })}
        onEmpty={() => askDates({ to: LAST_DATE })}
      />
      <FilterSelect
        label={t('reports.group.project')}
        data={projects}
        value={query.project}
        onChange={(project) => ask({ project })}
      />
      <FilterSelect label={t('reports.group.tag')} data={tags} value={query.tag} onChange={(tag) => ask({ tag })} />
      <Select
        label={t('reports.counted')}
        data={(['work', 'break'] as const).map((kind) => ({ value: kind, label: t(`entries.kind.${kind}`) }))}
        allowDeselect={false}
        value={query.kind === 'break' ? 'break' : 'work'}
        onChange={(kind) => ask({ kind: kind === 'break' ? kind : '' })}
      />
      <TextInput
        type="search"
        label={t('reports.words')}
        leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
        autoComplete="off"
        value={query.words}
        onChange={(event) => ask({ words: event.currentTarget.value }, { replace: true })}
      />
    </search>
  )
}
