import { createContext, createElement, type ReactNode, useContext } from 'react'
import type { Saldo } from '../api/saldo.ts'

const SaldoContext = createContext<Saldo | undefined | null>(null)

/** Gives the device of the signed-in user to all hooks below. The program opens and closes the device. */
export function SaldoProvider({ saldo, children }: { saldo: Saldo; children: ReactNode }): ReactNode {
  return createElement(SaldoContext, { value: saldo }, children)
}

/** Returns the device of the signed-in user. Throws without a `SaldoProvider` around the component. */
export function useSaldo(): Saldo {
  const saldo = useContext(SaldoContext)
  if (saldo === null) throw new Error('There is no SaldoProvider around this component.')
  if (saldo === undefined) throw new Error('SaldoProvider has no `saldo` yet: render it when openSaldo has resolved.')
  return saldo
}
