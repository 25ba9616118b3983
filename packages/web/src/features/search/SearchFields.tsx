import { Checkbox, TextInput } from '@mantine/core'
import { absenceKinds, timedEntryKinds } from '@saldo/core'
import { useKnownNames } from '../../domain/entries/known-names.ts'
import type { Query } from '../../domain/entries/search.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { DateInput } from '../../ui/DateInput.tsx'
import { FilterSelect } from '../../ui/FilterSelect.tsx'
import { IconSearch } from '../../ui/icons.ts'
import classes from './SearchView.module.css'
import type { Search } from './useSearch.ts'

/** The fields that limit which entries are found. */
export function SearchFields({ search: { query, ask } }: { search: Search }) {
  const { t } = useTranslation()
  const { projects, tags } = useKnownNames()
  const kinds = [...timedEntryKinds, ...absenceKinds].map((kind) => ({
    value: kind,
    label: t(`entries.kind.${kind}`),
  }))
  return (
    <search className={classes.fields}>
      <TextInput
        type="search"
        label={t('search.words')}
        className={classes.words}
        leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
        placeholder={t('search.wordsHelp')}
        autoComplete="off"
        value={query.words}
        onChange={(event) => ask({ words: event.currentTarget.value }, { replace: true })}
      />
      <DateInput
        label={t('search.from')}
        value={query.from}
        onChange={(from) => ask({ from })}
        onEmpty={() => ask({ from: '' })}
      />
      <DateInput
        label={t('search.to')}
        value={query.to}
        onChange={(to) => ask({ to })}
        onEmpty={() => ask({ to: '' })}
      />
      <FilterSelect
        label={t('search.kind')}
        data={kinds}
        value={query.kind}
        onChange={(kind) => ask({ kind: kind as Query['kind'] })}
      />
      <FilterSelect
        label={t('search.project')}
        data={projects}
        value={query.project}
        onChange={(project) => ask({ project })}
      />
      <FilterSelect label={t('search.tag')} data={tags} value={query.tag} onChange={(tag) => ask({ tag })} />
      <Checkbox
        className={classes.running ?? ''}
        label={t('search.running')}
        checked={query.isRunning}
        onChange={(event) => ask({ isRunning: event.currentTarget.checked })}
      />
    </search>
  )
}
