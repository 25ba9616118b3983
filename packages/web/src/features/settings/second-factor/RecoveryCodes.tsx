import { Button, CopyButton, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './SecondFactorSection.module.css'

interface Props {
  codes: readonly string[]
  onDone: () => void
}

/** The recovery codes, this once. */
export function RecoveryCodes({ codes, onDone }: Props) {
  const { t } = useTranslation()
  return (
    <>
      <Text role="status">{t('settings.secondFactor.keep')}</Text>
      <ul className={classes.codes} aria-label={t('settings.secondFactor.codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group>
        <CopyButton value={codes.join('\n')}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? t('settings.tokens.copied') : t('settings.secondFactor.copy')}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={onDone}>
          {t('settings.secondFactor.kept')}
        </Button>
      </Group>
    </>
  )
}
