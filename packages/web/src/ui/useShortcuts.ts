import { getHotkeyHandler } from '@mantine/hooks'
import { useEffectEvent, useLayoutEffect } from 'react'
import { usePreferences } from '../context/preferences.ts'

/** Places that handle single keys themselves. */
const TYPED_INTO = 'input, textarea, select, [role=menu], [role=menu] *'

/**
 * Single keys that do something while no field has the focus, no dialog is open and the focused element has not used
 * the key itself. A person can switch them off (WCAG 2.1.4). They work from the moment that what uses them is seen.
 */
export function useShortcuts(keys: Record<string, () => void>): void {
  const { shortcuts } = usePreferences()
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isTyping = event.target instanceof Element && event.target.matches(TYPED_INTO)
    if (!isTyping && !isDialogOpen() && !event.defaultPrevented) getHotkeyHandler(Object.entries(keys))(event)
  })
  useLayoutEffect(() => {
    if (!shortcuts) return undefined
    const listener = (event: KeyboardEvent) => press(event)
    document.documentElement.addEventListener('keydown', listener)
    return () => document.documentElement.removeEventListener('keydown', listener)
  }, [shortcuts])
}

/** True while a dialog is open, whose form a key must not take away. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog]') !== null
}
