import { Button, Text } from '@mantine/core'
import type { TeamRole, TeamSummary } from '@saldo/core'
import { lazy, Suspense } from 'react'
import { Link, useParams } from 'wouter'
import { useFormat } from '../../context/FormatProvider.tsx'
import { Invitations } from '../../domain/team/Invitations.tsx'
import { useTeam } from '../../domain/team/TeamProvider.tsx'
import { useMemberships } from '../../domain/team/useMemberships.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { Notice } from '../../ui/Notice.tsx'
import { NotFound, ViewHeader } from '../../ui/ViewHeader.tsx'
import { AwayView } from './away/AwayView.tsx'
import { InboxView } from './inbox/InboxView.tsx'
import { RequestsView } from './requests/RequestsView.tsx'
import classes from './TeamView.module.css'
import { pageNamed, pagesOf, type TeamPage } from './team-pages.ts'

export { InvitationNotice } from './InvitationNotice.tsx'

const BoardView = lazy(() => import('./board/BoardView.tsx'))
const CompanyView = lazy(() => import('./company/CompanyView.tsx'))
const MonthsView = lazy(() => import('./months/MonthsView.tsx'))
const PayrollView = lazy(() => import('./payroll/PayrollView.tsx'))

/** The company of the user: who is away, requests, and for some the inbox and the company itself. */
export default function TeamView() {
  const { team, isKnown } = useTeam()
  if (!team) return isKnown ? <NotFound /> : null
  return <Team team={team} />
}

function Team({ team }: { team: TeamSummary }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { page } = useParams<{ page?: string }>()
  const { answer = [], again } = useMemberships()
  const isInvited = answer.some(({ accepted_on }) => accepted_on === null)
  const { roles_without_key: rolesWithoutKey } = team
  const isWaiting = isInvited || rolesWithoutKey.length > 0
  const pages = pagesOf(team)
  const here = page === undefined ? pages[0] : pages.find((each) => each === page)
  return (
    <div className={classes.view}>
      {pages.length > 1 && (
        <nav className={classes.tabs} aria-label={team.company.name}>
          {pages.map((each, index) => (
            <Link
              key={each}
              href={index === 0 ? '/team' : `/team/${each}`}
              aria-current={each === here ? 'page' : undefined}
            >
              {t(`team.page.${each}`)}
            </Link>
          ))}
        </nav>
      )}
      {isWaiting && !here && page === undefined && <ViewHeader title={t('team.title')} />}
      {rolesWithoutKey.length > 0 && <KeyNotice roles={rolesWithoutKey} />}
      {isInvited && page === undefined && <Invitations memberships={answer} onAnswered={again} />}
      {team.left_on !== null && (
        <Text c="dimmed">
          {t('team.left', { company: team.company.name, date: format.date(team.left_on, 'medium') })}
        </Text>
      )}
      {here && <Page page={here} />}
      {!here && (page !== undefined || !isWaiting) && <NoPage page={pageNamed(page)} />}
    </div>
  )
}

/** Says that roles rest until their user sets up a second factor (D24.9). */
function KeyNotice({ roles }: { roles: readonly TeamRole[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Notice
      actions={
        <Button component={Link} href="/settings#secondFactor" size="compact-md" variant="default">
          {t('team.key.setUp')}
        </Button>
      }
    >
      {t('team.key.missing', { roles: format.list(roles.map((role) => t(`team.role.${role}.name`))) })}
    </Notice>
  )
}

/** Says that a page needs a role that the user does not have now, such as a deputy while the lead is there. */
function NoPage({ page }: { page: TeamPage | undefined }) {
  const { t } = useTranslation()
  if (page === undefined) return <NotFound />
  return (
    <>
      <ViewHeader title={t(`team.page.${page}`)} />
      <Text>{t('team.noRole')}</Text>
    </>
  )
}

function Page({ page }: { page: TeamPage }) {
  switch (page) {
    case 'away':
      return <AwayView />
    case 'requests':
      return <RequestsView />
    case 'inbox':
      return <InboxView />
    case 'months':
      return (
        <Suspense>
          <MonthsView />
        </Suspense>
      )
    case 'board':
      return (
        <Suspense>
          <BoardView />
        </Suspense>
      )
    case 'payroll':
      return (
        <Suspense>
          <PayrollView />
        </Suspense>
      )
    case 'company':
      return (
        <Suspense>
          <CompanyView />
        </Suspense>
      )
  }
}
