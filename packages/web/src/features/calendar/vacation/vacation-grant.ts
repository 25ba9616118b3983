import type { GrantContent } from '@saldo/core'

/** Returns the content of a grant. */
export function grantContent(fields: Pick<GrantContent, 'date' | 'days' | 'note'>): GrantContent {
  return { kind: 'vacation_grant', time_zone: null, tags: [], project: null, source: null, import_ref: null, ...fields }
}
