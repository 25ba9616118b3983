import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import type { TimerAction } from '@saldo/client/entries'
import { useSaldo } from '@saldo/client/react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { Day } from '../../domain/entries/useDay.ts'
import { useDayTimer } from '../../domain/entries/useDayTimer.ts'
import { forgetUndo } from '../../ui/feedback/undo-stack.ts'
import { useAct } from '../../ui/feedback/useAct.tsx'
import {
  IconArrowBackUp,
  IconCloudUp,
  IconCoffee,
  IconMoon,
  IconPlayerPlay,
  IconPlayerStop,
  IconSun,
} from '../../ui/icons.ts'
import type { Command, CommandGroup, PaletteView } from './palette-model.ts'

const timerIcons = { start: IconPlayerPlay, stop: IconPlayerStop, break: IconCoffee } as const

/** Returns the main actions and all views. */
export function useCommands(today: Day, views: readonly PaletteView[]): CommandGroup[] {
  const { t } = useTranslation()
  return [
    { label: t('palette.acts'), commands: [...useTimerCommands(today), ...useOtherActs()] },
    { label: t('app.navigation'), commands: useViewCommands(views) },
  ]
}

/** Returns the current actions of the timer. */
function useTimerCommands(today: Day): Command[] {
  const { t } = useTranslation()
  const { state, main, other, press } = useDayTimer(today)
  const actions: readonly TimerAction[] = state.kind === 'idle' ? [main] : [main, other]
  return actions.map((action) => ({
    id: `timer-${action}`,
    label: t(`palette.timer.${action === 'start' && state.kind === 'break' ? 'resume' : action}`),
    icon: timerIcons[action],
    run: () => press(action),
  }))
}

function useOtherActs(): Command[] {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const { act } = useAct()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark'
  return [
    { id: 'undo', label: t('palette.undo'), icon: IconArrowBackUp, run: () => void forgetUndo()?.() },
    { id: 'sync', label: t('sync.now'), icon: IconCloudUp, run: () => void act(saldo.sync()) },
    {
      id: 'scheme',
      label: t(`palette.scheme.${scheme}`),
      icon: scheme === 'dark' ? IconMoon : IconSun,
      run: () => setColorScheme(scheme),
    },
  ]
}

function useViewCommands(views: readonly PaletteView[]): Command[] {
  const { t } = useTranslation()
  const [, go] = useLocation()
  return views.map(({ title, paths: [path], icon }) => ({ id: path, label: t(title), icon, run: () => go(path) }))
}
