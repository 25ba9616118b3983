import { TextInput } from '@mantine/core'
import { useTranslation } from '../../i18n/translation.ts'
import { useUnsaved } from '../../ui/unsaved.ts'
import { useIsChanged } from '../../ui/useForm.ts'

interface Props {
  person: { name: string; email: string }
  onChange: (changed: { name?: string; email?: string }) => void
  /** Returns what is wrong with a field. */
  failureAt: (field: string) => string | undefined
}

/** The name and the address of a user. */
export function PersonFields({ person, onChange, failureAt }: Props) {
  const { t } = useTranslation()
  const { name, email } = person
  useUnsaved(useIsChanged(person))
  return (
    <>
      <TextInput
        label={t('userAccounts.name')}
        data-autofocus
        maxLength={200}
        error={failureAt('name')}
        value={name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextInput
        label={t('signIn.email')}
        type="email"
        error={failureAt('email')}
        value={email}
        onChange={(event) => onChange({ email: event.currentTarget.value })}
      />
    </>
  )
}
