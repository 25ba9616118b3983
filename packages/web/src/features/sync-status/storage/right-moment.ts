import type { Status } from '@saldo/client'

/**
 * Whether the browser should be asked now to keep what is stored: as soon as something is on this device only, and not
 * before, because some browsers ask the person in turn, who has to see what for.
 */
export function isRightMoment({ unsent, online }: Pick<Status, 'unsent' | 'online'>): boolean {
  return (unsent ?? 0) > 0 && !online
}
