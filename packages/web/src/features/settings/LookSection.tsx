import { Input, SegmentedControl, Select, useMantineColorScheme } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useLive, useSaldo } from '@saldo/client/react'
import { addDays, buildTimeline, dateAt, HOUR_MS } from '@saldo/core'
import { useMemo } from 'react'
import { clock } from '../../context/clock.ts'
import { useFormat } from '../../context/FormatProvider.tsx'
import { formatOf } from '../../context/format.ts'
import { type ShownPreferences, usePreferences } from '../../context/preferences.ts'
import { useChangePreferences } from '../../domain/profile/useProfile.ts'
import { languages } from '../../i18n/i18n.ts'
import { ownName } from '../../i18n/own-name.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { useAct } from '../../ui/feedback/useAct.tsx'
import { Section } from './Section.tsx'
import { rowsFrom, weekStartChanges } from './settings-model.ts'

const SOME_MONDAY = '2026-01-05'
const weekdays = [1, 2, 3, 4, 5, 6, 7] as const

/** The first weekday of calendars. It belongs to the account, so all devices have the same. */
function WeekStart() {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings } = useSaldo()
  const { act } = useAct()
  const rows = useLive(useMemo(() => settings.all(), [settings]))
  const timeline = buildTimeline((rows ?? []).map(({ record }) => record))
  const today = dateAt(timeline, clock.now())
  const weekday = rowsFrom(timeline, today)[0]?.week_starts_on
  if (weekday === undefined) return null
  const choose = (day: number) => {
    const changes = weekStartChanges(timeline, today, day)
    void act(Promise.all(changes.map(({ id, patch }) => settings.update(id, patch).settled)))
  }
  return (
    <Select
      label={t('settings.look.weekStart')}
      description={t('settings.look.weekStartHelp')}
      data={weekdays.map((day) => ({
        value: String(day),
        label: format.date(addDays(SOME_MONDAY, day - 1), 'weekday'),
      }))}
      value={String(weekday)}
      allowDeselect={false}
      onChange={(chosen) => chosen && choose(Number(chosen))}
    />
  )
}

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
    <Section id="look" title={t('settings.look.title')} lead={t('settings.look.lead')}>
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
function Formats({ durations, hours }: Pick<ShownPreferences, 'durations' | 'hours'>) {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const change = useChangePreferences()
  const decimal = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).format(HALF_PAST_SEVEN_MS / HOUR_MS)
  const time = (each: ShownPreferences['hours']) =>
    formatOf({ locale, durations, hours: each }).time(AFTERNOON_MS, 'UTC')
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
          { value: 'auto', label: t('settings.look.regional', { example: time('auto') }) },
          { value: 'h23', label: time('h23') },
          { value: 'h12', label: time('h12') },
        ]}
      />
    </>
  )
}

/** Longer labels stand below each other on a phone. */
const LONG_LABEL = 12

interface ChoiceProps<V extends string> {
  label: string
  value: V
  choices: { value: V; label: string }[]
  onChange: (value: V) => void
}

function Choice<V extends string>({ label, value, choices, onChange }: ChoiceProps<V>) {
  const isNarrow = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false })
  const isLong = choices.some((choice) => choice.label.length > LONG_LABEL)
  return (
    <Input.Wrapper label={label} labelElement="div">
      <div>
        <SegmentedControl
          aria-label={label}
          orientation={isNarrow && isLong ? 'vertical' : 'horizontal'}
          value={value}
          onChange={onChange}
          data={choices}
        />
      </div>
    </Input.Wrapper>
  )
}
