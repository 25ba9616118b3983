import { Button, Code, CopyButton, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './ShownOnce.module.css'

interface Props {
  secret: string | undefined
  /** Tells what to do with the secret. */
  hint: string
}

/** A secret that was just created and cannot be read again, with a button to copy it. */
export function ShownOnce({ secret, hint }: Props) {
  const { t } = useTranslation()
  return (
    <div role="status" className={classes.secret}>
      {secret !== undefined && (
        <>
          <Text size="sm">{hint}</Text>
          <Code className={classes.token ?? ''}>{secret}</Code>
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <div>
                <Button size="compact-md" variant="default" onClick={copy}>
                  {copied ? t('settings.tokens.copied') : t('settings.tokens.copy')}
                </Button>
              </div>
            )}
          </CopyButton>
        </>
      )}
    </div>
  )
}
