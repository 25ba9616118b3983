import { Anchor, Button, Checkbox, Group } from '@mantine/core'
import { lastCountedDate, sheetOf, sheetWorkbookOf } from '@saldo/client/export'
import { useSaldo } from '@saldo/client/react'
import { type DateRange, type LocalDate, monthOf } from '@saldo/core'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { clock } from '../../../context/clock.ts'
import { useTimeline } from '../../../domain/account/TimelineProvider.tsx'
import { useProfile } from '../../../domain/profile/useProfile.ts'
import { SheetPaper } from '../../../domain/sheet/SheetPaper.tsx'
import { useSheetWords } from '../../../domain/sheet/useSheetWords.ts'
import { hasMonths, useTeam } from '../../../domain/team/TeamProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { DateInput } from '../../../ui/DateInput.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { IconPrinter, IconTable } from '../../../ui/icons.ts'
import { ProblemText } from '../../../ui/Notice.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { ViewHeader } from '../../../ui/ViewHeader.tsx'
import { WindowName } from '../../../ui/window-title.tsx'
import { datesOfPeriod, type Period, pathOf } from '../period.ts'
import classes from './SheetView.module.css'
import { rangeProblem, rememberPrint } from './sheet-model.ts'
import { useSheetAccount } from './useSheetAccount.ts'

const OwnMonth = lazy(() => import('../../../domain/team/OwnMonth.tsx'))

/** The month sheet with its choices, for print and as a workbook. */
export default function SheetView({ period }: { period: Period }) {
  const { t } = useTranslation()
  const [range, setRange] = useState<DateRange>(() => datesOfPeriod(period))
  const [withProjects, setWithProjects] = useState(false)
  const [withNotes, setWithNotes] = useState(false)
  const [withHints, setWithHints] = useState(false)
  const { timeline } = useTimeline()
  const hasHints = timeline.some(({ hints, core_time, frame }) => hints || core_time || frame)
  const profile = useProfile()
  const isMember = hasMonths(useTeam().team)
  const problem = rangeProblem(range)
  const change = (side: keyof DateRange) => (date: LocalDate) => setRange({ ...range, [side]: date })
  return (
    <div className={classes.view}>
      <ViewHeader title={t('calendar.sheet.title')} />
      {isMember && (
        <Suspense>
          <OwnMonth month={monthOf(datesOfPeriod(period).from)} place="sheet" />
        </Suspense>
      )}
      <div className={classes.choices}>
        <Group align="flex-start">
          <DateInput label={t('calendar.sheet.from')} value={range.from} onChange={change('from')} />
          <DateInput label={t('calendar.sheet.to')} value={range.to} onChange={change('to')} />
        </Group>
        <Group>
          <Checkbox
            label={t('calendar.sheet.withProjects')}
            checked={withProjects}
            onChange={(event) => setWithProjects(event.currentTarget.checked)}
          />
          <Checkbox
            label={t('calendar.sheet.withNotes')}
            checked={withNotes}
            onChange={(event) => setWithNotes(event.currentTarget.checked)}
          />
          {hasHints && (
            <Checkbox
              label={t('calendar.sheet.withHints')}
              checked={withHints}
              onChange={(event) => setWithHints(event.currentTarget.checked)}
            />
          )}
        </Group>
        {profile.name === '' && (
          <p>
            {t('calendar.sheet.nameless')}{' '}
            <Anchor component={Link} href="/settings">
              {t('calendar.sheet.toProfile')}
            </Anchor>
          </p>
        )}
      </div>
      {problem ? (
        <ProblemText>{t(`calendar.sheet.problem.${problem}`)}</ProblemText>
      ) : (
        <Preview range={range} choices={{ profile, withProjects, withNotes, withHints }} />
      )}
      <p>
        <Anchor component={Link} href={pathOf(period)}>
          {t('calendar.sheet.back')}
        </Anchor>
      </p>
    </div>
  )
}

/** The name of a file or a print: the month, and whose it is. */
function nameOf(title: string, person: string): string {
  return [title, person].filter((part) => part !== '').join(', ')
}

interface PreviewProps {
  range: DateRange
  choices: Omit<Parameters<typeof sheetOf>[1], 'range' | 'countedTo'>
}

function Preview({ range, choices }: PreviewProps) {
  const { t } = useTranslation()
  const { act } = useAct()
  const { user } = useSaldo()
  const wordsOf = useSheetWords()
  const loaded = useSheetAccount(range)
  const sheet = loaded && sheetOf(loaded.account, { range, countedTo: lastCountedDate(loaded.account), ...choices })
  const version = loaded?.version ?? 0
  useEffect(() => {
    const remember = () => sheet && rememberPrint(user, sheet, version, clock.now())
    window.addEventListener('beforeprint', remember)
    return () => window.removeEventListener('beforeprint', remember)
  })
  if (!sheet) return undefined
  const words = wordsOf(sheet, version)
  const saveWorkbook = async () => {
    saveFile(`${nameOf(words.title, choices.profile.name)}.xlsx`, await sheetWorkbookOf(sheet, words))
    rememberPrint(user, sheet, version, clock.now())
  }
  return (
    <>
      <WindowName name={nameOf(words.title, choices.profile.name)} />
      <Group className={classes.actions ?? ''}>
        <Button leftSection={<IconPrinter size={18} aria-hidden />} onClick={() => print()}>
          {t('calendar.sheet.print')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconTable size={18} aria-hidden />}
          onClick={() => void act(saveWorkbook())}
        >
          {t('calendar.sheet.workbook')}
        </Button>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll the sheet on narrow screens */}
      <section className={classes.scroll} tabIndex={0} aria-label={t('calendar.sheet.preview')}>
        <SheetPaper sheet={sheet} words={words} />
      </section>
    </>
  )
}
