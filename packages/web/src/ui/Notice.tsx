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
