import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './TitledSection.module.css'

interface Props {
  /** The name by which an address leads to it. */
  id?: string
  title: string
  lead?: string | undefined
  className: string | undefined
  children: ReactNode
}

/** A section that is named by its heading, with a sentence below that. Its class lays it out. */
export function TitledSection({ id: name, title, lead, className, children }: Props) {
  const id = useId()
  return (
    <section id={name} className={className} aria-labelledby={id}>
      <div>
        <Title order={2} id={id}>
          {title}
        </Title>
        {lead && <p className={classes.lead}>{lead}</p>}
      </div>
      {children}
    </section>
  )
}
