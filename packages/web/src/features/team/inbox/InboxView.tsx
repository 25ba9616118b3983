import { Text, UnstyledButton } from '@mantine/core'
import { useSaldo, useSyncStatus } from '@saldo/client/react'
import { epochMs, type InboxRow } from '@saldo/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useNow } from '../../../context/clock.ts'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { onTeamChange } from '../../../domain/team/team-changes.ts'
import { useRequestText } from '../../../domain/team/useRequestText.ts'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { useResource } from '../../../ui/useResource.ts'
import { useShortcuts } from '../../../ui/useShortcuts.ts'
import { ViewHeader } from '../../../ui/ViewHeader.tsx'
import classes from './InboxView.module.css'
import { keyOf, rowBeside, shownRow } from './inbox-model.ts'
import { RequestPanel } from './RequestPanel.tsx'

const MINUTE_MS = 60_000

/** The requests that wait for the user, the longest waiting first, each with what its decision needs. */
export function InboxView() {
  const { t } = useTranslation()
  const { user } = useSaldo()
  const calls = useTeamCalls()
  const isOffline = useSyncStatus()?.online === false
  const { answer, failure, again } = useResource(useCallback(() => calls.inbox(null), [calls]))
  useEffect(() => onTeamChange(user, () => void again()), [user, again])
  const [chosen, setChosen] = useState<{ key: string; place: number }>()
  const list = useRef<HTMLUListElement>(null)
  const rows = answer?.items ?? []
  const shown = shownRow(rows, chosen?.key, chosen?.place ?? 0)
  const choose = (row: InboxRow | undefined) => {
    if (!row) return
    setChosen({ key: keyOf(row), place: rows.indexOf(row) })
    list.current?.children[rows.indexOf(row)]?.querySelector('button')?.focus()
  }
  useShortcuts({
    J: () => choose(rowBeside(rows, shown, 1)),
    K: () => choose(rowBeside(rows, shown, -1)),
  })
  return (
    <>
      <ViewHeader title={t('team.inbox.title')} />
      {(isOffline || failure) && (
        <Text role="status" c="dimmed">
          {isOffline ? t('team.inbox.offline') : failure}
        </Text>
      )}
      {answer && rows.length === 0 && <Text c="dimmed">{t('team.inbox.none')}</Text>}
      {shown && (
        <>
          <p className={classes.keys}>{t('team.inbox.keys')}</p>
          <div className={classes.columns}>
            <ul className={classes.list} ref={list} aria-label={t('team.inbox.waiting')}>
              {rows.map((row) => (
                <li key={keyOf(row)}>
                  <Row row={row} isShown={row === shown} onChoose={() => choose(row)} />
                </li>
              ))}
            </ul>
            <RequestPanel
              key={keyOf(shown)}
              row={shown}
              isOffline={isOffline}
              onDecided={async () => {
                setChosen({ key: keyOf(shown), place: rows.indexOf(shown) })
                await again()
              }}
            />
          </div>
        </>
      )}
      {answer?.cursor && <Text c="dimmed">{t('team.inbox.more')}</Text>}
    </>
  )
}

function Row({ row, isShown, onChoose }: { row: InboxRow; isShown: boolean; onChoose: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const nowMs = useNow(MINUTE_MS)
  const { titleOf, datesOf } = useRequestText()
  const { user, asks, absence, from, to, asked_at, stage } = row
  const asked = { asks, absence, date: from, last_date: to, day_share: 1, amount_ms: null, changes: null }
  return (
    <UnstyledButton className={classes.row} aria-current={isShown || undefined} onClick={onChoose}>
      <span className={classes.name}>{user.name}</span>
      <span>{titleOf(asked)}</span>
      <span className={classes.muted}>{datesOf(asked)}</span>
      <span className={classes.muted}>
        {t('team.inbox.waits', { age: format.age(Math.max(0, nowMs - epochMs(asked_at))) })}
        {stage === 2 && ` · ${t('team.inbox.second')}`}
      </span>
    </UnstyledButton>
  )
}
