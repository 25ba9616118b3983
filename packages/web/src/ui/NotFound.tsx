import { Anchor, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'

/** Says that an address leads nowhere. */
export function NotFound() {
  const { t } = useTranslation()
  return (
    <>
      <Title order={1}>{t('ui.notFound.title')}</Title>
      <Text mt="sm">{t('ui.notFound.why')}</Text>
      <Anchor component={Link} href="/" mt="sm" display="inline-block">
        {t('ui.notFound.home')}
      </Anchor>
    </>
  )
}
