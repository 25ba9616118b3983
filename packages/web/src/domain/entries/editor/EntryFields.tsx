import { Autocomplete, Checkbox, Group, TagsInput, Textarea, TextInput } from '@mantine/core'
import { isDate } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { PercentInput } from '../../../ui/PercentInput.tsx'
import { DateTimeFields } from './DateTimeFields.tsx'
import { type Draft, isTimedKind } from './draft.ts'
import { useKnownNames } from './useKnownNames.ts'

interface Props {
  draft: Draft
  onChange: (changed: Partial<Draft>) => void
}

/** The fields of an entry except its kind. */
export function EntryFields({ draft, onChange }: Props) {
  const { t } = useTranslation()
  const { projects, tags } = useKnownNames()
  return (
    <>
      {isTimedKind(draft.kind) ? (
        <>
          <DateTimeFields
            label={t('entries.editor.start')}
            date={draft.date}
            time={draft.start}
            isFocused
            onChange={(date, start) =>
              onChange({ date, start, ...(draft.endDate === draft.date && { endDate: date }) })
            }
          />
          <Checkbox
            label={t('entries.editor.running')}
            checked={draft.isRunning}
            onChange={(event) => onChange({ isRunning: event.currentTarget.checked })}
          />
          {!draft.isRunning && (
            <DateTimeFields
              label={t('entries.editor.end')}
              date={draft.endDate}
              time={draft.end}
              onChange={(endDate, end) => onChange({ endDate, end })}
            />
          )}
        </>
      ) : (
        <Group grow>
          <TextInput
            type="date"
            label={t('entries.editor.date')}
            required
            value={draft.date}
            onChange={({ currentTarget: { value } }) => isDate(value) && onChange({ date: value })}
          />
          <PercentInput
            label={t('entries.editor.share')}
            share={draft.share}
            onChangeShare={(share) => onChange({ share })}
          />
        </Group>
      )}
      {draft.kind === 'work' && (
        <Autocomplete
          label={t('entries.editor.project')}
          data={projects}
          maxLength={200}
          value={draft.project}
          onChange={(project) => onChange({ project })}
        />
      )}
      <TagsInput
        label={t('entries.editor.tags')}
        data={tags}
        maxTags={50}
        value={draft.tags}
        onChange={(changed) => onChange({ tags: changed })}
      />
      <Textarea
        label={t('entries.editor.note')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={5_000}
        value={draft.note}
        onChange={(event) => onChange({ note: event.currentTarget.value })}
      />
    </>
  )
}
