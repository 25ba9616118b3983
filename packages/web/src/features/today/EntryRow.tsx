import { UnstyledButton } from '@mantine/core'
import type { ShownRecord } from '@saldo/client'
import type { AbsenceRecord, TimedRow, WorkSubject } from '@saldo/client/entries'
import { MINUTE_MS } from '@saldo/core'
import { lazy, Suspense, useState } from 'react'
import { useNow } from '../../context/clock.ts'
import { useFormat } from '../../context/FormatProvider.tsx'
import { EntryLength, EntryWords } from '../../domain/entries/EntryWords.tsx'
import { useSizeText, useWhen } from '../../domain/entries/entry-texts.ts'
import type { Day } from '../../domain/entries/useDay.ts'
import { useEntryActions } from '../../domain/entries/useEntryActions.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { IconAction } from '../../ui/IconAction.tsx'
import { IconAlertTriangle, IconClock, IconDeviceFloppy, IconPlayerPlay, IconTrash } from '../../ui/icons.ts'
import classes from './EntryRow.module.css'
import { canGoOn, type OtherDay, otherDays, shownLength } from './today-model.ts'

const RowTimes = lazy(() => import('./RowTimes.tsx'))

interface Props {
  row: TimedRow
  day: Day
  onGoOn: (subject: WorkSubject) => void
  hasWarning: boolean
  onEdit: () => void
}

export function EntryRow({ row, day, onGoOn, hasWarning, onEdit }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const nowMs = useNow(MINUTE_MS)
  const { record, pending, part } = row
  const [isTyping, setTyping] = useState(false)
  const isCut = part.beginsBefore || part.endsAfter
  return (
    <li className={classes.row} data-kind={record.kind} data-running={record.ended_at === null || undefined}>
      {isTyping && (
        <Suspense>
          <RowTimes record={record} zone={day.zone} onDone={() => setTyping(false)} />
        </Suspense>
      )}
      <UnstyledButton className={classes.main} data-typed={isTyping || undefined} onClick={onEdit}>
        <span className={classes.times}>
          <Span row={row} day={day} />
        </span>
        <span className={classes.what}>
          <EntryWords record={record} />
        </span>
        {hasWarning && (
          <IconAlertTriangle className={classes.odd} size={16} role="img" aria-label={t('today.hasWarning')} />
        )}
        {pending && (
          <IconDeviceFloppy className={classes.pending} size={16} role="img" aria-label={t('today.isPending')} />
        )}
        <span className={classes.length}>
          <EntryLength record={record}>{format.duration(shownLength(row, nowMs))}</EntryLength>
          {isCut && (
            <span className={classes.here}>
              {t('today.ofItHere', { time: format.duration(part.inside.end - part.inside.start) })}
            </span>
          )}
        </span>
      </UnstyledButton>
      <RowActions row={row} day={day} onGoOn={onGoOn} onTimes={() => setTyping(true)} />
    </li>
  )
}

/** From when to when, truthfully where it crosses midnight. */
function Span({ row: { record, part }, day: { date, zone } }: Pick<Props, 'row' | 'day'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const from = format.time(part.whole.start, zone)
  const { start, end } = otherDays(part, date, zone)
  const name = (day: OtherDay) =>
    day === 'dayBefore' || day === 'dayAfter' ? t(`today.${day}`) : format.date(day, 'short')
  return (
    <>
      {start && <span className={classes.other}>{name(start)} </span>}
      {from}
      {' – '}
      {record.ended_at === null ? t('entries.now') : format.time(part.whole.end, zone)}
      {end && <span className={classes.other}> {name(end)}</span>}
    </>
  )
}

interface RowActionsProps extends Pick<Props, 'row' | 'day' | 'onGoOn'> {
  onTimes: () => void
}

function RowActions({ row: { record }, day, onGoOn, onTimes }: RowActionsProps) {
  const { t } = useTranslation()
  const { remove } = useEntryActions()
  const { times } = useWhen()(record, day.zone)
  return (
    <span className={classes.actions}>
      <span className={classes.wide}>
        <IconAction
          Icon={IconClock}
          label={`${t('today.changeTimes')}: ${times}`}
          title={t('today.changeTimes')}
          onClick={onTimes}
        />
      </span>
      {canGoOn(record, day) && (
        <IconAction
          Icon={IconPlayerPlay}
          label={`${t('today.goOn')}: ${times}`}
          title={t('today.goOn')}
          onClick={() => onGoOn(record)}
        />
      )}
      <IconAction
        Icon={IconTrash}
        label={`${t('ui.delete')}: ${times}`}
        title={t('ui.delete')}
        onClick={() => void remove(record)}
      />
    </span>
  )
}

export function AbsenceRow({ row: { record }, onEdit }: { row: ShownRecord<AbsenceRecord>; onEdit: () => void }) {
  const { t } = useTranslation()
  const { sizeText } = useSizeText()
  const { remove } = useEntryActions()
  return (
    <li className={classes.row}>
      <UnstyledButton className={classes.main} onClick={onEdit}>
        <span className={classes.times}>{sizeText(record)}</span>
        <span className={classes.what}>
          <EntryWords record={record} />
        </span>
      </UnstyledButton>
      <span className={classes.actions}>
        <IconAction
          Icon={IconTrash}
          label={`${t('ui.delete')}: ${t(`entries.kind.${record.kind}`)}`}
          title={t('ui.delete')}
          onClick={() => void remove(record)}
        />
      </span>
    </li>
  )
}
