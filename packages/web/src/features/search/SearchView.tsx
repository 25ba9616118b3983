import { Anchor, Text } from '@mantine/core'
import { FIRST_DATE, LAST_DATE } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useToday } from '../../domain/account/useToday.ts'
import type { Query } from '../../domain/entries/search.ts'
import { addressOf, datesOf } from '../../domain/reports/report-query.ts'
import { ViewHeader } from '../../ui/ViewHeader.tsx'
import { BulkBar } from './BulkBar.tsx'
import { FoundList } from './FoundList.tsx'
import { SearchFields } from './SearchFields.tsx'
import classes from './SearchView.module.css'
import { SelectBox } from './SelectBox.tsx'
import { type Search, useSearch } from './useSearch.ts'

/** A list of entries that are edited many at a time. The address has the filters: a bookmark keeps them. */
export default function SearchView() {
  const { t } = useTranslation()
  const found = useSearch()
  return (
    <div className={classes.view}>
      <ViewHeader title={t('search.title')} />
      <SearchFields search={found} />
      {found.found && <Results search={found} found={found.found} />}
    </div>
  )
}

function Results({
  search: { query, isComplete, timeMs, selected, select, selectOne, isSelected },
  found,
}: {
  search: Search
  found: Search['selected']
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const ids = (rows: Search['selected']) => rows.map(({ record }) => record.id)
  if (found.length === 0) return isComplete && <Text c="dimmed">{t('search.nothing')}</Text>
  return (
    <div>
      <div className={classes.head}>
        <SelectBox
          label={t('search.selectAll')}
          isOn={selected.length === found.length}
          isDisabled={!isComplete}
          isMixed={selected.length > 0 && selected.length < found.length}
          onChange={(event) => select(ids(found), event.currentTarget.checked)}
        />
        <Text role="status" c="dimmed">
          {isComplete &&
            `${t('search.found', { count: found.length, number: format.number(found.length) })} · ${t(query.kind === 'break' ? 'search.breaks' : 'search.worked', { time: format.duration(timeMs) })}`}
        </Text>
        <ReportLink query={query} />
      </div>
      <FoundList
        key={JSON.stringify(query)}
        label={t('search.entries')}
        found={found}
        isSelected={isSelected}
        onSelect={selectOne}
      />
      {selected.length > 0 && (
        <BulkBar
          records={selected.map(({ record }) => record)}
          all={found}
          onClear={() => select(ids(selected), false)}
        />
      )}
    </div>
  )
}

/** Leads to the report of the same time. Running entries and absences have none. */
function ReportLink({ query: { from, to, isRunning, ...filter } }: { query: Query }) {
  const { t } = useTranslation()
  const today = useToday()
  const hasTime = filter.kind === '' || filter.kind === 'work' || filter.kind === 'break'
  if (isRunning || !hasTime) return null
  const range = { from: from === '' ? FIRST_DATE : from, to: to === '' ? LAST_DATE : to }
  return (
    <Anchor
      component={Link}
      className={classes.report ?? ''}
      href={addressOf({ ...filter, dates: datesOf(range, today) })}
    >
      {t('search.report')}
    </Anchor>
  )
}
