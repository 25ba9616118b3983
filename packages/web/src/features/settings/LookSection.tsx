import { Input, SegmentedControl, Select, useMantineColorScheme } from '@mantine/core'
import { HOUR_MS } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { type Preferences, usePreferences } from '../../context/preferences.ts'
import { useChangePreferences } from '../../domain/profile/useProfileSync.ts'
import { languages } from '../../i18n/i18n.ts'
import { ownName } from '../../i18n/own-name.ts'
import { Section } from './Section.tsx'
import { WeekStart } from './week-start/WeekStart.tsx'

const BROWSER = 'browser'
const schemes = ['auto', 'light', 'dark'] as const
const HALF_PAST_SEVEN_MS = 27_000_000
const AFTERNOON_MS = Date.UTC(2026, 0, 5, 16, 30)

/** Choices of how the app looks here, and how it writes on all devices of the user. */
export function LookSection() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { language, durations, hours } = usePreferences()
  const change = useChangePreferences()
  return (
    <Section title={t('settings.look.title')} lead={t('settings.look.lead')}>
      <Select
        label={t('settings.look.language')}
        data={[
          { value: BROWSER, label: t('app.menu.browserLanguage') },
          ...languages.map((tag) => ({ value: tag, label: ownName(tag) })),
        ]}
        value={language ?? BROWSER}
        allowDeselect={false}
        onChange={(chosen) => change({ language: chosen === BROWSER ? null : chosen })}
      />
      <Choice
        label={t('app.menu.appearance')}
        value={colorScheme}
        onChange={(scheme) => setColorScheme(scheme)}
        choices={schemes.map((scheme) => ({ value: scheme, label: t(`app.menu.scheme.${scheme}`) }))}
      />
      <Formats durations={durations} hours={hours} />
      <WeekStart />
    </Section>
  )
}

/** The formats of durations and times; each choice is an example of itself. */
function Formats({ durations, hours }: Pick<Preferences, 'durations' | 'hours'>) {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const change = useChangePreferences()
  const decimal = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).format(HALF_PAST_SEVEN_MS / HOUR_MS)
  const time = (hourCycle?: 'h12' | 'h23') =>
    new Intl.DateTimeFormat(locale, {
      timeStyle: 'short',
      timeZone: 'UTC',
      ...(hourCycle && { hourCycle }),
    }).format(AFTERNOON_MS)
  return (
    <>
      <Choice
        label={t('settings.look.durations')}
        value={durations}
        onChange={(wanted) => change({ durations: wanted })}
        choices={[
          { value: 'clock', label: '7:30' },
          { value: 'decimal', label: decimal },
        ]}
      />
      <Choice
        label={t('settings.look.hours')}
        value={hours}
        onChange={(wanted) => change({ hours: wanted })}
        choices={[
          { value: 'auto', label: t('settings.look.regional', { example: time() }) },
          { value: 'h23', label: time('h23') },
          { value: 'h12', label: time('h12') },
        ]}
      />
    </>
  )
}

interface ChoiceProps<V extends string> {
  label: string
  value: V
  choices: { value: V; label: string }[]
  onChange: (value: V) => void
}

function Choice<V extends string>({ label, value, choices, onChange }: ChoiceProps<V>) {
  return (
    <Input.Wrapper label={label} labelElement="div">
      <div>
        <SegmentedControl aria-label={label} value={value} onChange={onChange} data={choices} />
      </div>
    </Input.Wrapper>
  )
}
