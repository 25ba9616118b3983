import { Autocomplete, Button, Checkbox, Group, Select, Stack, TagsInput, Text, Textarea } from '@mantine/core'
import { dayEntryKinds, timedEntryKinds, type ZoneName } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { DateTimeFields } from './DateTimeFields.tsx'
import { type Draft, isTimedKind } from './draft.ts'
import type { Edited } from './edited.ts'
import { ShareField } from './ShareField.tsx'
import { type OnDone, useEntryEditor } from './useEntryEditor.ts'

interface Props {
  edited: Edited
  zone: ZoneName
  onDone: OnDone
}

/** All of an entry's fields. */
export function EntryEditor({ edited, zone, onDone }: Props) {
  const { t } = useTranslation()
  const { draft, change, problem, projects, tags, save, remove } = useEntryEditor(edited, zone, onDone)
  const kinds = [timedEntryKinds, dayEntryKinds].map((items, index) => ({
    group: t(index === 0 ? 'entries.editor.timed' : 'entries.editor.absences'),
    items: items.map((kind) => ({ value: kind, label: t(`entries.kind.${kind}`) })),
  }))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Stack>
        <Select
          label={t('entries.editor.kind')}
          data={kinds}
          value={draft.kind}
          allowDeselect={false}
          onChange={(kind) => kind && change({ kind: kind as Draft['kind'] })}
        />
        {isTimedKind(draft.kind) ? (
          <>
            <DateTimeFields
              label={t('entries.editor.start')}
              date={draft.date}
              time={draft.start}
              isFocused
              onChange={(date, start) =>
                change({ date, start, ...(draft.endDate === draft.date && { endDate: date }) })
              }
            />
            <Checkbox
              label={t('entries.editor.running')}
              checked={draft.isRunning}
              onChange={(event) => change({ isRunning: event.currentTarget.checked })}
            />
            {!draft.isRunning && (
              <DateTimeFields
                label={t('entries.editor.end')}
                date={draft.endDate}
                time={draft.end}
                onChange={(endDate, end) => change({ endDate, end })}
              />
            )}
          </>
        ) : (
          <ShareField date={draft.date} share={draft.share} onChange={(date, share) => change({ date, share })} />
        )}
        {draft.kind === 'work' && (
          <Autocomplete
            label={t('entries.editor.project')}
            data={projects}
            maxLength={200}
            value={draft.project}
            onChange={(project) => change({ project })}
          />
        )}
        <TagsInput
          label={t('entries.editor.tags')}
          data={tags}
          maxTags={50}
          value={draft.tags}
          onChange={(changed) => change({ tags: changed })}
        />
        <Textarea
          label={t('entries.editor.note')}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={5_000}
          value={draft.note}
          onChange={(event) => change({ note: event.currentTarget.value })}
        />
        {problem && (
          <Text role="alert" c="var(--saldo-error-text)" size="sm">
            {t(`entries.editor.problem.${problem}`)}
          </Text>
        )}
        <Group justify="space-between">
          {remove ? (
            <Button variant="subtle" color="red" onClick={remove}>
              {t('ui.delete')}
            </Button>
          ) : (
            <span />
          )}
          <Group gap="sm">
            <Button variant="default" onClick={() => onDone()}>
              {t('ui.cancel')}
            </Button>
            <Button type="submit">{t('ui.save')}</Button>
          </Group>
        </Group>
      </Stack>
    </form>
  )
}
