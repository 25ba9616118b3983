/** A device of one user: its records and account, with or without a network. @module */
export { syncInBackground, userOfSync } from './api/background.ts'
export { connect, type ServiceFacts } from './api/connect.ts'
export { OtherUserError, UnsentChangesError } from './api/errors.ts'
export type { Export } from './api/own-user-account.ts'
export { passkeySignIn, passkeysOf } from './api/passkeys.ts'
export { NotSignedInError, OfflineError, offlineErrorOf, WrongServiceError } from './api/request.ts'
export { type Closings, openSaldo, type Saldo, type SaldoOptions } from './api/saldo.ts'
export { secondFactorOf } from './api/second-factor.ts'
export type { Status } from './api/status.ts'
export { InvalidRecordError, MissingRecordError, RejectedError, type SyncError } from './engine/errors.ts'
export type { MutationResult, PendingMutation } from './engine/mutator.ts'
export type { ShownRecord } from './engine/shown-record.ts'
export { fetchNotifications } from './host/event-stream.ts'
export type { ExchangeFailure } from './host/exchange-failure.ts'
export { systemRandom } from './host/platform.ts'
export {
  fetchTransport,
  InvalidAddressError,
  type ServiceRequest,
  type ServiceResponse,
  type Transport,
} from './host/transport.ts'
export type { AlteredWeek, BalancePreview, ForecastDay, SettingsPreview } from './queries/forecast.ts'
export type { Live } from './queries/live-query.ts'
export { StoreError } from './store/errors.ts'
export type { Conflict, LostClosings, QueuedChange, RejectedChange } from './store/rows.ts'
