import * as v from 'valibot'
import { textUpTo } from './validation.ts'

const oneLine = 'must be one line of text'

/** A line of text, trimmed, of at most 200 characters; empty if it is not given. */
const Line = v.pipe(
  v.string(oneLine),
  v.trim(),
  textUpTo(200),
  v.check((line) => !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(line), oneLine),
)

/** The facts about a user that their month sheet names (D8.35). */
export const Profile = v.object({ name: Line, personnel_number: Line, employer: Line })
export type Profile = v.InferOutput<typeof Profile>

/** Some fields of a profile, to replace. */
export const ProfilePatch = v.partial(Profile)
export type ProfilePatch = v.InferOutput<typeof ProfilePatch>
