import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useToday } from '../../domain/account/TimelineProvider.tsx'
import type { Query } from '../../domain/entries/search.ts'
import { UnreadAddress } from '../../domain/UnreadAddress.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { ViewHeader } from '../../ui/ViewHeader.tsx'
import { BulkBar } from './BulkBar.tsx'
import { FoundList } from './FoundList.tsx'
import { SearchFields } from './SearchFields.tsx'
import classes from './SearchView.module.css'
import { SelectBox } from './SelectBox.tsx'
import { hasTime, reportAddress, searchFields } from './search-model.ts'
import { type Search, useSearch } from './useSearch.ts'

/** A list of entries that are edited many at a time. The address has the filters: a bookmark keeps them. */
export default function SearchView() {
  const { t } = useTranslation()
  const found = useSearch()
  return (
    <div className={classes.view}>
      <ViewHeader title={t('search.title')} />
      <UnreadAddress reads={searchFields} />
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
          {isComplete && t('search.found', { count: found.length, number: format.number(found.length) })}
          {isComplete &&
            hasTime(query) &&
            ` · ${t(query.kind === 'break' ? 'search.breaks' : 'search.worked', { time: format.duration(timeMs) })}`}
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

/** Leads to the report of the same time. */
function ReportLink({ query }: { query: Query }) {
  const { t } = useTranslation()
  const address = reportAddress(query, useToday())
  if (address === undefined) return null
  return (
    <Anchor component={Link} className={classes.report ?? ''} href={address}>
      {t('search.report')}
    </Anchor>
  )
}
