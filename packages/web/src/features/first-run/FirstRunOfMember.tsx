import { Invitations } from '../../domain/team/Invitations.tsx'
import { useMemberships } from '../../domain/team/useMemberships.ts'
import { Logo } from '../../ui/Logo.tsx'
import classes from './FirstRun.module.css'
import FirstRun from './FirstRun.tsx'

/** Shows the invitations of a new member first, then asks what their company leaves open. */
export default function FirstRunOfMember({ onSkip }: { onSkip: () => void }) {
  const { answer, failure, again } = useMemberships()
  if (!answer && failure === undefined) return null
  const memberships = answer ?? []
  if (memberships.some(({ accepted_on }) => accepted_on === null)) {
    return (
      <main className={classes.page}>
        <Logo />
        <Invitations memberships={memberships} onAnswered={again} />
      </main>
    )
  }
  const [first] = memberships
  return <FirstRun start={first && { since: first.from, defaults: first.defaults }} onSkip={onSkip} />
}
