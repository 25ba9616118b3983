import type { CompanyEvent, CompanyLeave, Instant, LocalDate, TeamRole, UserNumber } from '@saldo/core'

/** The content of a row of a company's trail; fields that do not apply are left out. */
export interface TrailData {
  user?: UserNumber
  role?: TeamRole
  /** The name of the group at that time. */
  group?: string
  from?: LocalDate
  until?: LocalDate | null
  /** Company leave; its dates are `from` and `until`. */
  leave?: Pick<CompanyLeave, 'id' | 'kind' | 'users'>
}

export interface StoredTrailRow {
  number: number
  at: Instant
  actor: UserNumber | null
  kind: CompanyEvent
  data: TrailData
}
