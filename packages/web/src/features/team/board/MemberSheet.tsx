import { Anchor, Text } from '@mantine/core'
import { useSaldo } from '@saldo/client/react'
import { datesOfMonth, type Month, type MonthSheet } from '@saldo/core'
import { useCallback } from 'react'
import { Link } from 'wouter'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { StateOfMonth } from '../../../domain/team/StateOfMonth.tsx'
import { useMonthText } from '../../../domain/team/useMonthText.ts'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { useResource } from '../../../ui/useResource.ts'
import { ViewHeader } from '../../../ui/ViewHeader.tsx'
import { useIsHr } from '../company/useCompany.ts'
import { MonthSheetPaper } from '../months/MonthSheetPaper.tsx'
import months from '../months/MonthsView.module.css'
import { MemberChanges } from '../person/MemberChanges.tsx'
import classes from './BoardView.module.css'
import { pathOfPlace } from './board-model.ts'
import { noteSheetRead } from './read-sheets.ts'

/** The sheet of a month of somebody else, as far as the user sees it. They get to know of the look (D25.10). */
export function MemberSheet({ user, month }: { user: number; month: Month }) {
  const { t } = useTranslation()
  const format = useFormat()
  const calls = useTeamCalls()
  const { user: viewer } = useSaldo()
  const { answer, failure } = useResource(
    useCallback(async () => {
      const [sheet, name] = await Promise.all([calls.sheetOf(user, month), nameOf(calls, user, month)])
      noteSheetRead(viewer, month, user, sheet.digest)
      return { sheet, name }
    }, [calls, viewer, user, month]),
  )
  const profile = { name: answer?.name ?? '', personnel_number: '', employer: '' }
  const isHr = useIsHr()
  const title = format.date(datesOfMonth(month).from, 'month')
  return (
    <div className={months.view}>
      <ViewHeader title={[profile.name, title].filter(Boolean).join(', ')} />
      <Text c="dimmed">{t('team.board.looks')}</Text>
      {failure && <Text role="alert">{failure}</Text>}
      {answer && (
        <>
          <State sheet={answer.sheet} />
          <MonthSheetPaper answer={answer.sheet} profile={profile} />
        </>
      )}
      {answer && isHr && <MemberChanges user={user} name={profile.name} month={month} />}
      <p>
        <Anchor component={Link} href={pathOfPlace(month)}>
          {t('team.board.back')}
        </Anchor>
      </p>
    </div>
  )
}

function State({ sheet }: { sheet: MonthSheet }) {
  const textOf = useMonthText()
  const details = textOf(sheet)
  return (
    <div>
      <StateOfMonth state={sheet.state} />
      {details !== '' && <span className={classes.details}>{details}</span>}
    </div>
  )
}

/** Returns the name of somebody on the board; empty if they are no longer on it. */
async function nameOf(calls: ReturnType<typeof useTeamCalls>, user: number, month: Month): Promise<string> {
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof calls.board>> = await calls.board({ month, cursor })
    const found = page.items.find(({ user_id }) => user_id === user)
    if (found) return found.name
    cursor = page.cursor
  } while (cursor !== null)
  return ''
}
