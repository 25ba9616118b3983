import { Button, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { memo, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useClock } from '../../context/clock.tsx'
import { type Edited, editOf, newWork } from '../../domain/entries/editor/edited.ts'
import type { Day } from '../../domain/entries/useDay.ts'
import type { Timer } from '../../domain/entries/useTimer.ts'
import { useShortcuts } from '../../ui/useShortcuts.ts'
import { AbsenceRow } from './AbsenceRow.tsx'
import classes from './EntryList.module.css'
import { EntryRow } from './EntryRow.tsx'
import { OddityNotice } from './OddityNotice.tsx'
import { odditiesOf } from './oddities.ts'
import { freeSpan } from './place.ts'

interface Props {
  day: Day
  press: Timer['press']
  onEdit: (edited: Edited) => void
}

/** The day's entries as a list, with what is odd about them beside it. */
export const EntryList = memo(function EntryList({ day, press, onEdit }: Props) {
  const { t } = useTranslation()
  const clock = useClock()
  const oddities = useMemo(() => odditiesOf(day.entries, day.timeline, day.date), [day])
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
      {oddities.map((oddity) => (
        <OddityNotice key={`${oddity.kind} ${oddity.entryIds.join()}`} oddity={oddity} day={day} onEdit={onEdit} />
      ))}
      {timed.length + absences.length === 0 ? (
        <p className={classes.empty}>{t('today.empty')}</p>
      ) : (
        <ul className={classes.list}>
          {absences.map((row) => (
            <AbsenceRow key={row.record.id} row={row} onEdit={() => onEdit(editOf(row.record))} />
          ))}
          {timed.map((row) => (
            <EntryRow
              key={row.record.id}
              row={row}
              day={day}
              press={press}
              isOdd={oddities.some(({ entryIds }) => entryIds.includes(row.record.id))}
              onEdit={() => onEdit(editOf(row.record))}
            />
          ))}
        </ul>
      )}
    </section>
  )
})
