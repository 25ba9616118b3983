import { Button, Text } from '@mantine/core'
import { type CompanyTrailRow, epochMs, type LocalDate } from '@saldo/core'
import { useCallback, useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import rows from '../../../ui/rows.module.css'
import { useResource } from '../../../ui/useResource.ts'
import classes from './CompanyView.module.css'

/** The trail of the company, the newest rows first: who gave and confirmed roles, and changed groups and rules. */
export function TrailPart() {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const [pageCount, setPageCount] = useState(1)
  const { answer, failure } = useResource(
    useCallback(async () => {
      let pages = await calls.trail(null)
      for (let count = 1; count < pageCount && pages.cursor !== null; count += 1) {
        const next = await calls.trail(pages.cursor)
        pages = { ...next, items: [...pages.items, ...next.items] }
      }
      return pages
    }, [calls, pageCount]),
  )
  return (
    <div className={classes.part}>
      <Text>{t('team.trail.lead')}</Text>
      {failure && <Text role="alert">{failure}</Text>}
      {answer && (
        <ol className={rows.list}>
          {answer.items.map((row) => (
            <TrailRow key={row.number} row={row} />
          ))}
        </ol>
      )}
      {answer && answer.cursor !== null && (
        <Button variant="default" style={{ justifySelf: 'start' }} onClick={() => setPageCount(pageCount + 1)}>
          {t('team.trail.more')}
        </Button>
      )}
    </div>
  )
}

function TrailRow({ row: { at, actor, kind, user, role, group, from, until } }: { row: CompanyTrailRow }) {
  const { t } = useTranslation()
  const format = useFormat()
  const datesOf = (first: LocalDate) =>
    until === null
      ? t('team.roles.from', { from: format.date(first, 'medium') })
      : format.dateRange({ from: first, to: until })
  const text = t(`team.trail.kind.${kind}`, {
    name: user?.name ?? '',
    role: role === null ? '' : t(`team.role.${role}.name`),
    group: group ?? '',
    from: from === null ? '' : format.date(from, 'medium'),
    month: from === null ? '' : format.date(from, 'month'),
  })
  const hasDates = kind !== 'policy_changed' && kind !== 'payroll_exported'
  return (
    <li className={rows.row}>
      <div className={rows.what}>
        <div className={rows.name}>{text}</div>
        <div className={rows.details}>
          {format.dateTime(epochMs(at))} · {actor?.name ?? t('team.trail.operator')}
          {from !== null && hasDates && ` · ${datesOf(from)}`}
        </div>
      </div>
    </li>
  )
}
