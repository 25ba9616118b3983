import { Button } from '@mantine/core'
import { useSaldo } from '@saldo/client/react'
import { settingsOn } from '@saldo/core'
import { useState } from 'react'
import { useTranslation } from '../../../i18n/translation.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { useTimeline, useToday } from '../TimelineProvider.tsx'
import { CloseWeeksButton, useOpenWeeks } from './CloseWeeksButton.tsx'
import { postponedWeek, postponeWeek, weekToRemind } from './open-weeks-model.ts'

/** Reminds of finished weeks that are open, unless the service closes them by itself. */
export function OpenWeeksNotice() {
  const { t } = useTranslation()
  const { user } = useSaldo()
  const { timeline } = useTimeline()
  const today = useToday()
  const openWeeks = useOpenWeeks()
  const [postponed, setPostponed] = useState(() => postponedWeek(user))
  const newest = weekToRemind(openWeeks, settingsOn(timeline, today)?.auto_close, postponed)
  if (!newest) return null
  const postpone = () => {
    postponeWeek(user, newest)
    setPostponed(newest)
  }
  return (
    <Notice
      actions={
        <>
          <CloseWeeksButton size="compact-sm" openWeeks={openWeeks} />
          <Button size="compact-sm" variant="default" onClick={postpone}>
            {t('openWeeks.later')}
          </Button>
        </>
      }
    >
      {t('openWeeks.why', { count: openWeeks.length })}
    </Notice>
  )
}
