import { Button, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from '../../i18n/translation.ts'
import { useInstallOffer } from './install-offer.ts'
import { Section } from './Section.tsx'

/** Installs the app on the device, with a window and an icon of its own. */
export function InstallSection() {
  const { t } = useTranslation()
  const install = useInstallOffer()
  const isInstalled = useMediaQuery('(display-mode: standalone)', undefined, { getInitialValueInEffect: false })
  return (
    <Section id="install" title={t('settings.install.title')} lead={t('settings.install.lead')}>
      {isInstalled ? (
        <Text>{t('settings.install.done')}</Text>
      ) : install ? (
        <Button variant="default" onClick={() => void install()}>
          {t('settings.install.action')}
        </Button>
      ) : (
        <Text>{t('settings.install.byHand')}</Text>
      )}
    </Section>
  )
}
