import { Button, Group, Switch, Text, Title } from '@mantine/core'
import { type DurationMs, FIRST_EFFECTIVE_DATE, HOUR_MS, MAX_VACATION_DAYS, type MemberDefaults } from '@saldo/core'
import { type ReactNode, useId } from 'react'
import { useFormat } from '../../context/FormatProvider.tsx'
import { HolidayPlaceField } from '../../domain/holidays/HolidayPlaceField.tsx'
import { BreakRules } from '../../domain/work-hours/BreakRules.tsx'
import { WeekHours } from '../../domain/work-hours/WeekHours.tsx'
import { ZoneSelect } from '../../domain/work-hours/ZoneSelect.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { DateInput } from '../../ui/DateInput.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { DecimalInput, DurationInput } from '../../ui/NumberInputs.tsx'
import { ViewTitle } from '../../ui/ViewHeader.tsx'
import { asksVacationLeft, type FirstRunStart, firstVacation } from './answers.ts'
import classes from './FirstRun.module.css'
import { useFirstRun } from './useFirstRun.ts'

const MAX_BALANCE_MS = 10_000 * HOUR_MS

/** Reading begins at the questions, after the form before that signed up and is gone. */
const focusOnce = (page: HTMLElement | null) => {
  if (document.activeElement === document.body) page?.focus({ preventScroll: true })
}

interface Props {
  /** The defaults of a new member's company; they are not asked. */
  start?: FirstRunStart | undefined
  onSkip: () => void
}

/** Asks up to five questions, with likely answers filled in, and begins the account. */
export default function FirstRun({ start, onSkip }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { answers, change, today, dueMs, isBusy, begin } = useFirstRun(start)
  const isOpen = (field: keyof MemberDefaults) => start?.defaults[field] === undefined
  // A new member is not asked for the date.
  const opening = start ? t('firstRun.openingOn', { date: format.date(answers.since, 'full') }) : t('firstRun.opening')
  return (
    <main className={classes.page} tabIndex={-1} ref={focusOnce}>
      <Logo />
      <div>
        <ViewTitle className={classes.title}>{t(start ? 'firstRun.titleOfMember' : 'firstRun.title')}</ViewTitle>
        <Text c="dimmed">{t('firstRun.lead')}</Text>
      </div>
      <form
        className={classes.questions}
        onSubmit={(event) => {
          event.preventDefault()
          begin()
        }}
      >
        {isOpen('target_ms') && (
          <Question title={t('firstRun.hours')}>
            <WeekHours
              label={t('firstRun.hours')}
              targetMs={answers.targetMs}
              onChange={(targetMs) => change({ targetMs })}
            />
          </Question>
        )}
        {!start && (
          <Question title={t('firstRun.since')} help={t('firstRun.sinceHelp')}>
            <DateInput
              aria-label={t('firstRun.since')}
              className={classes.short}
              min={FIRST_EFFECTIVE_DATE}
              required
              value={answers.since}
              onChange={(since) => change({ since })}
            />
          </Question>
        )}
        <Question title={opening} help={t('firstRun.openingHelp')}>
          <DurationInput
            aria-label={opening}
            className={classes.short}
            valueMs={answers.openingMs}
            minMs={-MAX_BALANCE_MS}
            maxMs={MAX_BALANCE_MS}
            onChangeMs={(openingMs) => change({ openingMs })}
          />
          {dueMs > 0 && (
            <PastStart
              dueMs={dueMs}
              openingMs={answers.openingMs}
              isDueWorked={answers.isDueWorked}
              onBeginToday={() => change({ since: today })}
              onCount={(isDueWorked) => change({ isDueWorked })}
            />
          )}
        </Question>
        {isOpen('holidays') && (
          <Question title={t('firstRun.holidays')} help={t('firstRun.holidaysHelp')}>
            <HolidayPlaceField value={answers.holidays} onChange={(holidays) => change({ holidays })} />
          </Question>
        )}
        {isOpen('vacation') && (
          <Question title={t('firstRun.vacation')} help={t('firstRun.vacationHelp')}>
            <DecimalInput
              aria-label={t('firstRun.vacation')}
              className={classes.short}
              min={0}
              max={MAX_VACATION_DAYS}
              value={answers.vacationDays}
              onChangeNumber={(vacationDays) => change({ vacationDays })}
              onEmpty={() => change({ vacationDays: null })}
            />
            {asksVacationLeft(answers) && (
              <DecimalInput
                label={t('firstRun.vacationLeft', { date: format.date(answers.since, 'full') })}
                description={t('firstRun.vacationLeftHelp', { days: format.number(firstVacation(answers)) })}
                min={-MAX_VACATION_DAYS}
                max={MAX_VACATION_DAYS}
                value={answers.vacationLeft}
                onChangeNumber={(vacationLeft) => change({ vacationLeft })}
                onEmpty={() => change({ vacationLeft: null })}
              />
            )}
          </Question>
        )}
        {isOpen('auto_close') && (
          <Switch
            className={classes.more ?? ''}
            label={t('firstRun.autoClose')}
            description={t('firstRun.autoCloseHelp')}
            checked={answers.isAutoClosing}
            onChange={(event) => change({ isAutoClosing: event.currentTarget.checked })}
          />
        )}
        <details className={classes.more}>
          <summary>
            {t('firstRun.more', { zone: answers.zone, breaks: t(`workHours.breaks.${answers.breaks}.name`) })}
          </summary>
          <div className={classes.moreInside}>
            <ZoneSelect value={answers.zone} onChange={(zone) => change({ zone })} />
            <BreakRules value={answers.breaks} onChange={(breaks) => change({ breaks })} />
          </div>
        </details>
        <Group className={classes.actions}>
          <Button type="submit" size="md" loading={isBusy}>
            {t('firstRun.begin')}
          </Button>
          <Button variant="subtle" color="gray" size="md" onClick={onSkip}>
            {t('firstRun.skip')}
          </Button>
        </Group>
      </form>
    </main>
  )
}

interface PastStartProps {
  dueMs: DurationMs
  openingMs: DurationMs
  isDueWorked: boolean
  onBeginToday: () => void
  onCount: (isDueWorked: boolean) => void
}

/** Explains the balance that a start in the past leads to, and offers to begin today or to count the days before. */
function PastStart({ dueMs, openingMs, isDueWorked, onBeginToday, onCount }: PastStartProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const balanceMs = isDueWorked ? openingMs : openingMs - dueMs
  return (
    <Notice
      actions={
        <>
          <Button size="compact-sm" variant="default" onClick={onBeginToday}>
            {t('firstRun.past.today')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => onCount(!isDueWorked)}>
            {t(isDueWorked ? 'firstRun.past.record' : 'firstRun.past.count')}
          </Button>
        </>
      }
    >
      {t(isDueWorked ? 'firstRun.past.counted' : 'firstRun.past.due', {
        due: format.duration(dueMs),
        balance: format.delta(balanceMs),
      })}
    </Notice>
  )
}

interface QuestionProps {
  title: string
  help?: string
  children: ReactNode
}

function Question({ title, help, children }: QuestionProps) {
  const id = useId()
  return (
    <section className={classes.question} aria-labelledby={id}>
      <span className={classes.number} aria-hidden />
      <div className={classes.answer}>
        <Title order={2} id={id}>
          {title}
        </Title>
        {help && <Text c="dimmed">{help}</Text>}
        {children}
      </div>
    </section>
  )
}
