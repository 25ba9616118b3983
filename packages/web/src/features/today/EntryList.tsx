import { Button, Title } from '@mantine/core'
import { freeSpan, type WorkSubject } from '@saldo/client/entries'
import { memo, useMemo } from 'react'
import { clock } from '../../context/clock.ts'
import { type EditedEntry, editedEntryOf, newWork } from '../../domain/entries/editor/edited-entry.ts'
import type { Day } from '../../domain/entries/useDay.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { IconPlus } from '../../ui/icons.ts'
import { useShortcuts } from '../../ui/useShortcuts.ts'
import { Hints, WarningNotice } from './DayNotices.tsx'
import classes from './EntryList.module.css'
import { AbsenceRow, EntryRow } from './EntryRow.tsx'
import { warningsOf } from './entry-warnings.ts'

interface Props {
  day: Day
  onGoOn: (subject: WorkSubject) => void
  onEdit: (edited: EditedEntry) => void
}

/** The list of a day's entries and its warnings. */
export const EntryList = memo(function EntryList({ day, onGoOn, onEdit }: Props) {
  const { t } = useTranslation()
  const warnings = useMemo(() => warningsOf(day.entries, day.timeline, day.date), [day])
  const add = () => onEdit(newWork(freeSpan(day, clock.now()), day.zone))
  useShortcuts({ N: add })
  const { timed, absences } = day
  return (
    <section className={classes.section} aria-labelledby="entries">
      <div className={classes.head}>
        <Title order={2} id="entries">
          {t('today.entries')}
        </Title>
        <Button variant="subtle" size="compact-md" leftSection={<IconPlus size={18} aria-hidden />} onClick={add}>
          {t('today.add')}
        </Button>
      </div>
      {warnings.map((warning) => (
        <WarningNotice key={`${warning.kind} ${warning.entryIds.join()}`} warning={warning} day={day} onEdit={onEdit} />
      ))}
      <Hints day={day} />
      {timed.length + absences.length === 0 ? (
        <p className={classes.empty}>{t('today.empty')}</p>
      ) : (
        <ul className={classes.list}>
          {absences.map((row) => (
            <AbsenceRow key={row.record.id} row={row} onEdit={() => onEdit(editedEntryOf(row.record))} />
          ))}
          {timed.map((row) => (
            <EntryRow
              key={row.record.id}
              row={row}
              day={day}
              onGoOn={onGoOn}
              hasWarning={warnings.some(({ entryIds }) => entryIds.includes(row.record.id))}
              onEdit={() => onEdit(editedEntryOf(row.record))}
            />
          ))}
        </ul>
      )}
    </section>
  )
})
