import { Anchor, Button, Text, Title } from '@mantine/core'
import { type OwnVisibility, policyOn } from '@saldo/core'
import { useCallback } from 'react'
import { Link } from 'wouter'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useToday } from '../../domain/account/TimelineProvider.tsx'
import { Lines } from '../../domain/team/Lines.tsx'
import { sightLines } from '../../domain/team/sight-lines.ts'
import { useTeam } from '../../domain/team/TeamProvider.tsx'
import { TrailLine } from '../../domain/team/TrailLine.tsx'
import { looksIn, wholeTrail } from '../../domain/team/trail-model.ts'
import { useMemberships } from '../../domain/team/useMemberships.ts'
import { useTeamAnswer, useTeamCalls } from '../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { RowName } from '../../ui/RowName.tsx'
import rows from '../../ui/rows.module.css'
import { useResource } from '../../ui/useResource.ts'
import { Section } from './Section.tsx'

const SHOWN_LOOKS = 10

/** Names each person with a role over the user and what they see, and the groups whose members do (D25.10). */
export function VisibilitySection() {
  const { t } = useTranslation()
  const { team } = useTeam()
  if (!team) return null
  return (
    <Section id="visibility" title={t('team.visibility.title')} lead={t('team.visibility.lead')}>
      <Visibility />
      <Looks />
      <Memberships />
    </Section>
  )
}

function Visibility() {
  const { t } = useTranslation()
  const format = useFormat()
  const calls = useTeamCalls()
  const { answer, failure, keptAtMs } = useTeamAnswer(
    'visibility',
    useCallback(() => calls.visibility(), [calls]),
  )
  return (
    <>
      {failure && <Text c="dimmed">{failure}</Text>}
      {keptAtMs !== undefined && <Text c="dimmed">{t('team.asOf', { when: format.dateTime(keptAtMs) })}</Text>}
      {answer && <People visibility={answer} />}
    </>
  )
}

function People({ visibility: { people, groups, policy } }: { visibility: OwnVisibility }) {
  const { t } = useTranslation()
  const format = useFormat()
  const today = useToday()
  const words = policyOn(policy ? [policy] : [], today)
  return (
    <>
      {people.length === 0 && groups.length === 0 && <Text>{t('team.visibility.nobody')}</Text>}
      {people.length > 0 && (
        <ul className={rows.list}>
          {people.map((person) => (
            <li key={`${person.user_id} ${person.role} ${person.group}`} className={rows.row}>
              <div className={rows.what}>
                <div className={rows.name}>{person.name}</div>
                <div className={rows.details}>
                  {t(person.in_force ? 'team.visibility.role' : 'team.visibility.roleNotInForce', {
                    role: t(`team.role.${person.role}.name`),
                    group: person.group,
                    from: format.date(person.from, 'medium'),
                  })}
                </div>
                <Lines lines={sightLines(person.role, words)} />
              </div>
            </li>
          ))}
        </ul>
      )}
      {groups.length > 0 && (
        <div>
          <Title order={3} size="h5">
            {t('team.visibility.groups')}
          </Title>
          <Text>
            {format.list(groups.map(({ name, members }) => t('team.visibility.group', { name, count: members })))}
          </Text>
          <Text c="dimmed" size="sm">
            {t('team.visibility.colleagues')}
          </Text>
        </div>
      )}
    </>
  )
}

/** Lists the latest looks of others at days and sheets. */
function Looks() {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const { answer } = useResource(useCallback(async () => looksIn(await wholeTrail(calls.ownTrail)), [calls]))
  if (!answer) return null
  return (
    <div>
      <Title order={3} size="h5">
        {t('team.visibility.looks')}
      </Title>
      {answer.length === 0 && <Text c="dimmed">{t('team.visibility.noLooks')}</Text>}
      {answer.length > 0 && (
        <ul className={rows.list}>
          {answer.slice(0, SHOWN_LOOKS).map((row) => (
            <TrailLine key={row.number} row={row} />
          ))}
        </ul>
      )}
      <Anchor component={Link} href="/team/months/trail">
        {t('team.log.title')}
      </Anchor>
    </div>
  )
}

function Memberships() {
  const { t } = useTranslation()
  const format = useFormat()
  const { answer = [] } = useMemberships()
  const accepted = answer.filter(({ accepted_on }) => accepted_on !== null)
  const isWaiting = accepted.length < answer.length
  return (
    <>
      {accepted.length > 0 && (
        <ul className={rows.list}>
          {accepted.map(({ id, company, group, from, until }) => (
            <li key={id} className={rows.row}>
              <RowName
                name={group === company ? company : `${company}, ${group}`}
                details={
                  until === null
                    ? t('team.visibility.memberFrom', { from: format.date(from, 'medium') })
                    : format.dateRange({ from, to: until })
                }
              />
            </li>
          ))}
        </ul>
      )}
      {isWaiting && (
        <Button component={Link} href="/team" variant="default">
          {t('team.invitation.read')}
        </Button>
      )}
    </>
  )
}
