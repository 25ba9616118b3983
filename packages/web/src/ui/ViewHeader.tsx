import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './ViewHeader.module.css'

/** The name of a view, then what can be done in it beside. */
export function ViewHeader({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={classes.header}>
      <ViewTitle>{title}</ViewTitle>
      {children}
    </div>
  )
}

export function ViewTitle({ children }: { children: ReactNode }) {
  return (
    <Title order={1} className={classes.title}>
      {children}
    </Title>
  )
}
