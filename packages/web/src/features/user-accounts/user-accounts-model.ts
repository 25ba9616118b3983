import type { UserAccountRow } from '@saldo/core'
import type { OwnWords } from '../../ui/feedback/failure.ts'

/** The texts for what the service rejects about a name or an address. */
export const accountWords: OwnWords = {
  '/email': ['signIn.incompleteEmail', 'email'],
  '/name': ['signIn.noName', 'name'],
  conflict: ['userAccounts.taken', 'email'],
}

/** True if an account can be used, or can be once its user follows the invitation. */
export function isUsable({ state }: Pick<UserAccountRow, 'state'>): boolean {
  return state === 'active' || state === 'invited'
}

const PAGE_SIZE = 50

/** Returns the accounts to ask for on a page, the first of which is 1. */
export function pageOf(page: number): { offset: number; limit: number } {
  return { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE }
}

/** Returns the number of pages of all accounts. */
export function pageCountOf(accountCount: number): number {
  return Math.ceil(accountCount / PAGE_SIZE)
}
