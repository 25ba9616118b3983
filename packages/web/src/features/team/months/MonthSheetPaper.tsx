import { Button, Group, Text } from '@mantine/core'
import { sheetOfStored } from '@saldo/client/export'
import { epochMs, type MonthSheet, type Profile, type RemarkRow, type StoredSheet } from '@saldo/core'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { SheetPaper } from '../../../domain/sheet/SheetPaper.tsx'
import { useSheetWords } from '../../../domain/sheet/useSheetWords.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { IconPrinter } from '../../../ui/icons.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { WindowName } from '../../../ui/window-title.tsx'
import classes from './MonthsView.module.css'

interface Props {
  answer: MonthSheet
  profile: Profile
}

/** The sheet of a month in a company, to read and print; that of a locked month is the stored one. */
export function MonthSheetPaper({
  answer: { sheet, is_stored, shows_balance, carried_differs, remarks },
  profile,
}: Props) {
  const { t } = useTranslation()
  if (!sheet) return <Text c="dimmed">{t('team.months.noSheet')}</Text>
  return (
    <>
      {carried_differs && <Notice>{t('team.months.carriedDiffers')}</Notice>}
      <Text c="dimmed" className={classes.screen}>
        {t(is_stored ? 'team.months.stored' : 'team.months.asNow')}
      </Text>
      <Paper sheet={sheet} hasBalances={shows_balance} profile={profile} remarks={remarks} />
    </>
  )
}

interface PaperProps {
  sheet: StoredSheet
  hasBalances: boolean
  profile: Profile
  remarks: readonly RemarkRow[]
}

function Paper({ sheet: stored, hasBalances, profile, remarks }: PaperProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const wordsOf = useSheetWords()
  const sheet = sheetOfStored(stored, profile)
  const words = wordsOf(sheet, stored.version)
  return (
    <>
      <WindowName name={[words.title, profile.name].filter((part) => part !== '').join(', ')} />
      <Group className={classes.screen ?? ''}>
        <Button variant="default" leftSection={<IconPrinter size={18} aria-hidden />} onClick={() => print()}>
          {t('calendar.sheet.print')}
        </Button>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll the sheet on narrow screens */}
      <section className={classes.paper} tabIndex={0} aria-label={words.title}>
        <SheetPaper
          sheet={sheet}
          hasBalances={hasBalances}
          words={words}
          remarks={remarks.map(({ text, at }) =>
            t('team.remarks.printed', { text, when: format.dateTime(epochMs(at)) }),
          )}
        />
      </section>
    </>
  )
}
