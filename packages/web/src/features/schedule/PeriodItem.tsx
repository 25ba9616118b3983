import { Badge, Text, Title } from '@mantine/core'
import { addDays } from '@saldo/core'
import { IconDeviceFloppy, IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { IconAction } from '../../ui/IconAction.tsx'
import classes from './PeriodItem.module.css'
import { type Part, type Period, parts } from './periods.ts'
import { useFactTexts } from './useFactTexts.ts'

const SOME_MONDAY = '2026-01-05'

interface Props {
  period: Period
  isPending: boolean
  onEdit: () => void
  onDelete: () => void
}

/** A stretch of time in which the same settings hold. */
export function PeriodItem({ period, isPending, onEdit, onDelete }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const textOf = useFactTexts()
  const { record, from, to, state, changed } = period
  const date = format.date(from, 'full')
  // What is in force is told whole, the others by what they changed.
  const told = state === 'now' ? parts : changed
  const facts = told.filter((part): part is Exclude<Part, 'target_ms'> => part !== 'target_ms')
  return (
    <li className={classes.period} data-state={state}>
      <div className={classes.head}>
        <div className={classes.titles}>
          <Title order={2} className={classes.since}>
            {t(state === 'future' ? 'schedule.from' : 'schedule.since', { date })}
          </Title>
          {state !== 'past' && (
            <Badge variant="light" color={state === 'now' ? 'petrol' : 'gray'} tt="none">
              {t(`schedule.state.${state}`)}
            </Badge>
          )}
          {isPending && (
            <span
              className={classes.pending}
              title={t('schedule.isPending')}
              role="img"
              aria-label={t('schedule.isPending')}
            >
              <IconDeviceFloppy size={16} aria-hidden />
            </span>
          )}
        </div>
        <span className={classes.actions}>
          <IconAction
            Icon={IconPencil}
            label={t('schedule.editOne', { date })}
            title={t('schedule.dialog.edit')}
            onClick={onEdit}
          />
          <IconAction
            Icon={IconTrash}
            label={t('schedule.deleteOne', { date })}
            title={t('ui.delete')}
            onClick={onDelete}
          />
        </span>
      </div>
      {to !== null && state !== 'shadowed' && (
        <Text size="sm" c="dimmed">
          {t('schedule.until', { date: format.date(to, 'full') })}
        </Text>
      )}
      <div className={classes.week}>
        <span className={classes.sum}>
          {t('workHours.sum', { sum: format.duration(record.target_ms.reduce((sum, ms) => sum + ms, 0)) })}
        </span>
        <ol className={classes.days}>
          {record.target_ms.map((ms, day) => (
            <li key={addDays(SOME_MONDAY, day)} className={classes.day} data-free={ms === 0 || undefined}>
              <span className={classes.name}>{format.date(addDays(SOME_MONDAY, day), 'weekdayShort')}</span>
              <span>{format.duration(ms)}</span>
            </li>
          ))}
        </ol>
      </div>
      {facts.length > 0 && (
        <dl className={classes.facts}>
          {facts.map((part) => (
            <div key={part}>
              <dt>{t(`schedule.part.${part}`)}</dt>
              <dd>{textOf(record, part)}</dd>
            </div>
          ))}
        </dl>
      )}
      {record.note !== '' && <Text className={classes.note}>{record.note}</Text>}
    </li>
  )
}
