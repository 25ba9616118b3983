import { useState } from 'react'
import { oneAtATime } from './one-at-a-time.ts'

/** Returns a function that runs the work of a button, once however often it is pressed, and whether it runs. */
export function useBusy() {
  const [isBusy, setBusy] = useState(false)
  const [run] = useState(() => oneAtATime(setBusy))
  return { isBusy, run }
}
