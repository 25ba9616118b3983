import { Kbd, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { changePreferences, usePreferences } from '../../context/preferences.ts'
import { Section } from './Section.tsx'
import classes from './ShortcutsSection.module.css'
import { hasCommandKey, shortcuts } from './settings-model.ts'

export function ShortcutsSection() {
  const { t } = useTranslation()
  const { shortcuts: isOn } = usePreferences()
  return (
    <Section title={t('settings.shortcuts.title')} lead={t('settings.shortcuts.lead')}>
      <Switch
        label={t('app.menu.shortcuts')}
        checked={isOn}
        onChange={(event) => changePreferences({ shortcuts: event.currentTarget.checked })}
      />
      <dl className={classes.list}>
        {shortcuts.map(({ keys, does, isCommand }) => (
          <div key={does} data-off={(!isOn && !isCommand) || undefined}>
            <dt>
              {isCommand && <Kbd>{hasCommandKey(navigator.platform) ? '⌘' : t('settings.shortcuts.ctrl')}</Kbd>}
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{t(does)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
