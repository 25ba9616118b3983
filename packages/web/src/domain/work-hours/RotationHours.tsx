import { Button } from '@mantine/core'
import { addDays, type DurationMs, type LocalDate, MAX_ROTATION_WEEKS, mondayOf, weekOf } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { IconAction } from '../../ui/IconAction.tsx'
import { IconArrowDown, IconArrowUp, IconCopy, IconPlus, IconTrash } from '../../ui/icons.ts'
import classes from './RotationHours.module.css'
import { WeekHours } from './WeekHours.tsx'
import { copyWeek, moveWeek, weeksWithHours } from './work-hours-model.ts'

interface Props {
  label: string
  /** Seven targets a week, Monday first. */
  targetMs: readonly DurationMs[]
  /** The date on which the first week applies. */
  from: LocalDate
  onChange: (targetMs: DurationMs[]) => void
}

/** The hours of a week, or of several weeks that take turns. */
export function RotationHours({ label, targetMs, from, onChange }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const weeks = weeksWithHours(targetMs)
  const change = (changed: readonly (readonly DurationMs[])[]) => onChange(changed.flat())
  const move = (index: number, by: 1 | -1) => change(moveWeek(weeks, index, by))
  const copy = (index: number) => change(copyWeek(weeks, index))
  const isFull = weeks.length >= MAX_ROTATION_WEEKS
  const firstMonday = mondayOf(weekOf(from))
  return (
    <div className={classes.rotation}>
      {weeks.length === 1 ? (
        <WeekHours label={label} targetMs={targetMs} onChange={onChange} />
      ) : (
        weeks.map((week, index) => {
          const number = index + 1
          const monday = format.date(addDays(firstMonday, index * 7), 'medium')
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a week of a rotation is its place
            <section key={index} className={classes.week} aria-label={t('workHours.rotation.week', { number })}>
              <div className={classes.head}>
                <span className={classes.name}>{t('workHours.rotation.week', { number })}</span>
                <span className={classes.since}>{t('workHours.rotation.from', { date: monday })}</span>
                {index > 0 && (
                  <IconAction
                    Icon={IconArrowUp}
                    label={t('workHours.rotation.up', { number })}
                    onClick={() => move(index, -1)}
                  />
                )}
                {index < weeks.length - 1 && (
                  <IconAction
                    Icon={IconArrowDown}
                    label={t('workHours.rotation.down', { number })}
                    onClick={() => move(index, 1)}
                  />
                )}
                {!isFull && (
                  <IconAction
                    Icon={IconCopy}
                    label={t('workHours.rotation.copy', { number })}
                    onClick={() => copy(index)}
                  />
                )}
                <IconAction
                  Icon={IconTrash}
                  label={t('workHours.rotation.remove', { number })}
                  onClick={() => change(weeks.toSpliced(index, 1))}
                />
              </div>
              <WeekHours
                label={t('workHours.rotation.week', { number })}
                targetMs={week}
                onChange={(changed) => change(weeks.with(index, changed))}
              />
            </section>
          )
        })
      )}
      {!isFull && (
        <Button
          variant="subtle"
          size="compact-md"
          className={classes.add}
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={() => copy(weeks.length - 1)}
        >
          {t(weeks.length === 1 ? 'workHours.rotation.begin' : 'workHours.rotation.add')}
        </Button>
      )}
    </div>
  )
}
