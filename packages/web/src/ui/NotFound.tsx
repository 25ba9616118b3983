import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { ViewTitle } from './ViewHeader.tsx'

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
