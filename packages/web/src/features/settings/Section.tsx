import type { ReactNode } from 'react'
import { TitledSection } from '../../ui/TitledSection.tsx'
import classes from './Section.module.css'

interface Props {
  title: string
  lead?: string
  children: ReactNode
}

/** A section of the settings: on a wide screen, its heading stands beside its fields. */
export function Section({ title, lead, children }: Props) {
  return (
    <TitledSection title={title} lead={lead} className={classes.section}>
      <div className={classes.inside}>{children}</div>
    </TitledSection>
  )
}
