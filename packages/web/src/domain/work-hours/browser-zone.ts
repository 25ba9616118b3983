import type { ZoneName } from '@saldo/core'

/** The zone of this browser. */
export function browserZone(): ZoneName {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
