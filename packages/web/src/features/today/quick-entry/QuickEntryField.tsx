import { ActionIcon, TextInput } from '@mantine/core'
import { epochMs, isTimed } from '@saldo/core'
import { IconCornerDownLeft } from '@tabler/icons-react'
import { memo, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import type { Day } from '../../../domain/entries/useDay.ts'
import { useShortcuts } from '../../../ui/useShortcuts.ts'
import classes from './QuickEntryField.module.css'
import type { QuickEntry } from './quick-entry.ts'
import { useQuickEntry } from './useQuickEntry.ts'

/** Creates an entry from a line of text, with a preview while the user types. */
export const QuickEntryField = memo(function QuickEntryField({ day }: { day: Day }) {
  const { t } = useTranslation()
  const { text, setText, preview, submit } = useQuickEntry(day)
  const field = useRef<HTMLInputElement>(null)
  const previewId = useId()
  useShortcuts({ Q: () => field.current?.focus() })
  return (
    <form
      className={classes.quick}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <TextInput
        ref={field}
        size="md"
        aria-label={t('today.quick.label')}
        aria-describedby={previewId}
        placeholder={t('today.quick.placeholder')}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        rightSection={
          <ActionIcon type="submit" variant="subtle" size="lg" aria-label={t('today.quick.add')}>
            <IconCornerDownLeft size={18} aria-hidden />
          </ActionIcon>
        }
      />
      <p id={previewId} className={classes.preview} aria-live="polite">
        {text.trim() === '' ? t('today.quick.help') : preview && <Preview entry={preview} day={day} />}
      </p>
    </form>
  )
})

function Preview({ entry, day }: { entry: QuickEntry; day: Day }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!entry.ok) return t(`today.quick.problem.${entry.reason}`)
  const { content, date, placed } = entry
  const { project, tags, note } = content
  return (
    <>
      <b>{date === day.today ? t('today.quick.today') : format.date(date, 'short')}</b>
      {isTimed(content) ? (
        <b>
          {format.time(epochMs(content.started_at), day.zone)}
          {' – '}
          {content.ended_at === null ? t('today.quick.open') : format.time(epochMs(content.ended_at), day.zone)}
        </b>
      ) : (
        <b>{t(`entries.kind.${content.kind}`)}</b>
      )}
      {isTimed(content) && content.ended_at !== null && (
        <span>{format.duration(epochMs(content.ended_at) - epochMs(content.started_at))}</span>
      )}
      {!isTimed(content) && content.day_share < 1 && <span>{format.percent(content.day_share)}</span>}
      {content.kind === 'break' && <span>{t('entries.kind.break')}</span>}
      {project !== null && <span>{t('today.quick.project', { project })}</span>}
      {tags.map((tag) => (
        <span key={tag}>{`#${tag}`}</span>
      ))}
      {note !== '' && <i>{note}</i>}
      {placed && isTimed(content) && <span>{t('today.quick.placed')}</span>}
    </>
  )
}
