import { Button, Group, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PasskeyButton } from '../../domain/session/passkeys/PasskeyButton.tsx'
import { ShownOnce } from './ShownOnce.tsx'
import { PasswordForm } from './second-factor/PasswordForm.tsx'

interface Props {
  /** The labels of the button and of the name, with its help, and what to do with the secret. */
  texts: Record<'make' | 'name' | 'nameHelp' | 'once', string>
  /** False while the fields below the name lack something. */
  isComplete?: boolean
  /** Creates the key. Resolves to the secret. */
  create(name: string, proof: { password: string } | { credential: object }): Promise<string>
  onMade(): Promise<void>
  /** Fields below the name. */
  children?: ReactNode
}

/** Creates a token or the address of a calendar feed, by password or passkey, and shows it once. */
export function NewAccessKey({ texts, isComplete = true, create, onMade, children }: Props) {
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
      {isOpen ? (
        <PasswordForm
          action={texts.make}
          act={(password) => make({ password })}
          onCancel={() => setOpen(false)}
          instead={
            <PasskeyButton
              action={t('settings.tokens.makeByPasskey')}
              isDisabled={name.trim() === '' || !isComplete}
              act={(credential) => make({ credential })}
            />
          }
        >
          <TextInput
            label={texts.name}
            description={texts.nameHelp}
            required
            withAsterisk={false}
            autoFocus
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {children}
        </PasswordForm>
      ) : (
        <Group>
          <Button variant="default" onClick={() => setOpen(true)}>
            {texts.make}
          </Button>
        </Group>
      )}
      <ShownOnce secret={secret} hint={texts.once} />
    </>
  )
}
