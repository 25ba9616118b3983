import { Button, Code, CopyButton, Group, Text, TextInput, type TextInputProps } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { PasswordForm } from '../../domain/session/PasswordForm.tsx'
import { PasskeyButton } from '../../domain/session/passkeys/PasskeyButton.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import type { OwnWords } from '../../ui/feedback/failure.ts'
import classes from './ShownOnce.module.css'

interface ShownOnceProps {
  secret: string | undefined
  /** Tells what to do with the secret. */
  hint: string
}

/** A secret that was just created and cannot be read again, with a button to copy it. */
function ShownOnce({ secret, hint }: ShownOnceProps) {
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

interface Props {
  /** The labels of the button and of the name, with its help, and what to do with the secret. */
  texts: Record<'make' | 'name' | 'nameHelp' | 'once', string>
  /** Shown in place of the button while no other can be created. */
  full?: string | undefined
  /** Of the field of the name, if it has more than a name: its kind, and its text if the service rejects it. */
  nameField?: Pick<TextInputProps, 'type' | 'maxLength' | 'placeholder'>
  nameWords?: OwnWords
  /** False while the fields below the name lack something. */
  isComplete?: boolean
  /** Creates the key. Resolves to the secret. */
  create(name: string, proof: { password: string } | { credential: object }): Promise<string>
  onMade(): Promise<void>
  /** Fields below the name. */
  children?: ReactNode
}

/** Creates a token, a calendar feed or a webhook, by password or passkey, and shows its secret once. */
export function NewAccessKey({
  texts,
  full,
  nameField,
  nameWords,
  isComplete = true,
  create,
  onMade,
  children,
}: Props) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const [secret, setSecret] = useState<string>()
  const make = async (proof: Parameters<typeof create>[1]) => {
    setSecret(await create(name.trim(), proof))
    setName('')
    setOpen(false)
    await onMade()
  }
  return (
    <>
      {full !== undefined && <Text c="dimmed">{full}</Text>}
      {isOpen ? (
        <PasswordForm
          action={texts.make}
          act={(password) => make({ password })}
          onCancel={() => setOpen(false)}
          words={nameWords}
          instead={
            <PasskeyButton
              action={t('settings.tokens.makeByPasskey')}
              isDisabled={name.trim() === '' || !isComplete}
              act={(credential) => make({ credential })}
              words={nameWords}
            />
          }
        >
          {(failureAt) => (
            <>
              <TextInput
                label={texts.name}
                description={texts.nameHelp}
                required
                autoFocus
                maxLength={100}
                {...nameField}
                error={failureAt('name')}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              {children}
            </>
          )}
        </PasswordForm>
      ) : (
        full === undefined && (
          <Group>
            <Button variant="default" onClick={() => setOpen(true)}>
              {texts.make}
            </Button>
          </Group>
        )
      )}
      <ShownOnce secret={secret} hint={texts.once} />
    </>
  )
}
