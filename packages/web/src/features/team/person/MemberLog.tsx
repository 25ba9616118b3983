import { Button, Group, Text } from '@mantine/core'
import type { AccountTrailRow } from '@saldo/core'
import { useState } from 'react'
import { TrailLine } from '../../../domain/team/TrailLine.tsx'
import { wholeTrail } from '../../../domain/team/trail-model.ts'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { useBusy } from '../../../ui/feedback/useAttempt.ts'
import rows from '../../../ui/rows.module.css'

/** The log of a member's account, the latest first, once HR asks for it: reading it is in the log too (D29.5). */
export function MemberLog({ user }: { user: number }) {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const { act } = useAct()
  const { isBusy, run } = useBusy()
  const [log, setLog] = useState<AccountTrailRow[]>()
  const read = async () => {
    const work = wholeTrail((after) => calls.trailOf(user, after))
    if (await act(work)) setLog((await work).toReversed())
  }
  if (!log) {
    return (
      <Group>
        <Button variant="default" loading={isBusy} onClick={() => void run(read)}>
          {t('team.person.log')}
        </Button>
      </Group>
    )
  }
  if (log.length === 0) return <Text c="dimmed">{t('team.log.none')}</Text>
  return (
    <ul className={rows.list} aria-label={t('team.person.logOf')}>
      {log.map((row) => (
        <TrailLine key={row.number} row={row} />
      ))}
    </ul>
  )
}
