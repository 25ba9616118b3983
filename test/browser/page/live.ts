import { type Live, StoreError } from '@saldo/client'
import { useLive } from '@saldo/client/react'
import { Component, createElement, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { liveOver } from '../../../packages/client/src/queries/live-query.ts'

/** The next outcome of the query: a result, a failure of the local store, or a defect. */
export type NextOutcome = { result: string } | { failure: 'store' | 'defect' }

let outcome: NextOutcome
let onChange = () => {}

async function read(): Promise<string> {
  if ('result' in outcome) return outcome.result
  throw outcome.failure === 'store' ? new StoreError('failed') : new TypeError('a defect')
}
const subscribe = (listener: () => void) => {
  onChange = listener
  return () => {}
}
const live: Live<string> = liveOver(read, [{ subscribe }])

function Result(): ReactNode {
  return useLive(live) ?? 'reading'
}

class Boundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError = () => ({ hasFailed: true })

  override render(): ReactNode {
    return this.state.hasFailed ? 'failed' : this.props.children
  }
}

let isBegun = false
let onDelivered = () => {}

/** A page with a live query, whose outcomes the test sets. */
const query = {
  text: (): string => document.body.textContent ?? '',
  /** Begins or repeats the query. Resolves once its outcome has arrived. */
  async deliver(next: NextOutcome): Promise<void> {
    outcome = next
    const delivered = Promise.withResolvers<void>()
    onDelivered = delivered.resolve
    if (isBegun) onChange()
    else begin()
    await delivered.promise
  },
}
export type Query = typeof query

function begin(): void {
  isBegun = true
  createRoot(document.body).render(createElement(Boundary, null, createElement(Result)))
  live.subscribe(
    () => onDelivered(),
    () => onDelivered(),
  )
}

Object.assign(globalThis, { query })
