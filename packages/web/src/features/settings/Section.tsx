import type { ReactNode } from 'react'
import type { SettingsSection } from '../../domain/settings-sections.ts'
import { TitledSection } from '../../ui/TitledSection.tsx'
import classes from './Section.module.css'

interface Props {
  id: SettingsSection
  title: string
  lead?: string
  children: ReactNode
}

/** A section of the settings: on a wide screen, its heading stands beside its fields. */
export function Section({ id, title, lead, children }: Props) {
  return (
    <TitledSection id={id} title={title} lead={lead} className={classes.section}>
      <div className={classes.inside}>{children}</div>
    </TitledSection>
  )
}
