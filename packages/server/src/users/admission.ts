import type { UserNumber } from '@saldo/core'
import type { Admission, AdmissionFacts } from '../store/users/identities.ts'

/** The settings of a provider that say who gets an account. */
export interface AdmissionPolicy {
  domains?: readonly string[] | undefined
  linking: boolean
}

/** A person as a provider has described them. */
export interface Person {
  /** `undefined` if the provider has not verified it. */
  verifiedEmail: string | undefined
  /** True for members of the group of admins. */
  isAdmin: boolean
}

/**
 * `other_user`: not the user of the device that signs in again. `unverified`: the account is unknown, and the provider
 * has no verified address. `taken`: an account with the address exists that must not be linked: linking is off, the
 * account has another identity of the provider, or nobody has shown that its address is theirs. `domain`: the address
 * is in no domain whose people get an account. `not_set_up`: the first user must be an admin.
 */
export type AdmissionRefusal = 'other_user' | 'deactivated' | 'unverified' | 'taken' | 'domain' | 'not_set_up'

/** Decides whom a person of a provider is at Saldo (D20.4 to D20.9); `device` is the user of a device, if known. */
export function decideAdmission(
  { known, sameAddress, hasUsers }: AdmissionFacts,
  { verifiedEmail, isAdmin }: Person,
  { domains = [], linking }: AdmissionPolicy,
  device?: UserNumber,
): Admission<AdmissionRefusal> {
  const found = known ?? sameAddress
  if (device !== undefined && found?.user !== device) return refuse('other_user')
  if (known) return known.isActive ? { outcome: 'enter', user: known.user } : refuse('deactivated')
  if (verifiedEmail === undefined) return refuse('unverified')
  if (sameAddress) {
    if (!linking || sameAddress.hasIdentity || !sameAddress.isConfirmed) return refuse('taken')
    return sameAddress.isActive ? { outcome: 'link', user: sameAddress.user } : refuse('deactivated')
  }
  if (!domains.includes(verifiedEmail.slice(verifiedEmail.lastIndexOf('@') + 1))) return refuse('domain')
  return hasUsers || isAdmin ? { outcome: 'create' } : refuse('not_set_up')
}

function refuse(reason: AdmissionRefusal): Admission<AdmissionRefusal> {
  return { outcome: 'refuse', reason }
}
