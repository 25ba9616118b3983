import * as v from 'valibot'
import { AccessKeyRow } from './sign-in.ts'
import { GroupId } from './team/groups.ts'

/** The languages of calendar feeds. */
export const feedLanguages = ['en', 'de'] as const
/** One of `feedLanguages`. */
export type FeedLanguage = (typeof feedLanguages)[number]

/** The content of a calendar feed, and the language of its words (D15.2). */
export const FeedContent = v.pipe(
  v.object({
    absences: v.pipe(v.boolean(), v.metadata({ description: 'Absences, with their kind in words.' })),
    work: v.pipe(v.boolean(), v.metadata({ description: 'Work, as busy time without words.' })),
    group_id: v.pipe(
      v.optional(v.nullable(GroupId), null),
      v.metadata({ description: 'The group whose members are shown while they are away, in place of the user.' }),
    ),
    language: v.picklist(feedLanguages, `must be one of ${feedLanguages.join(', ')}`),
  }),
  v.forward(
    v.check(
      ({ absences, work, group_id }) => (group_id === null ? absences || work : !absences && !work),
      'must be true if `work` is false, and both false for a group',
    ),
    ['absences'],
  ),
)
export type FeedContent = v.InferOutput<typeof FeedContent>
/** The content of a feed as a program may write it. */
export type FeedInput = v.InferInput<typeof FeedContent>

/** A calendar feed, without its address. The last use is noted to a quarter of an hour. */
export const FeedRow = v.object({
  ...AccessKeyRow.entries,
  absences: v.boolean(),
  work: v.boolean(),
  group_id: v.nullable(GroupId),
  language: v.picklist(feedLanguages),
})
export type FeedRow = v.InferOutput<typeof FeedRow>
