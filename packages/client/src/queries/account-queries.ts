/** The account computed from records, without a store. @module */
export { type AccountRecords, type ForecastDay, forecastDays } from './forecast.ts'
export {
  type AdjustmentLine,
  type BalancePoint,
  type Ledger,
  type LedgerLine,
  ledgerOf,
  ledgerRange,
  type WeekLine,
} from './ledger.ts'
