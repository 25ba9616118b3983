import { Kbd } from '@mantine/core'
import { usePreferences } from '../../context/preferences.ts'
import { useTranslation } from '../../i18n/translation.ts'
import classes from './ShortcutList.module.css'
import { hasCommandKey, shortcuts } from './shortcuts.ts'

/** Lists the keys of the app. Single keys that are switched off are struck out. */
export function ShortcutList() {
  const { t } = useTranslation()
  const { shortcuts: isOn } = usePreferences()
  return (
    <dl className={classes.list}>
      {shortcuts.map(({ keys, does, isCommand }) => (
        <div key={does} data-off={(!isOn && !isCommand) || undefined}>
          <dt>
            {isCommand && <Kbd>{hasCommandKey(navigator.platform) ? '⌘' : t('shortcuts.ctrl')}</Kbd>}
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </dt>
          <dd>{t(does)}</dd>
        </div>
      ))}
    </dl>
  )
}
