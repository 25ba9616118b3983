import { Button, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { failureOf } from './failure.ts'

export function Failed({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const { key, detail } = failureOf(error)
  return (
    <Stack role="alert" maw="32rem" mx="auto" p="xl" align="flex-start">
      <Title order={1}>{t('app.failed.title')}</Title>
      <Text>{t(key, { detail })}</Text>
      <Text c="dimmed">{t('app.failed.safe')}</Text>
      <Button onClick={() => location.reload()}>{t('app.failed.reload')}</Button>
    </Stack>
  )
}
