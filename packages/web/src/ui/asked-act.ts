import { useEffect, useEffectEvent } from 'react'
import { useHistoryState } from 'wouter/use-browser-location'

/** An act that somebody asks of a view which they are led to, in the state of the browser's history. */
interface AskedAct {
  act: string
  text?: string
}

/** Returns the option of `navigate` that asks a view for an act. */
export function askFor(act: string, text?: string): { state: AskedAct } {
  return { state: { act, ...(text !== undefined && { text }) } }
}

/** Does what is asked of a view: once, also if the view is shown already. */
export function useAskedAct(name: string, run: (text: string) => void): void {
  const asked = useHistoryState<AskedAct | null>()
  const isAsked = asked?.act === name
  const answer = useEffectEvent(() => {
    history.replaceState(null, '')
    run(asked?.text ?? '')
  })
  useEffect(() => {
    if (isAsked) answer()
  }, [isAsked])
}
