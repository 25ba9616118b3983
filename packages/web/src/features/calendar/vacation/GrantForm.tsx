import { Stack, Text, TextInput } from '@mantine/core'
import type { GrantRecord } from '@saldo/client/entries'
import { MAX_VACATION_DAYS, parseContent } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useEntryVerbs } from '../../../domain/entries/useEntryVerbs.ts'
import { DateInput } from '../../../ui/DateInput.tsx'
import { DecimalInput } from '../../../ui/DecimalInput.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import { useDraft } from '../../../ui/useDraft.ts'
import { draftOfGrant, grantContent } from './vacation-grant.ts'

interface Props {
  /** Without one, a new grant is made. */
  edited: GrantRecord | undefined
  year: number
  onDone: () => void
}

/** Adds vacation days or takes them off: days brought along, extra days, corrections. */
export function GrantForm({ edited, year, onDone }: Props) {
  const { t } = useTranslation()
  const { make, remove } = useEntryVerbs()
  const [draft, change] = useDraft(() => draftOfGrant(edited, year))
  const content = grantContent(draft)
  const isValid = parseContent('entries', content).ok
  const save = () => {
    onDone()
    void make(
      [edited ? { op: 'update', record: edited, patch: draft } : { op: 'create', content }],
      t(edited ? 'entries.changed' : 'calendar.vacation.grant.saved', { count: draft.days }),
    )
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isValid) save()
      }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t('calendar.vacation.grant.help')}
        </Text>
        <DecimalInput
          label={t('calendar.vacation.grant.days')}
          data-autofocus
          required
          min={-MAX_VACATION_DAYS}
          max={MAX_VACATION_DAYS}
          decimalScale={2}
          value={draft.days === 0 ? '' : draft.days}
          onChange={(days) => change({ days: Number(days) })}
        />
        <DateInput
          label={t('calendar.vacation.grant.date')}
          required
          value={draft.date}
          onChange={(date) => date !== '' && change({ date })}
        />
        <TextInput
          label={t('calendar.absence.note')}
          maxLength={5_000}
          value={draft.note}
          onChange={({ currentTarget: { value } }) => change({ note: value })}
        />
        <FormFooter
          disabled={!isValid}
          {...(edited && {
            onDelete: () => {
              onDone()
              void remove(edited)
            },
          })}
          onCancel={onDone}
        />
      </Stack>
    </form>
  )
}
