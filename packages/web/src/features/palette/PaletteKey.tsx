import { useHotkeys } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'

const Palette = lazy(() => import('./Palette.tsx'))

/** Opens the command palette by Ctrl/Cmd-K, from fields too; loaded as it is first asked for. */
export function PaletteKey() {
  const [asked, setAsked] = useState(0)
  useHotkeys([['mod+K', () => setAsked((times) => times + 1)]], [])
  return asked > 0 ? (
    <Suspense>
      <Palette asked={asked} />
    </Suspense>
  ) : null
}
