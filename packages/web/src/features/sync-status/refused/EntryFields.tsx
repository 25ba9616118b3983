import { Checkbox, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DateTimeFields } from '../../../ui/entries/editor/DateTimeFields.tsx'
import { type Draft, isTimedKind } from '../../../ui/entries/editor/draft.ts'
import { ShareField } from '../../../ui/entries/editor/ShareField.tsx'

interface Props {
  draft: Draft
  onChange: (changed: Partial<Draft>) => void
}

export function EntryFields({ draft, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <>
      {isTimedKind(draft.kind) ? (
        <>
          <DateTimeFields
            label={t('entries.editor.start')}
            date={draft.date}
            time={draft.start}
            isFocused
            onChange={(date, start) => onChange({ date, start })}
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
        <ShareField date={draft.date} share={draft.share} onChange={(date, share) => onChange({ date, share })} />
      )}
      <TextInput
        label={t('entries.editor.project')}
        maxLength={200}
        value={draft.project}
        onChange={(event) => onChange({ project: event.currentTarget.value })}
      />
      <TagsInput
        label={t('entries.editor.tags')}
        maxTags={50}
        value={draft.tags}
        onChange={(tags) => onChange({ tags })}
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
