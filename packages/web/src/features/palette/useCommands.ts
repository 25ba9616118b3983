import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { quickContextOf, readQuickEntry, type TimerAction } from '@saldo/client/entries'
import { useSaldo } from '@saldo/client/react'
import { type LocalDate, weekOf } from '@saldo/core'
import { useLocation } from 'wouter'
import { clock } from '../../context/clock.ts'
import { useFormat } from '../../context/FormatProvider.tsx'
import type { Day } from '../../domain/entries/useDay.ts'
import { useDayTimer } from '../../domain/entries/useDayTimer.ts'
import { useChangePreferences } from '../../domain/profile/useProfile.ts'
import { useIsAdmin } from '../../domain/session/session-hooks.ts'
import { type SettingsSection, settingsAddress, useSettingsSections } from '../../domain/settings-sections.ts'
import { languages } from '../../i18n/i18n.ts'
import { ownName } from '../../i18n/own-name.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { askFor } from '../../ui/asked-act.ts'
import { forgetUndo } from '../../ui/feedback/undo-stack.ts'
import { useAct } from '../../ui/feedback/useAct.tsx'
import {
  IconAdjustmentsHorizontal,
  IconArrowBackUp,
  IconCalendar,
  IconCalendarMonth,
  IconCloudUp,
  IconCoffee,
  IconCornerDownLeft,
  IconLanguage,
  IconLock,
  IconLogout,
  IconMoon,
  IconPencil,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlus,
  IconPrinter,
  IconSettings,
  IconSun,
  IconUsers,
} from '../../ui/icons.ts'
import { type Command, type CommandGroup, type NamedPeriod, type PaletteView, periodsNamed } from './palette-model.ts'

const timerIcons = { start: IconPlayerPlay, stop: IconPlayerStop, break: IconCoffee } as const

/** Acts whose dialogs the palette's owner shows. */
export interface PaletteActs {
  onNewEntry(day: Day): void
  onSignOut(): void
}

/** Returns the acts, all views and the sections of the settings. */
export function useCommands(today: Day, views: readonly PaletteView[], acts: PaletteActs): CommandGroup[] {
  const { t } = useTranslation()
  return [
    {
      label: t('palette.acts'),
      commands: [...useTimerCommands(today), ...useActs(today, acts), ...useOtherActs(acts)],
    },
    { label: t('app.navigation'), commands: useViewCommands(views) },
    { label: t('settings.title'), commands: useSettingsCommands() },
  ]
}

/** Returns commands for what a query says itself: a date, or a line of quick entry. */
export function useQueryCommands(query: string, today: Day): CommandGroup[] {
  const { t } = useTranslation()
  const format = useFormat()
  const [, go] = useLocation()
  const nameOf = ({ is, from }: NamedPeriod) =>
    is === 'week'
      ? t('week.heading', { number: Number(weekOf(from).slice(6)) })
      : is === 'year'
        ? from.slice(0, 4)
        : format.date(from, is === 'month' ? 'month' : 'field')
  const periods = periodsNamed(query, today.today).map((period): Command => {
    const { is, from } = period
    return {
      id: `period-${from}`,
      label: nameOf(period),
      ...(is === 'week' && { detail: format.date(from, 'medium') }),
      icon: is === 'day' || is === 'week' ? IconCalendar : IconCalendarMonth,
      run: () => go(addressOfPeriod(period)),
    }
  })
  const line = query.trim()
  const isLine = line !== '' && readQuickEntry(line, quickContextOf(today, [], clock.now())).kind !== 'nothing'
  const enter: Command = {
    id: 'quick-entry',
    label: line,
    icon: IconCornerDownLeft,
    run: () => go('/', askFor('quickEntry', line)),
  }
  return [
    { label: t('palette.dates'), commands: periods },
    { label: t('today.quick.label'), commands: isLine ? [enter] : [] },
  ].filter(({ commands }) => commands.length > 0)
}

function addressOfPeriod({ is, from }: NamedPeriod): string {
  switch (is) {
    case 'day':
      return `/day/${from}`
    case 'week':
      return `/week/${weekOf(from)}`
    case 'month':
      return monthAddress(from)
    case 'year':
      return `/calendar/${from.slice(0, 4)}`
  }
}

function monthAddress(date: LocalDate): string {
  return `/calendar/${Number(date.slice(0, 4))}/${Number(date.slice(5, 7))}`
}

/** Returns the current actions of the timer. */
function useTimerCommands(today: Day): Command[] {
  const { t } = useTranslation()
  const { state, main, other, press } = useDayTimer(today)
  const actions: readonly TimerAction[] = state.kind === 'idle' ? [main] : [main, other]
  return actions.map((action) => ({
    id: `timer-${action}`,
    label: t(`palette.timer.${action === 'start' && state.kind === 'break' ? 'resume' : action}`),
    words: t(`palette.words.${action}`),
    icon: timerIcons[action],
    run: () => press(action),
  }))
}

/** Returns what people do with their time. */
function useActs(today: Day, { onNewEntry }: PaletteActs): Command[] {
  const { t } = useTranslation()
  const format = useFormat()
  const [, go] = useLocation()
  const month = format.date(today.date, 'month')
  const command = (id: string, label: string, icon: Command['icon'], run: () => void): Command => {
    return { id, label, words: t(`palette.words.${id}`), icon, run }
  }
  return [
    command('newEntry', t('entries.editor.new'), IconPlus, () => onNewEntry(today)),
    command('absence', t('calendar.add'), IconCalendarMonth, () => go('/calendar', askFor('absence'))),
    command('adjust', t('account.adjust'), IconPencil, () => go('/account', askFor('adjust'))),
    command('close', t('palette.close'), IconLock, () => go('/week')),
    command('sheet', t('calendar.sheet.titleMonth', { month }), IconPrinter, () =>
      go(`${monthAddress(today.date)}/sheet`),
    ),
    command('hours', t('schedule.add'), IconAdjustmentsHorizontal, () => go('/schedule', askFor('hours'))),
  ]
}

function useOtherActs({ onSignOut }: PaletteActs): Command[] {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const { act } = useAct()
  const [, go] = useLocation()
  const change = useChangePreferences()
  const isAdmin = useIsAdmin()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark'
  const english = new Intl.DisplayNames('en', { type: 'language' })
  const all: (Command | false)[] = [
    {
      id: 'undo',
      label: t('palette.undo'),
      words: t('palette.words.undo'),
      icon: IconArrowBackUp,
      run: () => void forgetUndo()?.(),
    },
    {
      id: 'sync',
      label: t('sync.now'),
      words: t('palette.words.sync'),
      icon: IconCloudUp,
      run: () => void act(saldo.sync()),
    },
    {
      id: 'scheme',
      label: t(`palette.scheme.${scheme}`),
      words: t('palette.words.scheme'),
      icon: scheme === 'dark' ? IconMoon : IconSun,
      run: () => setColorScheme(scheme),
    },
    ...languages.map((tag) => ({
      id: `language-${tag}`,
      label: t('palette.language', { name: ownName(tag) }),
      words: english.of(tag) ?? '',
      icon: IconLanguage,
      run: () => change({ language: tag }),
    })),
    isAdmin && {
      id: 'accounts',
      label: t('userAccounts.title'),
      words: t('palette.words.accounts'),
      icon: IconUsers,
      run: () => go('/accounts'),
    },
    {
      id: 'signOut',
      label: t('app.signOut.action'),
      words: t('palette.words.signOut'),
      icon: IconLogout,
      run: onSignOut,
    },
  ]
  return all.filter((command) => command !== false)
}

function useViewCommands(views: readonly PaletteView[]): Command[] {
  const { t } = useTranslation()
  const [, go] = useLocation()
  return views.map(({ title, paths: [path], icon }) => ({
    id: path,
    label: t(title),
    words: t(`palette.views.${title.split('.')[0]}`),
    icon,
    run: () => go(path),
  }))
}

/** The keys of what the fields and buttons of a section are called, where its title does not tell them. */
const controls: Partial<Record<SettingsSection, readonly string[]>> = {
  look: ['settings.look.durations', 'settings.look.hours', 'settings.look.weekStart'],
  reminders: ['settings.reminders.longest'],
  account: ['settings.account.changeEmail'],
  data: ['settings.data.export', 'settings.data.remove', 'settings.data.delete'],
}

function useSettingsCommands(): Command[] {
  const { t } = useTranslation()
  const [, go] = useLocation()
  return useSettingsSections().map(({ id, title }) => ({
    id: `settings-${id}`,
    label: t(title),
    words: [t(`palette.settings.${id}`), ...(controls[id] ?? []).map((key) => t(key))].join(' '),
    icon: IconSettings,
    run: () => go(settingsAddress(id)),
  }))
}
