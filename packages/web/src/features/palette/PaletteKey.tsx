import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'
import type { PaletteView } from './commands.ts'

const Palette = lazy(() => import('./Palette.tsx'))

/** Opens the command palette by Ctrl/Cmd-K, from fields too. */
export function PaletteKey({ views }: { views: readonly PaletteView[] }) {
  const [asked, setAsked] = useState(0)
  useHotkeys([['mod+K', () => setAsked((times) => times + 1)]], [])
  return asked > 0 ? (
    <Suspense>
      <Palette asked={asked} views={views} />
    </Suspense>
  ) : null
}
