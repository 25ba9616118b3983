import { Button } from '@mantine/core'
import { useSaldo } from '@saldo/client/react'
import { useCallback, useEffect } from 'react'
import { Link } from 'wouter'
import { onTeamChange } from '../../../domain/team/team-changes.ts'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { useResource } from '../../../ui/useResource.ts'
import { keepSeenRow, lookAtTrail } from './seen-trail.ts'

/** Warns if the log of the account no longer has what this device has seen of it (D29.4). */
export function TrailWatch() {
  const { t } = useTranslation()
  const { user } = useSaldo()
  const calls = useTeamCalls()
  const { answer: lost, again } = useResource(
    useCallback(() => lookAtTrail(localStorage, user, calls.ownTrail), [user, calls]),
  )
  useEffect(() => onTeamChange(user, () => void again()), [user, again])
  if (!lost) return null
  const noted = () => {
    keepSeenRow(localStorage, user, lost.last)
    void again()
  }
  return (
    <Notice
      actions={
        <>
          <Button component={Link} href="/team/months/trail" variant="default" size="compact-sm">
            {t('team.log.title')}
          </Button>
          <Button variant="default" size="compact-sm" onClick={noted}>
            {t('team.log.noted')}
          </Button>
        </>
      }
    >
      {t(`team.log.lost.${lost.state}`)}
    </Notice>
  )
}
