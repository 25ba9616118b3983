import { Button, Checkbox, Group, Select, Text } from '@mantine/core'
import { useSaldo, useSyncStatus } from '@saldo/client/react'
import {
  type BoardRow,
  datesOfMonth,
  type Month,
  type MonthResult,
  monthAfter,
  monthOf,
  monthStates,
  type UserNumber,
} from '@saldo/core'
import { useCallback, useEffect, useState } from 'react'
import { useParams } from 'wouter'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useToday } from '../../../domain/account/TimelineProvider.tsx'
import { onTeamChange } from '../../../domain/team/team-changes.ts'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { useBusy } from '../../../ui/feedback/useAttempt.ts'
import { PeriodHeader } from '../../../ui/PeriodHeader.tsx'
import tables from '../../../ui/table.module.css'
import { useResource } from '../../../ui/useResource.ts'
import { NotFound } from '../../../ui/ViewHeader.tsx'
import { useIsHr } from '../company/useCompany.ts'
import { inHundreds } from '../in-hundreds.ts'
import { BoardLine } from './BoardLine.tsx'
import classes from './BoardView.module.css'
import { type BoardAction, chosenAmong, outcomeCounts, parsePlace, pathOfPlace, withOutcomes } from './board-model.ts'
import { MemberSheet } from './MemberSheet.tsx'
import { type MonthDecision, MonthReasonDialog } from './MonthReasonDialog.tsx'
import { digestsRead } from './read-sheets.ts'

/** The month of the address of all people whom the user leads, or the sheet of one of them. */
export default function BoardView() {
  const { part } = useParams<{ part?: string }>()
  const place = parsePlace(part, useToday())
  if (!place) return <NotFound />
  const { month, user } = place
  return user === undefined ? <Board key={month} month={month} /> : <MemberSheet key={part} user={user} month={month} />
}

function Board({ month }: { month: Month }) {
  const { t } = useTranslation()
  const format = useFormat()
  const lastMonth = monthAfter(monthOf(useToday()), -1)
  const [pageCount, setPageCount] = useState(1)
  const { answer, failure, again } = useBoard(month, pageCount)
  const { from } = datesOfMonth(month)
  return (
    <div className={classes.view}>
      <PeriodHeader
        title={format.date(from, 'month')}
        subtitle={t('team.board.title')}
        before={{ href: pathOfPlace(monthAfter(month, -1)), label: t('team.away.before') }}
        after={{ href: pathOfPlace(monthAfter(month, 1)), label: t('team.away.after') }}
        now={{ href: '/team/board', label: t('team.board.last'), isShown: month === lastMonth }}
      />
      {failure && <Text role="alert">{failure}</Text>}
      {answer?.items.length === 0 && <Text c="dimmed">{t('team.board.nobody')}</Text>}
      {answer?.items.some(({ without_entries }) => without_entries === null) && (
        <Text c="dimmed">{t('team.board.longAgo')}</Text>
      )}
      {answer && answer.items.length > 0 && <People rows={answer.items} month={month} onDone={again} />}
      {answer?.cursor != null && (
        <Button variant="default" className={classes.more ?? ''} onClick={() => setPageCount(pageCount + 1)}>
          {t('team.away.more')}
        </Button>
      )}
    </div>
  )
}

/** Returns the first pages of the board of a month, as one. */
function useBoard(month: Month, pageCount: number) {
  const { user } = useSaldo()
  const calls = useTeamCalls()
  const board = useResource(
    useCallback(async () => {
      let pages = await calls.board({ month, cursor: null })
      for (let count = 1; count < pageCount && pages.cursor !== null; count += 1) {
        const next = await calls.board({ month, cursor: pages.cursor })
        pages = { ...next, items: [...pages.items, ...next.items] }
      }
      return pages
    }, [calls, month, pageCount]),
  )
  const { again } = board
  useEffect(() => onTeamChange(user, () => void again()), [user, again])
  return board
}

interface PeopleProps {
  rows: readonly BoardRow[]
  month: Month
  onDone: () => Promise<void>
}

/** The people of the board; many of them can be chosen, and their month locked, returned or reopened. */
function People({ rows, month, onDone }: PeopleProps) {
  const { t } = useTranslation()
  const isHr = useIsHr()
  const calls = useTeamCalls()
  const { user: viewer } = useSaldo()
  const { act } = useAct()
  const { isBusy, run } = useBusy()
  const isOffline = useSyncStatus()?.online === false
  const [state, setState] = useState<BoardRow['state'] | ''>('')
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [done, setDone] = useState<{ action: BoardAction; results: readonly MonthResult[] }>()
  const [asked, setAsked] = useState<MonthDecision>()
  const results = done?.results ?? []
  const shown = withOutcomes(rows, done).filter((row) => state === '' || row.state === state)
  const people = chosenAmong(shown, chosen)
  const decide = async (action: BoardAction, reason: string | null) => {
    const call = { lock: calls.lockMonths, return: calls.returnMonths, reopen: calls.reopenMonths }[action]
    const users = people.map(({ user_id }) => user_id)
    const digestsOf = (some: readonly UserNumber[]) => (action === 'lock' ? digestsRead(viewer, month, some) : [])
    const work = inHundreds(users, (some) => call(month, { users: some, reason, digests: digestsOf(some) }))
    if (!(await act(work))) return
    setDone({ action, results: await work })
    setChosen(new Set())
    setAsked(undefined)
    await onDone()
  }
  const choose = (user: number, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(user)
    else next.delete(user)
    setChosen(next)
  }
  const isDisabled = isOffline || people.length === 0
  return (
    <>
      <Group align="flex-end">
        <Select
          label={t('team.board.state')}
          data={[
            { value: '', label: t('ui.any') },
            ...monthStates.map((value) => ({ value, label: t(`team.month.state.${value}`) })),
          ]}
          value={state}
          allowDeselect={false}
          onChange={(value) => setState(value ?? '')}
        />
        <Button loading={isBusy} disabled={isDisabled} onClick={() => void run(() => decide('lock', null))}>
          {t('team.board.lock')}
        </Button>
        <Button variant="default" disabled={isDisabled} onClick={() => setAsked('return')}>
          {t('team.board.return')}
        </Button>
        {isHr && (
          <Button variant="default" disabled={isDisabled} onClick={() => setAsked('reopen')}>
            {t('team.board.reopen')}
          </Button>
        )}
      </Group>
      <Outcome results={results} />
      <table className={tables.figures} aria-label={t('team.board.title')}>
        <thead>
          <tr>
            <th scope="col" className={classes.check}>
              <Checkbox
                aria-label={t('team.board.chooseAll')}
                checked={people.length > 0 && people.length === shown.length}
                indeterminate={people.length > 0 && people.length < shown.length}
                onChange={(event) =>
                  setChosen(new Set(event.currentTarget.checked ? shown.map(({ user_id }) => user_id) : []))
                }
              />
            </th>
            <th scope="col" className={classes.name}>
              {t('team.people.person')}
            </th>
            <th scope="col">{t('team.board.state')}</th>
            <th scope="col" className={classes.wide}>
              {t('team.board.balance')}
            </th>
            <th scope="col" className={classes.wide}>
              {t('team.board.vacationLeft')}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <BoardLine
              key={row.user_id}
              row={row}
              month={month}
              result={results.find(({ user_id }) => user_id === row.user_id)}
              isChosen={chosen.has(row.user_id)}
              onChoose={(isChosen) => choose(row.user_id, isChosen)}
            />
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <Text c="dimmed">{t('team.people.none')}</Text>}
      {asked && (
        <MonthReasonDialog
          decision={asked}
          month={month}
          people={people}
          onDecide={(reason) => decide(asked, reason)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

/** Counts the people whom an act has changed; each of them has their own answer in the list. */
function Outcome({ results }: { results: readonly MonthResult[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const counts = outcomeCounts(results)
  const parts = (['changed', 'unchanged', 'rejected'] as const).filter((outcome) => counts[outcome] > 0)
  return (
    <Text role="status">
      {format.list(parts.map((outcome) => t(`team.board.outcome.${outcome}`, { count: counts[outcome] })))}
    </Text>
  )
}
