import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './ImportExportView.module.css'

/** A part of the view, with its heading. */
export function Part({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={classes.part} aria-labelledby={id}>
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
