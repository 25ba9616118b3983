import { Text } from '@mantine/core'
import { connect } from '@saldo/client'
import { useTranslation } from '../../../i18n/translation.ts'
import { useResource } from '../../../ui/useResource.ts'
import { Section } from '../Section.tsx'
import { libraries } from '../settings-model.ts'
import classes from './AboutSection.module.css'

const askService = () => connect().service()

/** The version of the service and the libraries of the app. */
export function AboutSection() {
  const { t } = useTranslation()
  const { answer: service, failure } = useResource(askService)
  return (
    <Section id="about" title={t('settings.about.title')}>
      {service && (
        <Text>{t('settings.about.version', { build: service.build, protocol: String(service.protocol) })}</Text>
      )}
      {failure && <Text c="dimmed">{t('settings.about.unknown')}</Text>}
      <Text>{t('settings.about.licence')}</Text>
      <details className={classes.libraries}>
        <summary>{t('settings.about.libraries', { count: libraries.length })}</summary>
        <ul>
          {libraries.map(({ name, licence }) => (
            <li key={name}>
              <span>{name}</span>
              <span className={classes.licence}>{licence}</span>
            </li>
          ))}
        </ul>
      </details>
    </Section>
  )
}
