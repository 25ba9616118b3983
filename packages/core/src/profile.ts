import * as v from 'valibot'
import { isLine } from './line.ts'
import { textUpTo } from './validation.ts'

const oneLine = 'must be one line of text'

/** A line of text, trimmed, of at most 200 characters; empty if it is not given. */
const Line = v.pipe(v.string(oneLine), v.trim(), textUpTo(200), v.check(isLine, oneLine))

/** The facts about a user that their month sheet names (D8.35). */
export const Profile = v.object({ name: Line, personnel_number: Line, employer: Line })
export type Profile = v.InferOutput<typeof Profile>

/** The app's way to write for a user, the same on all their devices (D19.17). */
export const Preferences = v.object({
  language: v.pipe(
    v.nullable(v.pipe(v.string(), v.regex(/^[a-z]{2}$/, 'must be a code of two letters, such as `de`'))),
    v.metadata({ description: 'Null follows the browser.' }),
  ),
  durations: v.pipe(
    v.picklist(['clock', 'decimal'], 'must be `clock` or `decimal`'),
    v.metadata({ description: '7:30 or 7.5.' }),
  ),
  hours: v.pipe(
    v.picklist(['auto', 'h23', 'h12'], 'must be `auto`, `h23` or `h12`'),
    v.metadata({ description: 'Times in 24 or 12 hours; `auto` follows the region.' }),
  ),
  first_run: v.pipe(
    v.picklist(['ask', 'skipped'], 'must be `ask` or `skipped`'),
    v.metadata({ description: 'Skipped: an account without settings is not asked for working hours.' }),
  ),
})
export type Preferences = v.InferOutput<typeof Preferences>

/** The preferences of a user who has chosen none. */
export const defaultPreferences: Preferences = {
  language: null,
  durations: 'clock',
  hours: 'auto',
  first_run: 'ask',
}

/** Some fields of a profile, to replace. */
export const ProfilePatch = v.partial(Profile)
export type ProfilePatch = v.InferOutput<typeof ProfilePatch>

/** Some fields of a profile, and some preferences, to replace. */
export const UserAccountPatch = v.partial(v.object({ ...Profile.entries, preferences: v.partial(Preferences) }))
export type UserAccountPatch = v.InferOutput<typeof UserAccountPatch>
