import type { Saldo } from '@saldo/client'
import { createContext, type ReactNode, useContext } from 'react'

const SaldoContext = createContext<Saldo | undefined>(undefined)

export function SaldoProvider({ saldo, children }: { saldo: Saldo; children: ReactNode }) {
  return <SaldoContext value={saldo}>{children}</SaldoContext>
}

/** Returns the client of the signed-in user. */
export function useSaldo(): Saldo {
  const saldo = useContext(SaldoContext)
  if (!saldo) throw new Error('useSaldo belongs below SaldoProvider')
  return saldo
}
