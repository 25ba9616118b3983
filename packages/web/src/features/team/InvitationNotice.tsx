import { Box, Button } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { useMemberships } from '../../domain/team/useMemberships.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { Notice } from '../../ui/Notice.tsx'

/** Leads to an invitation that waits, from every other view. */
export function InvitationNotice() {
  const { t } = useTranslation()
  const [path] = useLocation()
  const { answer } = useMemberships()
  const waiting = answer?.find(({ accepted_on }) => accepted_on === null)
  if (!waiting || path.startsWith('/team')) return null
  return (
    <Box mb="lg">
      <Notice
        actions={
          <Button component={Link} href="/team" size="compact-md" variant="default">
            {t('team.invitation.read')}
          </Button>
        }
      >
        {t('team.invitation.waits', { company: waiting.company })}
      </Notice>
    </Box>
  )
}
