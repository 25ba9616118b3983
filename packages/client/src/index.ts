export { NotSignedInError, OfflineError } from './api/ask.ts'
export { syncInBackground, userOfSync } from './api/background.ts'
export { type Connection, connect, connectionOver, type Me, type ServiceFacts } from './api/connect.ts'
export {
  type PasskeyRow,
  type PasskeySignIn,
  type Passkeys,
  passkeySignIn,
  passkeySignInOver,
  passkeysOf,
  passkeysOver,
} from './api/passkeys.ts'
export * from './api/saldo.ts'
export {
  type NewKey,
  type SecondFactor,
  type SecondFactorState,
  secondFactorOf,
  secondFactorOver,
} from './api/second-factor.ts'
export { type Export, OtherUserError, type Session, type SessionRow, type TokenRow } from './api/session.ts'
export type { Status } from './api/status.ts'
export type { Held } from './engine/base-record.ts'
export { fetchHints, type Listen } from './engine/change-notifications.ts'
export { InvalidRecordError, RefusedError } from './engine/mutations.ts'
export type { Edit, Pending } from './engine/outbox.ts'
export type { Stored } from './engine/sync-engine.ts'
export type { SyncError } from './engine/sync-error.ts'
export { after, type Event, events, type State, states } from './engine/sync-state.ts'
export type { DeviceClock } from './host/clock.ts'
export type { Surrounding, Surroundings } from './host/environment.ts'
export { systemRandom } from './host/platform.ts'
export { type Channel, type Locks, onlyTab, type Tabs, webTabs } from './host/tabs.ts'
export * from './host/transport.ts'
export type { AlteredWeek, ForecastBalance, ForecastDay } from './queries/forecast.ts'
export type { Live } from './queries/live-query.ts'
export type { Row } from './queries/queries.ts'
export { StoreError, type StoreTrouble } from './store/errors.ts'
export type {
  Divergence,
  LocalStore,
  LostClosings,
  OpenStore,
  Overridden,
  Owner,
  ReadTables,
  Refused,
  Tables,
} from './store/store.ts'
