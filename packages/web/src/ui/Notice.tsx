import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconAlertTriangle } from './icons.ts'
import classes from './Notice.module.css'

/** A warning with actions. */
export function Notice({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <div className={classes.notice} role="note">
      <IconAlertTriangle className={classes.icon} size={18} aria-hidden />
      <div className={classes.text}>{children}</div>
      {actions && <div className={classes.actions}>{actions}</div>}
    </div>
  )
}

/** The reason why a form cannot be submitted; screen readers announce it. */
export function ProblemText({ children }: { children: ReactNode }) {
  return (
    <Text role="alert" c="var(--saldo-error-text)" size="sm">
      {children}
    </Text>
  )
}
