import { Switch, Text } from '@mantine/core'
import { HOUR_MS } from '@saldo/core'
import { useState } from 'react'
import {
  canNotify,
  changePreferences,
  type ReminderKind,
  reminderKinds,
  usePreferences,
} from '../../context/preferences.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { DurationInput } from '../../ui/NumberInputs.tsx'
import { Section } from './Section.tsx'

/** Switches reminders of this device on and off, and says after how long a timer counts as forgotten. */
export function RemindersSection() {
  const { t } = useTranslation()
  const { reminders, forgottenAfterMs } = usePreferences()
  // Notifications can be turned off in the browser at any time.
  const [isDenied, setDenied] = useState(reminders.length > 0 && !canNotify())
  const change = async (kind: ReminderKind, isOn: boolean) => {
    const isAllowed = !isOn || ('Notification' in window && (await Notification.requestPermission()) === 'granted')
    setDenied(!isAllowed)
    if (!isAllowed) return
    const others = reminders.filter((other) => other !== kind)
    changePreferences({ reminders: isOn ? [...others, kind] : others })
  }
  return (
    <Section id="reminders" title={t('settings.reminders.title')} lead={t('settings.reminders.lead')}>
      {reminderKinds.map((kind) => (
        <Switch
          key={kind}
          label={t(`settings.reminders.kind.${kind}`)}
          checked={canNotify() && reminders.includes(kind)}
          onChange={(event) => void change(kind, event.currentTarget.checked)}
        />
      ))}
      <div role="status">{isDenied && <Text c="dimmed">{t('settings.reminders.denied')}</Text>}</div>
      <DurationInput
        label={t('settings.reminders.longest')}
        description={t('settings.reminders.longestHelp')}
        maw="20rem"
        minMs={HOUR_MS}
        maxMs={48 * HOUR_MS}
        valueMs={forgottenAfterMs}
        onChangeMs={(ms) => changePreferences({ forgottenAfterMs: ms })}
      />
    </Section>
  )
}
