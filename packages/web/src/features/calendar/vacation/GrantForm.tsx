import { Stack, Text, TextInput } from '@mantine/core'
import { entryLimits, MAX_VACATION_DAYS, parseContent } from '@saldo/core'
import { useEntryActions } from '../../../domain/entries/useEntryActions.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { DateInput } from '../../../ui/DateInput.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import { DecimalInput } from '../../../ui/NumberInputs.tsx'
import { closeAndSave, type OnDone } from '../../../ui/useEditor.ts'
import { useForm } from '../../../ui/useForm.ts'
import { changeOfGrant, type EditedGrant, grantContent, grantFormOf } from './vacation-model.ts'

interface Props {
  edited: EditedGrant
  year: number
  onDone: OnDone<EditedGrant>
}

/** Adds vacation days or takes them off: days brought along, extra days, corrections. */
export function GrantForm({ edited, year, onDone }: Props) {
  const { t } = useTranslation()
  const { make, remove } = useEntryActions()
  const [form, change] = useForm(() => grantFormOf(edited, year))
  const { record } = edited
  const isValid = parseContent('entries', grantContent(form)).ok
  const save = () => {
    const message = t(record ? 'entries.changed' : 'calendar.vacation.grant.saved', { count: form.days })
    const isSaved = async () => (await make([changeOfGrant(edited, form)], message)) !== 'failed'
    void closeAndSave(onDone, isSaved, { ...edited, form })
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
          value={form.days === 0 ? null : form.days}
          onChangeNumber={(days) => change({ days })}
        />
        <DateInput
          label={t('calendar.vacation.grant.date')}
          required
          value={form.date}
          onChange={(date) => change({ date })}
        />
        <TextInput
          label={t('calendar.absence.note')}
          maxLength={entryLimits.noteLength}
          value={form.note}
          onChange={({ currentTarget: { value } }) => change({ note: value })}
        />
        <FormFooter
          disabled={!isValid}
          {...(record && {
            onDelete: () => {
              onDone()
              void remove(record)
            },
          })}
          onCancel={() => onDone()}
        />
      </Stack>
    </form>
  )
}
