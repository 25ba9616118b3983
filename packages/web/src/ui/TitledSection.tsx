import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './TitledSection.module.css'

interface Props {
  title: string
  lead?: string | undefined
  className: string | undefined
  children: ReactNode
}

/** A section that is named by its heading, with a sentence below that. Its class lays it out. */
export function TitledSection({ title, lead, className, children }: Props) {
  const id = useId()
  return (
    <section className={className} aria-labelledby={id}>
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
