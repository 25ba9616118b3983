/** Hooks for React 19, over live queries. @module */
export { useBalance, useDays, useEntries, useSyncStatus } from './queries.ts'
export { SaldoProvider, useSaldo } from './saldo-provider.ts'
export { useLive } from './use-live.ts'
export { type Timer, type TimerOptions, useTimer } from './use-timer.ts'
