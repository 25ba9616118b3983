import { ActionIcon, Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { Icon } from './icon.tsx'
import { IconChevronLeft, IconChevronRight } from './icons.ts'
import classes from './PeriodHeader.module.css'
import { useShortcuts } from './useShortcuts.ts'
import { ViewTitle } from './ViewHeader.tsx'

interface Way {
  href: string
  label: string
}

interface Props {
  title: ReactNode
  /** A line below the title. */
  subtitle?: string
  /** True if arrow keys and T lead to the neighbours and to today. */
  hasKeys?: boolean
  /** Content beside the title. */
  state?: ReactNode
  before: Way
  after: Way
  /** The period of today. */
  now: Way & { isShown: boolean }
  /** The control that switches the presentation. */
  shown?: ReactNode
  /** Further actions. */
  actions?: ReactNode
}

/** A day, week, month or year by its name, with the ways to its neighbours and to today: also by arrow keys and T. */
export function PeriodHeader({ title, subtitle, hasKeys = true, state, before, after, now, shown, actions }: Props) {
  const [, go] = useLocation()
  const keys = { ArrowLeft: () => go(before.href), ArrowRight: () => go(after.href), T: () => go(now.href) }
  useShortcuts(hasKeys ? keys : {})
  return (
    <div className={classes.header}>
      <div className={classes.when}>
        <div className={classes.name}>
          <ViewTitle>{title}</ViewTitle>
          {state}
        </div>
        {!now.isShown && (
          <Button component={Link} href={now.href} className={classes.now} variant="subtle" size="compact-sm">
            {now.label}
          </Button>
        )}
        {subtitle !== undefined && <p className={classes.subtitle}>{subtitle}</p>}
      </div>
      {shown && <div className={classes.shown}>{shown}</div>}
      <div className={classes.steps}>
        {actions}
        <Step way={before} Icon={IconChevronLeft} />
        <Step way={after} Icon={IconChevronRight} />
      </div>
    </div>
  )
}

function Step({ way: { href, label }, Icon }: { way: Way; Icon: Icon }) {
  return (
    <ActionIcon component={Link} href={href} variant="subtle" color="gray" size="lg" aria-label={label} title={label}>
      <Icon size={20} aria-hidden />
    </ActionIcon>
  )
}
