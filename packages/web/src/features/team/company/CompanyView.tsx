import type { ReactNode } from 'react'
import { useParams } from 'wouter'
import { useTeam } from '../../../domain/team/TeamProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { NotFound, ViewHeader } from '../../../ui/ViewHeader.tsx'
import { PartLinks } from '../PartLinks.tsx'
import { type CompanyPart, partsOf } from '../team-pages.ts'
import { BlocksPart } from './BlocksPart.tsx'
import { GroupsPart } from './GroupsPart.tsx'
import { LeavePart } from './LeavePart.tsx'
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
  leave: LeavePart,
  trail: TrailPart,
}

/** The company for its HR, for admins and the works council, in parts such as people, roles, policy and leave. */
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
      <PartLinks
        label={t('team.company.parts')}
        parts={names.map((name) => ({
          href: `/team/company/${name}`,
          text: t(`team.company.part.${name}`),
          isHere: name === here,
        }))}
      />
      <Part />
    </>
  )
}
