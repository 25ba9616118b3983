import { Anchor, Text, Title } from '@mantine/core'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useTranslation } from '../i18n/translation.ts'
import classes from './ViewHeader.module.css'
import { nameWindow } from './window-title.tsx'

/**
 * Returns the ref of a view's heading, whose text becomes the title of the window.
 */
function useViewName(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    nameWindow(heading.current?.textContent ?? '')
  })
  return heading
}

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

/** Says that an address leads nowhere. */
export function NotFound() {
  const { t } = useTranslation()
  return (
    <>
      <ViewTitle>{t('ui.notFound.title')}</ViewTitle>
      <Text mt="sm">{t('ui.notFound.why')}</Text>
      <Anchor component={Link} href="/" mt="sm" display="inline-block">
        {t('ui.notFound.home')}
      </Anchor>
    </>
  )
}
