import { Checkbox, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DateTimeFields } from '../../today/editor/DateTimeFields.tsx'
import { type Draft, isTimedKind } from '../../today/editor/draft.ts'
import { ShareField } from '../../today/editor/ShareField.tsx'

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
            label={t('today.editor.start')}
            date={draft.date}
            time={draft.start}
            isFocused
            onChange={(date, start) => onChange({ date, start })}
          />
          <Checkbox
            label={t('today.editor.running')}
            checked={draft.isRunning}
            onChange={(event) => onChange({ isRunning: event.currentTarget.checked })}
          />
          {!draft.isRunning && (
            <DateTimeFields
              label={t('today.editor.end')}
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
        label={t('today.editor.project')}
        maxLength={200}
        value={draft.project}
        onChange={(event) => onChange({ project: event.currentTarget.value })}
      />
      <TagsInput
        label={t('today.editor.tags')}
        maxTags={50}
        value={draft.tags}
        onChange={(tags) => onChange({ tags })}
      />
      <Textarea
        label={t('today.editor.note')}
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
