import { useHotkeys } from '@mantine/hooks'
import { usePreferences } from '../app/preferences.ts'

/** Single keys that do something while no field has the focus and no dialog is open; a person can switch them off (WCAG 2.1.4). */
export function useShortcuts(keys: Record<string, () => void>): void {
  const { shortcuts } = usePreferences()
  useHotkeys(shortcuts ? Object.entries(keys).map(([key, act]) => [key, () => isDialogOpen() || act()]) : [], [
    'INPUT',
    'TEXTAREA',
    'SELECT',
    'BUTTON',
  ])
}

function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog]') !== null
}
