import { ActionIcon } from '@mantine/core'
import type { TimedRecord } from '@saldo/client/entries'
import type { ZoneName } from '@saldo/core'
import type { FormEvent, KeyboardEvent } from 'react'
import { changesOfForm, editedEntryOf } from '../../domain/entries/editor/edited-entry.ts'
import { entryValuesOf, withTimes } from '../../domain/entries/editor/entry-form.ts'
import { useEntryActions } from '../../domain/entries/useEntryActions.ts'
import { TimeInput } from '../../domain/TimeInput.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { useFocusReturn } from '../../ui/focus.ts'
import { IconCornerDownLeft } from '../../ui/icons.ts'
import { useForm } from '../../ui/useForm.ts'
import classes from './EntryRow.module.css'

interface Props {
  record: TimedRecord
  zone: ZoneName
  onDone: () => void
}

/** Changes the times of an entry in its row: Enter saves, Esc leaves them as they are. */
export default function RowTimes({ record, zone, onDone }: Props) {
  const { t } = useTranslation()
  const { make } = useEntryActions()
  useFocusReturn()
  const edited = editedEntryOf(record)
  const [form, setTimes] = useForm(() => entryValuesOf(edited.content, zone))
  const saving = changesOfForm(form, edited, zone)
  const change = (changed: { start: string } | { end: string }) => setTimes(withTimes(form, changed))
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (!saving.ok) return
    onDone()
    void make(saving.changes, t('entries.changed'))
  }
  const handleKey = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') onDone()
  }
  return (
    <form className={classes.typed} onSubmit={save} onKeyDown={handleKey}>
      <TimeInput
        size="xs"
        autoFocus
        aria-label={t('entries.editor.start')}
        value={form.start}
        onChange={(start) => change({ start })}
      />
      {!form.isRunning && (
        <TimeInput
          size="xs"
          aria-label={t('entries.editor.end')}
          error={!saving.ok && saving.problem !== 'break' && t(`entries.editor.problem.${saving.problem}`)}
          value={form.end}
          start={form.start}
          onChange={(end) => change({ end })}
        />
      )}
      <ActionIcon type="submit" variant="subtle" aria-label={t('ui.save')}>
        <IconCornerDownLeft size={18} aria-hidden />
      </ActionIcon>
    </form>
  )
}
