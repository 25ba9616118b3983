import type { Status } from '@saldo/client'

/**
 * Whether the browser should be asked now to keep what is stored: as soon as something is on this device only, and not
 * before, because some browsers ask the person in turn, who has to see what for.
 */
export function isRightMoment({ pending, online }: Pick<Status, 'pending' | 'online'>): boolean {
  return (pending ?? 0) > 0 && !online
}
