import { Text } from '@mantine/core'
import type { EpochMs } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'

interface Props {
  /** The time of the answer that is shown, while the service cannot be reached. */
  keptAtMs: EpochMs | undefined
  failure: string | undefined
}

/** Says of which time an answer is if it is an earlier one, or why there is none. */
export function KeptNotice({ keptAtMs, failure }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  if (keptAtMs !== undefined) {
    return (
      <Text role="status" c="dimmed">
        {t('team.asOf', { when: format.dateTime(keptAtMs) })}
      </Text>
    )
  }
  return failure === undefined ? null : <Text role="alert">{failure}</Text>
}
