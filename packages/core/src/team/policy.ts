import * as v from 'valibot'
import { chosenAbsenceKinds } from '../choices.ts'
import { fieldsFor } from '../list.ts'
import { DateText, wholeNumber } from '../validation.ts'
import type { LocalDate } from '../values.ts'

/** A kind of absence that a policy knows: all but public holidays. */
export type ChosenAbsenceKind = (typeof chosenAbsenceKinds)[number]

/** An absence is recorded freely, the lead sees it too, or it is asked for first (D26.8). */
export const absenceRules = ['free', 'tell', 'ask'] as const
export type AbsenceRule = (typeof absenceRules)[number]

const kinds = (description: string) =>
  v.pipe(
    v.array(v.picklist(chosenAbsenceKinds), `must be a list of ${chosenAbsenceKinds.join(', ')}`),
    v.transform((list) => chosenAbsenceKinds.filter((kind) => list.includes(kind))),
    v.metadata({ description }),
  )

/** The parts of an account that HR can manage for members (D28.6). */
export const managedParts = ['settings', 'adjustments', 'grants'] as const
export type ManagedPart = (typeof managedParts)[number]

/** The choices of a company (D25 to D29). Each field is shown to its members in words. */
export const CompanyPolicy = v.object({
  absences: v.pipe(
    v.object({
      ...fieldsFor(chosenAbsenceKinds, () => v.picklist(absenceRules)),
      sick: v.picklist(['free', 'tell'], 'must be free or tell: nobody asks for sickness'),
    }),
    v.metadata({ description: 'For each kind: recorded freely, told to the lead, or asked for first.' }),
  ),
  second_stage: kinds('Kinds whose approval HR confirms.'),
  cancel_ahead: kinds('Kinds whose approved absence can be deleted without asking while it lies wholly ahead.'),
  lead_balance: v.pipe(
    v.picklist(['none', 'light', 'figure']),
    v.metadata({ description: 'What leads see of the balance: nothing, its light, or the figure.' }),
  ),
  lead_days: v.pipe(
    v.picklist(['none', 'figures', 'times']),
    v.metadata({ description: 'What leads see of days: nothing, their figures, or times of day too.' }),
  ),
  lead_kinds: kinds('Kinds of absence that leads see as what they are.'),
  lock_unsubmitted: v.pipe(
    v.boolean(),
    v.metadata({ description: 'True if HR locks months that were not submitted.' }),
  ),
  hr_changes: v.pipe(
    v.picklist(['propose', 'apply'], 'must be propose or apply'),
    v.metadata({ description: 'Changes by HR wait until the person accepts, or HR may apply them at once.' }),
  ),
  managed: v.pipe(
    v.array(v.picklist(managedParts)),
    v.transform((list) => managedParts.filter((part) => list.includes(part))),
    v.metadata({ description: 'Parts of the account that HR changes, and members only ask for.' }),
  ),
  months_kept: v.pipe(
    wholeNumber(24, 120),
    v.metadata({ description: 'Months for which stored sheets and trails are kept.' }),
  ),
  sole_hr_decides: v.pipe(
    v.boolean(),
    v.metadata({ description: 'True if the only HR decides their own requests, which is marked as own decision.' }),
  ),
})
export interface CompanyPolicy extends v.InferOutput<typeof CompanyPolicy> {}

/** A version of the policy, which applies from a date on; earlier versions stay readable (D25.9). */
export const PolicyVersion = v.object({ from: DateText, policy: CompanyPolicy, number: wholeNumber(1, 1_000_000) })
export type PolicyVersion = v.InferOutput<typeof PolicyVersion>

/** The policy of a new company. */
export const defaultPolicy: CompanyPolicy = {
  absences: { vacation: 'ask', sick: 'free', time_off_in_lieu: 'tell', unpaid: 'tell', paid_other: 'tell' },
  second_stage: [],
  cancel_ahead: ['vacation', 'time_off_in_lieu', 'unpaid', 'paid_other'],
  lead_balance: 'light',
  lead_days: 'none',
  lead_kinds: ['vacation', 'time_off_in_lieu'],
  lock_unsubmitted: false,
  hr_changes: 'propose',
  managed: [],
  months_kept: 36,
  sole_hr_decides: false,
}

/** Returns the policy in force on a date. `versions` are in the order of their dates; the last of a date counts. */
export function policyOn(versions: readonly PolicyVersion[], date: LocalDate): CompanyPolicy {
  return versions.findLast(({ from }) => from <= date)?.policy ?? defaultPolicy
}
