import { Anchor, Button, Group, SegmentedControl, Select, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  type AwayPage,
  type DateRange,
  datesOfFacts,
  datesOfMonth,
  intersection,
  type Month,
  monthAfter,
  monthOf,
} from '@saldo/core'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { Link, useParams } from 'wouter'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useToday } from '../../../domain/account/TimelineProvider.tsx'
import { settingsAddress } from '../../../domain/settings-sections.ts'
import { KeptNotice } from '../../../domain/team/KeptNotice.tsx'
import { useByName } from '../../../domain/team/useByName.ts'
import { useTeamAnswer, useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { PeriodHeader } from '../../../ui/PeriodHeader.tsx'
import { NotFound } from '../../../ui/ViewHeader.tsx'
import { AwayGrid } from './AwayGrid.tsx'
import { AwayList } from './AwayList.tsx'
import classes from './AwayView.module.css'
import { parseMonth } from './away-model.ts'
import { Legend } from './Legend.tsx'

const pathOf = (month: Month) => `/team/away/${month}`

/** Shows who is away in the month of the address. */
export function AwayView() {
  const { part } = useParams<{ part?: string }>()
  const today = useToday()
  const month = parseMonth(part, today)
  if (!month) return <NotFound />
  const { from, to } = intersection(datesOfMonth(month), datesOfFacts(today))
  return from <= to ? <OneMonth month={month} /> : <UnknownMonth month={month} />
}

/** Says of a month long ago, or far ahead, that it is not known who is away. */
function UnknownMonth({ month }: { month: Month }) {
  const { t } = useTranslation()
  return (
    <div className={classes.view}>
      <MonthHeader month={month} />
      <Text c="dimmed">{t('team.away.unknown')}</Text>
    </div>
  )
}

function MonthHeader({ month, shown }: { month: Month; shown?: ReactNode }) {
  const { t } = useTranslation()
  const today = useToday()
  const format = useFormat()
  return (
    <PeriodHeader
      title={format.date(datesOfMonth(month).from, 'month')}
      before={{ href: pathOf(monthAfter(month, -1)), label: t('team.away.before') }}
      after={{ href: pathOf(monthAfter(month, 1)), label: t('team.away.after') }}
      now={{ href: '/team', label: t('team.away.now'), isShown: month === monthOf(today) }}
      shown={shown}
    />
  )
}

function OneMonth({ month }: { month: Month }) {
  const { t } = useTranslation()
  const today = useToday()
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const [chosen, choose] = useState<'grid' | 'list'>()
  const [group, setGroup] = useState<number | null>(null)
  const [pageCount, setPageCount] = useState(1)
  const shown = chosen ?? (isNarrow ? 'list' : 'grid')
  const range = intersection(datesOfMonth(month), datesOfFacts(today))
  const byName = useByName()
  const { answer: read, failure, keptAtMs } = useAwayPages(range, group, pageCount)
  const answer = useMemo(() => read && { ...read, items: read.items.toSorted(byName) }, [read, byName])
  const groups = answer?.groups ?? []
  return (
    <div className={classes.view}>
      <MonthHeader
        month={month}
        shown={
          <SegmentedControl
            aria-label={t('team.away.shownAs')}
            value={shown}
            onChange={(next) => choose(next)}
            data={[
              { value: 'grid', label: t('team.away.grid') },
              { value: 'list', label: t('team.away.list') },
            ]}
          />
        }
      />
      <KeptNotice keptAtMs={keptAtMs} failure={failure} />
      <Group align="flex-end" justify="space-between">
        {groups.length > 1 && (
          <Select
            label={t('team.away.group')}
            data={[
              { value: '', label: t('team.away.allGroups') },
              ...groups.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            value={group === null ? '' : String(group)}
            allowDeselect={false}
            onChange={(value) => setGroup(value ? Number(value) : null)}
          />
        )}
        {answer && <Legend items={answer.items} />}
        <Anchor component={Link} href={settingsAddress('feeds')}>
          {t('team.away.subscribe')}
        </Anchor>
      </Group>
      {answer?.items.length === 0 && <Text c="dimmed">{t('team.away.nobody')}</Text>}
      {answer && answer.items.length > 0 && (
        <>
          {shown === 'grid' ? (
            <AwayGrid page={answer} range={range} today={today} />
          ) : (
            <AwayList page={answer} range={range} today={today} />
          )}
          {answer.cursor !== null && (
            <Button variant="default" className={classes.more ?? ''} onClick={() => setPageCount(pageCount + 1)}>
              {t('team.away.more')}
            </Button>
          )}
        </>
      )}
    </div>
  )
}

/** Returns the first pages of who is away in a month, as one. */
function useAwayPages({ from, to }: DateRange, group: number | null, pageCount: number) {
  const calls = useTeamCalls()
  const ask = useCallback(async () => {
    let pages: AwayPage = await calls.away({ from, to, group, cursor: null })
    for (let count = 1; count < pageCount && pages.cursor !== null; count += 1) {
      const next = await calls.away({ from, to, group, cursor: pages.cursor })
      pages = { ...next, items: [...pages.items, ...next.items] }
    }
    return pages
  }, [calls, from, to, group, pageCount])
  return useTeamAnswer(`away-${from}-${group ?? 'all'}-${pageCount}`, ask)
}
