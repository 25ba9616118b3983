import { Button, Checkbox, Group, TextInput } from '@mantine/core'
import { feedLanguages } from '@saldo/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaldo } from '../../../context/saldo.tsx'
import { PasskeyButton } from '../../../domain/session/passkeys/PasskeyButton.tsx'
import { ShownOnce } from '../ShownOnce.tsx'
import { PasswordForm } from '../second-factor/PasswordForm.tsx'

/** Creates a calendar feed with the chosen content, in the language of the app, and shows its address once. */
export function NewFeed({ onMade }: { onMade: () => Promise<void> }) {
  const { t, i18n } = useTranslation()
  const { session } = useSaldo()
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const [content, setContent] = useState<string[]>(['absences'])
  const [address, setAddress] = useState<string>()
  const showsNothing = content.length === 0
  const make = async (proof: Parameters<typeof session.createFeed>[1]) => {
    const language = feedLanguages.find((known) => known === i18n.language) ?? 'en'
    const [absences, work] = [content.includes('absences'), content.includes('work')]
    const path = await session.createFeed({ name: name.trim(), absences, work, language }, proof)
    setAddress(new URL(path, location.origin).href)
    setName('')
    setOpen(false)
    await onMade()
  }
  return (
    <>
      {isOpen ? (
        <PasswordForm
          action={t('settings.feeds.make')}
          act={(password) => make({ password })}
          onCancel={() => setOpen(false)}
          instead={
            <PasskeyButton
              action={t('settings.tokens.makeByPasskey')}
              isDisabled={name.trim() === '' || showsNothing}
              act={(credential) => make({ credential })}
            />
          }
        >
          <TextInput
            label={t('settings.feeds.name')}
            description={t('settings.feeds.nameHelp')}
            required
            withAsterisk={false}
            autoFocus
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Checkbox.Group
            label={t('settings.feeds.content')}
            error={showsNothing && t('settings.feeds.chooseOne')}
            errorProps={{ mt: 'xs' }}
            value={content}
            onChange={setContent}
          >
            <Checkbox
              mt="xs"
              value="absences"
              label={t('settings.feeds.absences')}
              description={t('settings.feeds.absencesHelp')}
              // The browser then asks for one of the two.
              required={showsNothing}
            />
            <Checkbox
              mt="xs"
              value="work"
              label={t('settings.feeds.work')}
              description={t('settings.feeds.workHelp')}
            />
          </Checkbox.Group>
        </PasswordForm>
      ) : (
        <Group>
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('settings.feeds.make')}
          </Button>
        </Group>
      )}
      <ShownOnce secret={address} hint={t('settings.feeds.once')} />
    </>
  )
}
