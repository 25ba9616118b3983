import { v5 } from 'uuid'
import type { IsoWeek, LocalDate, RecordId, UserNumber } from './values.ts'

/** The namespace of all ids that Saldo derives from names (RFC 9562 §5.5). */
const NAMESPACE = '6f1d0f1c-6a53-4d0e-9a7c-5a1d05a1d001'

/** True if `number` can be the number of a user (D6.19). */
export function isUserNumber(number: number): number is UserNumber {
  return Number.isSafeInteger(number) && number > 0
}

/** The form of an id, for OpenAPI too. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** True if `text` is a UUID in lower case (D1.9). */
export function isUuid(text: string): text is RecordId {
  return UUID.test(text)
}

/** Returns the id of a closed day or week, which is the same on every node and after every restore (D2.25). */
export function closingId(user: UserNumber, dateOrWeek: LocalDate | IsoWeek): RecordId {
  return derivedId(`${user}/closing`, dateOrWeek)
}

/**
 * Returns the id of a settings row whose id was an integer in an old database (R2.2). The service's migration and the
 * client's outbox derive the same id, so a queued change finds its record.
 */
export function settingsIdOf(user: UserNumber, integerId: number): RecordId {
  return derivedId(`${user}/settings`, String(integerId))
}

/**
 * Returns the id that follows from a name, such as that of an imported entry: the same name has the same id on every
 * device. `purpose` keeps the names of different things apart.
 */
export function derivedId(purpose: string, name: string): RecordId {
  return v5(`${purpose}/${name}`, NAMESPACE) as RecordId
}
