import { useHotkeys } from '@mantine/hooks'
import { usePreferences } from '../app/preferences.ts'

/** Single keys that do something while no field has the focus; a person can switch them off (WCAG 2.1.4). */
export function useShortcuts(keys: Record<string, () => void>): void {
  const { shortcuts } = usePreferences()
  useHotkeys(shortcuts ? Object.entries(keys).map(([key, act]) => [key, act]) : [], [
    'INPUT',
    'TEXTAREA',
    'SELECT',
    'BUTTON',
  ])
}
