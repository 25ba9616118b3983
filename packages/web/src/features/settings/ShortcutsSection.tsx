import { Switch } from '@mantine/core'
import { changePreferences, usePreferences } from '../../context/preferences.ts'
import { ShortcutList } from '../../domain/shortcuts/ShortcutList.tsx'
import { useHasKeyboard } from '../../domain/shortcuts/useHasKeyboard.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { Section } from './Section.tsx'

/** The keys of the app, where there can be a keyboard. */
export function ShortcutsSection() {
  const { t } = useTranslation()
  const { shortcuts: isOn } = usePreferences()
  if (!useHasKeyboard()) return null
  return (
    <Section id="shortcuts" title={t('shortcuts.title')} lead={t('shortcuts.lead')}>
      <Switch
        label={t('shortcuts.single')}
        checked={isOn}
        onChange={(event) => changePreferences({ shortcuts: event.currentTarget.checked })}
      />
      <ShortcutList />
    </Section>
  )
}
