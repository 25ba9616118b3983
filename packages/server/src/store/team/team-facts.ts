import type { absenceKinds, ChosenAbsenceKind, Instant, LocalDate, RecordId, UserNumber, ZoneName } from '@saldo/core'

/** A recorded or approved absence of a member. */
export interface AbsenceFact {
  from: LocalDate
  to: LocalDate
  isWholeDay: boolean
  kind: (typeof absenceKinds)[number]
}

/** A request of a member that nobody has decided in its present content. */
export interface RequestFact {
  id: RecordId
  digest: string
  asks: 'absence' | 'cancel' | 'change'
  absence: ChosenAbsenceKind | null
  from: LocalDate
  to: LocalDate
  isPlanned: boolean
  askedAt: Instant
  substitute: UserNumber | null
}

/** The projection of a member's records that team pages read (D30.1). */
export interface TeamFacts {
  user: UserNumber
  company: number
  version: number
  timeZone: ZoneName
  absences: readonly AbsenceFact[]
  requests: readonly RequestFact[]
}
