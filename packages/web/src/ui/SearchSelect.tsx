import { Select, type SelectProps } from '@mantine/core'
import type { SyntheticEvent } from 'react'
import { useTranslation } from 'react-i18next'

/** Typing replaces the chosen option, and does not add to its name. */
const selectText = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) => currentTarget.select()

/**
 * A choice whose options are found by typing. The first match is highlighted, so that Enter takes it: otherwise it
 * would send the form with the old choice.
 */
export function SearchSelect(props: SelectProps) {
  const { t } = useTranslation()
  return (
    <Select
      searchable
      selectFirstOptionOnChange
      nothingFoundMessage={t('ui.nothingFound')}
      onFocus={selectText}
      onClick={selectText}
      {...props}
    />
  )
}
