import { Autocomplete, Select, Stack, Text } from '@mantine/core'
import type { Entry } from '@saldo/core'
import { entryLimits } from '@saldo/core'
import { type FormEvent, useMemo, useState } from 'react'
import { useFormat } from '../../context/FormatProvider.tsx'
import { ProjectInput } from '../../domain/entries/ProjectInput.tsx'
import type { Found } from '../../domain/entries/search.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormFooter } from '../../ui/FormFooter.tsx'
import { type Bulk, bulkChanges, namesFor } from './search-model.ts'

/** The suggestions leave the buttons below free. */
const suggestionsAbove = { position: 'top' } as const

interface Props {
  op: 'project' | 'addTag' | 'removeTag'
  records: readonly Entry[]
  all: readonly Found[]
  onRun(bulk: Bulk): void
  onClose(): void
}

/** Asks for the project or tag of a bulk action. */
export default function BulkDialog({ op, records, all, onRun, onClose }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [value, setValue] = useState('')
  const names = useMemo(() => {
    return namesFor(
      op,
      records,
      all.map(({ record }) => record),
    )
  }, [op, records, all])
  const isRemoval = op === 'project' && value.trim() === ''
  const count = bulkChanges(records, op === 'project' ? { op, project: value } : { op, tag: value }).length
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onRun(op === 'project' ? { op, project: value } : { op, tag: value })
  }
  const label = t(`search.bulk.${op}`)
  return (
    <Dialog title={label} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack>
          {op === 'removeTag' ? (
            <Select
              label={t('search.bulk.tag')}
              data-autofocus
              data={names}
              value={value === '' ? null : value}
              onChange={(tag) => setValue(tag ?? '')}
            />
          ) : op === 'project' ? (
            <ProjectInput
              label={t('search.bulk.projectName')}
              description={t('search.bulk.projectHelp')}
              data-autofocus
              projects={names}
              value={value}
              onChange={setValue}
            />
          ) : (
            <Autocomplete
              label={t('search.bulk.tag')}
              data-autofocus
              data={names}
              limit={50}
              comboboxProps={suggestionsAbove}
              maxLength={entryLimits.tagLength}
              value={value}
              onChange={setValue}
            />
          )}
          <Text size="sm" role="status">
            {t('search.bulk.changes', { count, number: format.number(count) })}
          </Text>
          <FormFooter
            action={t(isRemoval ? 'search.bulk.removeProject' : 'search.bulk.apply')}
            disabled={op !== 'project' && value.trim() === ''}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  )
}
