import { useEffect } from 'react'
import { tellScreenReader } from './feedback/messages.tsx'

const PRODUCT = 'Saldo'

/** The parts of the window's title: what runs, and what is shown. */
const parts = { running: '', name: '' }

function show(changed: Partial<typeof parts>): void {
  Object.assign(parts, changed)
  document.title = [parts.running, parts.name, PRODUCT].filter((part) => part !== '').join(' · ')
}

/** Names the window after what it shows. Screen readers hear another name; browsers read the first one themselves. */
export function nameWindow(name: string): void {
  if (name === parts.name) return
  if (parts.name !== '') tellScreenReader(name)
  show({ name })
}

/** Names the window while it is rendered, for the name of a print, without announcing it. */
export function WindowName({ name }: { name: string }) {
  useEffect(() => {
    const before = parts.name
    show({ name })
    return () => show({ name: before })
  }, [name])
  return null
}

/** Begins the title of the window with the time that runs; empty if none does. */
export function useRunningTitle(running: string): void {
  useEffect(() => {
    show({ running })
    return () => show({ running: '' })
  }, [running])
}
