import { Stack, Text, TextInput } from '@mantine/core'
import type { EntryMutation } from '@saldo/client/entries'
import { entryLimits } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { useCorrections } from './corrections.ts'

interface Props {
  /** Changes that touch a locked month. */
  changes: readonly EntryMutation[]
  message: string
  onChange: (message: string) => void
}

/** Says which months are locked, and takes the message of the request for a correction. */
export function CorrectionFields({ changes, message, onChange }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const months = useCorrections()?.monthsOf(changes) ?? []
  const names = months.map((month) => format.date(`${month}-01`, 'month'))
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {t('team.correction.locked', { count: months.length, months: format.list(names) })}
      </Text>
      <TextInput
        label={t('team.ask.message')}
        maxLength={entryLimits.noteLength}
        value={message}
        onChange={({ currentTarget: { value } }) => onChange(value)}
      />
    </Stack>
  )
}
