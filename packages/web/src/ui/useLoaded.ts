import { useState } from 'react'
import { useAct } from './feedback/useAct.tsx'

/**
 * Returns a part of the app once it has come, and the function that asks for it. What is shown until then stays as it
 * is, which a Suspense does not do: it would take the focus from a field that somebody types into.
 */
export function useLoaded<Module>(load: () => Promise<Module>): [Module | undefined, () => void] {
  const [module, setModule] = useState<Module>()
  const { act } = useAct()
  return [module, () => void act(load().then((loaded) => setModule(() => loaded)))]
}
