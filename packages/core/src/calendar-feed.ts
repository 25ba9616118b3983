import * as v from 'valibot'
import { AccessKeyRow } from './sign-in.ts'

/** The languages of calendar feeds. */
export const feedLanguages = ['en', 'de'] as const
/** One of `feedLanguages`. */
export type FeedLanguage = (typeof feedLanguages)[number]

/** The content of a calendar feed, and the language of its words (D15.2). */
export const FeedContent = v.pipe(
  v.object({
    absences: v.pipe(v.boolean(), v.metadata({ description: 'Absences, with their kind in words.' })),
    work: v.pipe(v.boolean(), v.metadata({ description: 'Work, as busy time without words.' })),
    language: v.picklist(feedLanguages, `must be one of ${feedLanguages.join(', ')}`),
  }),
  v.forward(
    v.check(({ absences, work }) => absences || work, 'must be true if `work` is false'),
    ['absences'],
  ),
)
export type FeedContent = v.InferOutput<typeof FeedContent>

/** A calendar feed, without its address. The last use is noted to a quarter of an hour. */
export const FeedRow = v.object({
  ...AccessKeyRow.entries,
  absences: v.boolean(),
  work: v.boolean(),
  language: v.picklist(feedLanguages),
})
export type FeedRow = v.InferOutput<typeof FeedRow>
