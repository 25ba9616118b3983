import { useLocation } from 'wouter'
import { useShortcuts } from '../../ui/useShortcuts.ts'

/** Leads to the help by its key. */
export function HelpKey() {
  const [, go] = useLocation()
  const help = () => go('/help')
  // Most keyboards need Shift for it.
  useShortcuts({ '?': help, 'shift+?': help })
  return null
}
