import { Stack, Text, Title } from '@mantine/core'
import type { OwnMembership } from '@saldo/core'
import type { ReactNode } from 'react'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { Lines } from './Lines.tsx'
import { DefaultLines } from './MemberDefaults.tsx'
import { monthLines, ruleLines, sightLines } from './sight-lines.ts'

/** Says in words who sees what of a member, and how absences are entered, before they accept (D24.3). */
export function MembershipTerms({ membership }: { membership: OwnMembership }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { company, group, from, until, sees_members, policy, defaults } = membership
  const values = { company, group, from: format.date(from, 'full'), until: until && format.date(until, 'full') }
  return (
    <Stack gap="md">
      <Text>{t(until === null ? 'team.membership.from' : 'team.membership.between', values)}</Text>
      <Part title={t('team.membership.colleagues')}>
        <Text>{t(sees_members ? 'team.membership.seesMembers' : 'team.membership.seesNobody', values)}</Text>
      </Part>
      <Part title={t('team.membership.lead')}>
        <Lines lines={sightLines('lead', policy.policy)} />
      </Part>
      <Part title={t('team.membership.hr')}>
        <Lines lines={sightLines('hr', policy.policy)} />
      </Part>
      <Part title={t('team.membership.rules')}>
        <Lines lines={ruleLines(policy.policy)} />
      </Part>
      <Part title={t('team.membership.months')}>
        <Lines lines={monthLines(policy.policy)} />
      </Part>
      {Object.keys(defaults).length > 0 && (
        <Part title={t('team.membership.defaults')}>
          <DefaultLines defaults={defaults} />
        </Part>
      )}
      <Part title={t('team.membership.yours')}>
        <Text>{t('team.membership.never')}</Text>
      </Part>
    </Stack>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Title order={3} size="h5" mb={4}>
        {title}
      </Title>
      {children}
    </div>
  )
}
