import { guide } from 'virtual:guide'
import { Text } from '@mantine/core'
import { ShortcutList } from '../../domain/shortcuts/ShortcutList.tsx'
import { useHasKeyboard } from '../../domain/shortcuts/useHasKeyboard.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { TitledSection } from '../../ui/TitledSection.tsx'
import { ViewHeader } from '../../ui/ViewHeader.tsx'
import { GuideText } from './GuideText.tsx'
import classes from './HelpView.module.css'

/** Without the title and the sentence about pictures, which are not here. */
const blocks = guide.slice(guide.findIndex((block) => block.is === 'heading' && block.level === 2))
const LANGUAGE = 'en'

/** Shows the keys of the app and the guide. */
export default function HelpView() {
  const { t, language } = useTranslation()
  const hasKeys = useHasKeyboard()
  return (
    <div className={classes.view}>
      <ViewHeader title={t('help.title')} />
      {hasKeys && (
        <TitledSection title={t('shortcuts.title')} lead={t('shortcuts.lead')} className={undefined}>
          <ShortcutList />
        </TitledSection>
      )}
      <div>
        {!language.startsWith(LANGUAGE) && <Text c="dimmed">{t('help.language')}</Text>}
        <article className={classes.guide} lang={LANGUAGE}>
          <GuideText blocks={blocks} />
        </article>
      </div>
    </div>
  )
}
