import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'wouter'
import { useTeam } from '../../../domain/team/TeamProvider.tsx'
import { NotFound, ViewHeader } from '../../../ui/ViewHeader.tsx'
import { type CompanyPart, partsOf } from '../team-pages.ts'
import { BlocksPart } from './BlocksPart.tsx'
import classes from './CompanyView.module.css'
import { GroupsPart } from './GroupsPart.tsx'
import { PeoplePart } from './PeoplePart.tsx'
import { PolicyPart } from './PolicyPart.tsx'
import { RolesPart } from './RolesPart.tsx'
import { TrailPart } from './TrailPart.tsx'

const parts: Record<CompanyPart, () => ReactNode> = {
  people: PeoplePart,
  groups: GroupsPart,
  roles: RolesPart,
  policy: PolicyPart,
  blocks: BlocksPart,
  trail: TrailPart,
}

/** The company for its HR, for admins and the works council: people, groups, roles, policy, blocked periods, trail. */
export default function CompanyView() {
  const { t } = useTranslation()
  const { part } = useParams<{ part?: string }>()
  const { team } = useTeam()
  const names = team ? partsOf(team) : []
  const here = part === undefined ? names[0] : names.find((name) => name === part)
  if (!here || !team) return <NotFound />
  const Part = parts[here]
  return (
    <>
      <ViewHeader title={team.company.name} />
      <nav className={classes.parts} aria-label={t('team.company.parts')}>
        {names.map((name) => (
          <Link key={name} href={`/team/company/${name}`} aria-current={name === here ? 'page' : undefined}>
            {t(`team.company.part.${name}`)}
          </Link>
        ))}
      </nav>
      <Part />
    </>
  )
}
