import { check, type ItemRefusal, type ItemResult, MAX_GROUP_LEVELS, MAX_GROUPS, MAX_ROLES } from '@saldo/core'
import type * as v from 'valibot'

const details: Record<Exclude<ItemRefusal, 'invalid'>, string> = {
  group_missing: 'This group does not exist.',
  parent_missing: 'The group above does not exist.',
  group_exists: 'There is a group of this name already.',
  is_company: 'The company has no group above it.',
  cycle: 'A group cannot be moved below itself.',
  other_company: 'The group above belongs to another company.',
  too_deep: `Groups have at most ${MAX_GROUP_LEVELS} levels.`,
  too_many_groups: `A company has at most ${MAX_GROUPS.toLocaleString('en')} groups.`,
  too_many_roles: `A company has at most ${MAX_ROLES.toLocaleString('en')} roles, ended ones too.`,
  address_invalid: 'This is not an e-mail address.',
  address_repeated: 'This address is in the list already.',
  address_added: 'This address was added meanwhile.',
  not_to_add: 'This account is deactivated, or belongs to another company.',
  person_missing: 'This person is not in the company.',
  own_membership: 'HR adds you to groups, not you yourself.',
  dates_reversed: 'The last date is before the first.',
  membership_ended: 'This membership has ended. Add another one, which the person accepts.',
  membership_overlaps: 'This overlaps another membership in the group.',
  already_member: 'This person is in the group at that time already.',
  role_of_company: 'This role is given for the whole company.',
  deputy_only: 'A deputy, and nobody else, stands in for a lead.',
  own_deputy: 'Nobody stands in for themself.',
  lead_missing: 'A deputy stands in for a lead of the group.',
  own_role: 'Nobody gives a role to themself.',
  hr_ended_late: 'The role of HR ends yesterday at the earliest.',
  exit_before_entry: 'The exit date is before the entry date.',
  mails_off: 'The service sends no mails. An admin can show the link.',
  not_invited: 'Nobody is invited under this number.',
  invited_lately: 'This person got an invitation a short time ago. Wait an hour.',
  mail_failed: 'The mail could not be sent.',
  account_gone: 'This account is gone. Add the person again.',
  only_hr: 'The role of HR would end with it. Give it to somebody else first.',
  mailed_often: 'You have sent many mails to others a short time ago. Wait an hour.',
  address_unconfirmed: 'This person has not confirmed their e-mail address.',
  hr_only: 'Others would see more of its members. HR makes this change.',
}

/** Returns the outcome of an item that is rejected. */
export function rejected(refusal: Exclude<ItemRefusal, 'invalid'>): ItemResult {
  return { outcome: 'rejected', id: null, refusal, detail: details[refusal] }
}

/** Checks one item of a request for many, so that one that is not valid stops no other (D24.12). */
export function checkItem<S extends v.GenericSchema>(
  schema: S,
  item: unknown,
): { ok: true; value: v.InferOutput<S> } | { ok: false; result: ItemResult } {
  const checked = check(schema, item)
  if (checked.ok) return checked
  const texts = checked.errors.map(({ pointer, detail }) => `${pointer.slice(1) || 'It'} ${detail}`)
  const result = { outcome: 'rejected', id: null, refusal: 'invalid', detail: `${texts.join('; ')}.` } as const
  return { ok: false, result }
}
