import type { Saldo } from '@saldo/client'
import { type EntryMutation, entriesAfter, type TimerAction, type TimerState } from '@saldo/client/entries'
import { SaldoProvider, type Timer, useTimer } from '@saldo/client/react'
import { type Entry, type EpochMs, isTimed } from '@saldo/core'
import { createElement } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'

const NOW_MS = Date.parse('2026-11-20T12:00:00Z') as EpochMs

const root = createRoot(document.body)
let entries: readonly Entry[] = []
let timer: Timer
let press: { changes: readonly EntryMutation[]; made: PromiseWithResolvers<boolean>; takeBack: () => void }

function TimerOfTest() {
  timer = useTimer({
    entries,
    now: () => NOW_MS,
    make(changes, _verb, _atMs, takeBack) {
      press = { changes, made: Promise.withResolvers(), takeBack }
      return press.made.promise
    },
  })
  return timer.state.kind
}

/** Shows the entries, read anew. */
function show(read: readonly Entry[]): void {
  entries = [...read]
  const children = createElement(TimerOfTest)
  flushSync(() => root.render(SaldoProvider({ saldo: {} as Saldo, children })))
}

/** The timer of a page, whose local store is the test. */
const stored = {
  state: (): TimerState['kind'] => timer.state.kind,
  press(action: TimerAction): void {
    flushSync(() => void timer.press(action))
  },
  /** Shows what was stored before the press once more. */
  showBefore: () => show(entries),
  showAfter: () => show(entriesAfter(entries.filter(isTimed), press.changes)),
  /** The press worked, or failed. */
  async settle(isWorked: boolean): Promise<void> {
    press.made.resolve(isWorked)
    await new Promise((resolve) => setTimeout(resolve))
  },
  takeBack(): void {
    flushSync(() => press.takeBack())
  },
}
export type StoredTimer = typeof stored

show([])
Object.assign(globalThis, { stored })
