import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useViewName } from './useViewName.ts'
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

/** The heading of a view, which names the window too. */
export function ViewTitle({
  className = classes.title,
  children,
}: {
  className?: string | undefined
  children: ReactNode
}) {
  return (
    <Title order={1} ref={useViewName()} className={className}>
      {children}
    </Title>
  )
}
