import { memo } from 'react'
import { useFormat } from '../../context/FormatProvider.tsx'
import { ownNameOf } from '../../domain/entries/entries-model.ts'
import { useSizeText } from '../../domain/entries/entry-texts.ts'
import { useTranslation } from '../../i18n/translation.ts'
import type { CalendarDay } from './calendar-days.ts'
import { heatOf } from './calendar-model.ts'
import classes from './DayCell.module.css'
import { KindMark } from './KindMark.tsx'
import { useDayText } from './useDayText.ts'

interface Props {
  day: CalendarDay
  isLarge: boolean
  isToday: boolean
  isSelected: boolean
  /** True if the Tab key leads here. */
  isTabStop: boolean
}

/** A date of the grid, coloured by worked time and marked by absences. A year has 365 of them, hence `memo`. */
export const DayCell = memo(function DayCell({ day, isLarge, isToday, isSelected, isTabStop }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { dayText } = useDayText()
  const { partText } = useSizeText()
  const { date, workedMs, plannedMs, absences } = day
  const text = dayText(day)
  const [first] = absences
  const number = Number(date.slice(8))
  return (
    <button
      type="button"
      className={isLarge ? classes.large : classes.small}
      data-date={date}
      data-heat={heatOf(workedMs)}
      data-free={plannedMs === 0 || undefined}
      data-off={absences.length > 0 || undefined}
      data-part={(first && partText(first.record) !== undefined) || undefined}
      aria-pressed={isSelected}
      aria-current={isToday ? 'date' : undefined}
      title={text}
      tabIndex={isTabStop ? 0 : -1}
    >
      <span className="visually-hidden">{text}</span>
      <span className={classes.shown} aria-hidden>
        {isLarge ? (
          <>
            <span className={classes.head}>
              <span className={classes.number}>{number}</span>
              {absences.map(({ record }) => (
                <KindMark key={record.id} kind={record.kind} />
              ))}
            </span>
            {absences.map(({ record }) => (
              <span key={record.id} className={classes.absence}>
                <span className={classes.name}>{ownNameOf(record) ?? t(`entries.kind.${record.kind}`)}</span>
                <span className={classes.share}>{partText(record)}</span>
              </span>
            ))}
            <span className={classes.worked}>{workedMs > 0 && format.duration(workedMs)}</span>
          </>
        ) : (
          (first && t(`calendar.letter.${first.record.kind}`)) || number
        )}
      </span>
    </button>
  )
})
