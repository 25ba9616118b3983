import { Button, Text } from '@mantine/core'
import { Link } from 'wouter'
import { useIsAdmin } from '../../domain/session/session-hooks.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { Section } from './Section.tsx'

/** Leads an admin to the accounts of the service; nothing for other users. */
export function AccountsSection() {
  const { t } = useTranslation()
  if (!useIsAdmin()) return null
  return (
    <Section id="accounts" title={t('settings.accounts.title')}>
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
    <Section id="importExport" title={t('importExport.title')}>
      <Text>{t('importExport.lead')}</Text>
      <Button variant="default" component={Link} href="/import-export">
        {t('importExport.open')}
      </Button>
    </Section>
  )
}
