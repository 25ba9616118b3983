import { Text } from '@mantine/core'
import type { SettingsPreview } from '@saldo/client'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'

/** Says how a change of the settings alters the vacation account; nothing if it stays as it is. */
export function VacationChange({ preview }: { preview: SettingsPreview | undefined }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!preview?.vacation) return null
  const { year, before, after } = preview.vacation
  const days = (number = 0) => format.number(number)
  const [entitledBefore, entitled] = [days(before?.entitled), days(after?.entitled)]
  const isEntitlementSame = entitledBefore === entitled
  return (
    <Text>
      {t(isEntitlementSame ? 'schedule.vacation.leftChanges' : 'schedule.vacation.changes', {
        year: String(year),
        entitledBefore,
        entitled,
        leftBefore: days(before?.left),
        left: days(after?.left),
      })}
    </Text>
  )
}
