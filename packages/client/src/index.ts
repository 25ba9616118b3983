export { syncInBackground, userOfSync } from './background.ts'
export type { DeviceClock } from './clock.ts'
export { type Connection, connect, connectionOver, type Me, type ServiceFacts } from './connect.ts'
export type { Stored } from './device.ts'
export { InvalidRecordError, RefusedError } from './edits.ts'
export type { AlteredWeek, ForecastBalance, ForecastDay } from './forecast.ts'
export type { Held } from './held.ts'
export { fetchHints, type Listen } from './hints.ts'
export type { Live } from './live.ts'
export {
  type PasskeyRow,
  type PasskeySignIn,
  type Passkeys,
  passkeySignIn,
  passkeySignInOver,
  passkeysOf,
  passkeysOver,
} from './passkeys.ts'
export type { Edit, Pending } from './pending.ts'
export { systemRandom } from './platform.ts'
export type { Row } from './queries.ts'
export * from './saldo.ts'
export {
  type NewKey,
  type SecondFactor,
  type SecondFactorState,
  secondFactorOf,
  secondFactorOver,
} from './second-factor.ts'
export { NotSignedInError, OfflineError } from './service-only.ts'
export { type Export, OtherUserError, type Session, type SessionRow, type TokenRow } from './session.ts'
export { after, type Event, events, type State, states } from './states.ts'
export type { Status } from './status.ts'
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
export type { Surrounding, Surroundings } from './surroundings.ts'
export type { SyncError } from './sync-error.ts'
export { type Channel, type Locks, onlyTab, type Tabs, webTabs } from './tabs.ts'
export * from './transport.ts'
