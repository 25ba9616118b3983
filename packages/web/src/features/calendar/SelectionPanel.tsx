import { Button, CloseButton, Group, Text, Title, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { AbsenceRecord } from '@saldo/client/entries'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { useFormat } from '../../context/FormatProvider.tsx'
import { MANY_ENTRIES } from '../../domain/entries/entries-model.ts'
import { useEntryActions } from '../../domain/entries/useEntryActions.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { IconAction } from '../../ui/IconAction.tsx'
import { IconPlus, IconTrash } from '../../ui/icons.ts'
import { type CalendarDay, chosenDays } from './calendar-days.ts'
import { type DaySelection, rangeSelected } from './calendar-model.ts'
import { KindMark } from './KindMark.tsx'
import classes from './SelectionPanel.module.css'
import type { Calendar } from './useCalendar.ts'
import { useDayText } from './useDayText.ts'

const DeletionDialog = lazy(() => import('../../domain/entries/DeletionDialog.tsx'))

interface Props {
  calendar: Calendar
  selection: DaySelection | undefined
  onAdd: () => void
  onClear: () => void
  onEdit: (record: AbsenceRecord) => void
}

/** Shows the selected dates with their absences, and what the user can do with them. */
export function SelectionPanel({ calendar: { days, today }, selection, onAdd, onClear, onEdit }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { absenceText } = useDayText()
  const { make, remove } = useEntryActions()
  const isTouch = useMediaQuery('(hover: none)', undefined, { getInitialValueInEffect: false })
  const range = selection && rangeSelected(selection)
  const { chosen, absences, targetCount } = chosenDays(days, range)
  const [firstDay] = chosen
  const [isAsking, setAsking] = useState(false)
  const removeAll = () =>
    void make(
      absences.map((record) => ({ op: 'delete', record })),
      t('calendar.deletedAll', { count: absences.length }),
    )
  const isRange = chosen.length > 1
  return (
    <section className={classes.panel} data-chosen={range ? true : undefined} aria-label={t('calendar.chosen')}>
      {range && <CloseButton className={classes.close} aria-label={t('calendar.clear')} onClick={onClear} />}
      <div aria-live="polite">
        {range ? (
          <Title order={2}>
            {isRange
              ? t('calendar.span', { from: format.date(range.from, 'short'), to: format.date(range.to, 'short') })
              : format.date(range.from, 'day')}
          </Title>
        ) : (
          <Text c="dimmed">{t(isTouch ? 'calendar.chooseByTouch' : 'calendar.choose')}</Text>
        )}
        {isRange && (
          <Text size="sm" c="dimmed">
            {t('calendar.daysWithTarget', {
              count: chosen.length,
              target: format.number(targetCount),
            })}
          </Text>
        )}
        {firstDay && !isRange && <DayFigures day={firstDay} isOver={firstDay.date <= today} />}
      </div>
      {absences.length > 0 && (
        <ul className={classes.absences}>
          {absences.map((record) => (
            <li key={record.id} className={classes.absence}>
              <UnstyledButton className={classes.what} onClick={() => onEdit(record)}>
                <KindMark kind={record.kind} />
                <span>
                  {isRange && <span className={classes.date}>{format.date(record.date, 'short')} </span>}
                  {absenceText(record)}
                </span>
              </UnstyledButton>
              <IconAction
                Icon={IconTrash}
                label={t('calendar.deleteOne', {
                  what: absenceText(record),
                  date: format.date(record.date, 'short'),
                })}
                title={t('ui.delete')}
                onClick={() => void remove(record)}
              />
            </li>
          ))}
        </ul>
      )}
      <Group gap="sm">
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={onAdd}>
          {t('calendar.add')}
        </Button>
        {range && !isRange && (
          <Button component={Link} href={`/day/${range.from}`} variant="subtle">
            {t('calendar.openDay')}
          </Button>
        )}
        {absences.length > 1 && (
          <Button
            variant="subtle"
            color="red"
            onClick={() => (absences.length > MANY_ENTRIES ? setAsking(true) : removeAll())}
          >
            {t('calendar.deleteAll', { count: absences.length })}
          </Button>
        )}
      </Group>
      <Suspense>
        {isAsking && <DeletionDialog count={absences.length} onDelete={removeAll} onClose={() => setAsking(false)} />}
      </Suspense>
    </section>
  )
}

function DayFigures({ day: { workedMs, targetMs, deltaMs, counts }, isOver }: { day: CalendarDay; isOver: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!counts) return <Text c="dimmed">{t('calendar.outside')}</Text>
  const figures = { worked: format.duration(workedMs), target: format.duration(targetMs) }
  return (
    <Text c="dimmed">
      {isOver
        ? t('calendar.figures', { ...figures, delta: format.delta(deltaMs) })
        : t('calendar.planned', { target: figures.target })}
    </Text>
  )
}
