import { connect, openSaldo, type Saldo } from '@saldo/client'
import { dexieStore } from '@saldo/client/dexie'
import type { UserNumber } from '@saldo/core'
import { type Left, leaveBehind } from './old-program.ts'
import { count, databases, hold, remove } from './raw.ts'
import { countTransactions, stopBetweenTransactions } from './transactions.ts'

countTransactions()

/** The functions that tests call in the page. */
const workbench = {
  connect,
  /** Opens the user's device as an app does; with a clock whose waits are over `hurry` times as fast. */
  open: (user: UserNumber, hurry = 1): Promise<Saldo> =>
    openSaldo({ user, store: dexieStore(), clock: hurrying(hurry) }),
  stop: stopBetweenTransactions,
  /** Database operations of other programs. */
  others: { hold, count, remove, databases, leaveBehind: (left: Left) => leaveBehind(left) },
}

function hurrying(hurry: number) {
  return {
    now: () => Date.now(),
    after(ms: number, work: () => void) {
      const timer = setTimeout(work, ms / hurry)
      return () => clearTimeout(timer)
    },
  }
}

export type Workbench = typeof workbench

Object.assign(globalThis, { workbench })
