import { type Plan, wallAt } from '@saldo/client/entries'
import { epochMs, isCounted, type LocalDate, type TimedEntryContent } from '@saldo/core'
import { Fragment } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useSizeText } from '../../../domain/entries/entry-texts.ts'
import type { Day } from '../../../domain/entries/useDay.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { areNamedAsRange, dateStyleOf, isRepeatedNext, planSummaryOf } from './quick-entry-model.ts'

type PlanOf<Kind extends Plan['kind']> = Extract<Plan, { kind: Kind }>

interface Props<Some extends Plan = Plan> {
  plan: Some
  day: Pick<Day, 'today' | 'zone'>
}

/** A plan in a few words, as far as it differs from an entry of today. */
export function PlanWords({ plan, day }: Props) {
  switch (plan.kind) {
    case 'entries':
      return <EntriesWords plan={plan} day={day} />
    case 'timer':
      return <TimerWords plan={plan} day={day} />
    case 'absence':
      return <AbsenceWords plan={plan} day={day} />
  }
}

/** Entries that are the same on several dates are shown once. */
function EntriesWords({ plan, day }: Props<PlanOf<'entries'>>) {
  const { t } = useTranslation()
  const format = useFormat()
  const { groups, workedMs } = planSummaryOf(plan, day.zone)
  return (
    <>
      {groups.map(({ dates, shown }) => (
        <Fragment key={dates[0]}>
          <Dates dates={dates} freeCount={plan.freeCount} today={day.today} />
          {shown.map((entry, index) => (
            <Piece
              key={entry.started_at}
              entry={entry}
              isRepeated={isRepeatedNext(shown, index)}
              newProjects={plan.newProjects}
            />
          ))}
        </Fragment>
      ))}
      {workedMs > 0 && <span>{` ${format.duration(workedMs)}`}</span>}
      {plan.freeCount > 0 && <span>{t('today.quick.free', { count: plan.freeCount })}</span>}
      {plan.isPlaced && <span>{t('today.quick.placed')}</span>}
    </>
  )
}

/** The times of an entry, and its words unless they are repeated. */
function Piece({
  entry,
  isRepeated,
  newProjects,
}: {
  entry: TimedEntryContent
  isRepeated: boolean
  newProjects: readonly string[]
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { kind, started_at, ended_at, time_zone, project, tags, note } = entry
  const time = (at: typeof started_at | null) => at !== null && format.time(epochMs(at), time_zone as string)
  return (
    <>
      <b>
        {kind === 'break' && `${t('entries.kind.break')} `}
        {time(started_at)}
        {' – '}
        {time(ended_at)}
      </b>
      {!isRepeated && (
        <Words
          project={project}
          isNew={newProjects.includes(project ?? '')}
          tags={tags}
          note={note}
          counts={isCounted(entry)}
        />
      )}
    </>
  )
}

function TimerWords({ plan: { action, startMs, text }, day }: Props<PlanOf<'timer'>>) {
  const { t } = useTranslation()
  const format = useFormat()
  const { date } = wallAt(startMs, day.zone)
  return (
    <>
      <Dates dates={[date]} freeCount={0} today={day.today} />
      <b>{t(`today.quick.since.${action}`, { time: format.time(startMs, day.zone) })}</b>
      <Words {...text} />
    </>
  )
}

/** Days of one size are shown together. */
function AbsenceWords({ plan: { days, freeCount, replacedCount, isDayOff }, day }: Props<PlanOf<'absence'>>) {
  const { t } = useTranslation()
  const { partText } = useSizeText()
  const [first] = days
  const groups = [...Map.groupBy(days, partText)]
  return (
    first && (
      <>
        <b>{t(`entries.kind.${first.kind}`)}</b>
        {groups.map(([part, some]) => (
          <Fragment key={part ?? ''}>
            <Dates dates={some.map(({ date }) => date)} freeCount={freeCount} today={day.today} />
            {part !== undefined && <span>{part}</span>}
          </Fragment>
        ))}
        {isDayOff && <span>{t('today.quick.dayOff')}</span>}
        {freeCount > 0 && <span>{t('today.quick.free', { count: freeCount })}</span>}
        {replacedCount > 0 && <span>{t('today.quick.replaced', { count: replacedCount })}</span>}
        <Words project={null} isNew={false} tags={first.tags} note={first.note} counts />
      </>
    )
  )
}

interface DatesProps {
  dates: readonly LocalDate[]
  freeCount: number
  today: LocalDate
}

function Dates({ dates, freeCount, today }: DatesProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const dateText = (date: LocalDate) => format.date(date, dateStyleOf(date, today))
  if (dates.length === 1) {
    return <b>{`${dates[0] === today ? t('today.quick.today') : dates.map(dateText).join()} `}</b>
  }
  const isRange = areNamedAsRange(dates, freeCount)
  const named = isRange ? dates.filter((_, index) => index === 0 || index === dates.length - 1) : dates
  return (
    <>
      <b>{`${named.map(dateText).join(isRange ? ' – ' : ', ')} `}</b>
      <span>{t('today.quick.days', { count: dates.length })}</span>
    </>
  )
}

interface WordsProps {
  project: string | null
  isNew: boolean
  tags: readonly string[]
  note: string
  counts: boolean
}

function Words({ project, isNew, tags, note, counts }: WordsProps) {
  const { t } = useTranslation()
  return (
    <>
      {project !== null && (
        <span data-new={isNew || undefined}>
          {` ${isNew ? t('today.quick.newProject', { project }) : t('today.quick.project', { project })}`}
        </span>
      )}
      {tags.map((tag) => (
        <span key={tag}>{` #${tag}`}</span>
      ))}
      {!counts && <span>{t('entries.notCounted')}</span>}
      {note !== '' && <i>{` ${note}`}</i>}
    </>
  )
}
