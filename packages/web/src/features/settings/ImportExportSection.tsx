import { Button, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Section } from './Section.tsx'

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
