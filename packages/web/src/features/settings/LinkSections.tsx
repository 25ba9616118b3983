import { Button, Text } from '@mantine/core'
import { connect } from '@saldo/client'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useResource } from '../../ui/useResource.ts'
import { Section } from './Section.tsx'

const askMe = () => connect().me()

/** Leads an admin to the accounts of the service; nothing for other users. */
export function AccountsSection() {
  const { t } = useTranslation()
  const { answer } = useResource(askMe)
  if (answer?.role !== 'admin') return null
  return (
    <Section title={t('settings.accounts.title')}>
      <Text>{t('settings.accounts.lead')}</Text>
      <Button variant="default" component={Link} href="/accounts">
        {t('settings.accounts.open')}
      </Button>
    </Section>
  )
}

/** Leads to the import and the export. */
export function ImportExportSection() {
  const { t } = useTranslation()
  return (
    <Section title={t('importExport.title')}>
      <Text>{t('importExport.lead')}</Text>
      <Button variant="default" component={Link} href="/import-export">
        {t('importExport.open')}
      </Button>
    </Section>
  )
}
