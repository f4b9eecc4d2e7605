import { type Where, where } from 'renown'

/** Posts that their source has, without copies. A post that two trackers of a location found is there twice. */
export const postsOfTracker: readonly Where[] = [
  where.eq('duplicate_of', null),
  where.eq('removed_at_source_at', null),
]

/** Each post once, as long as its source has it. */
export const eachPostOnce: readonly Where[] = [...postsOfTracker, where.eq('same_post_as', null)]

/** The mentions that every figure counts, in every state: new, saved, answered and dismissed ones. */
export const countedMentions: readonly Where[] = [
  where.ne('relevance', 'irrelevant'),
  where.eq('is_archived', false),
  ...eachPostOnce,
]

/** Says in answers which mentions a figure counts. */
export const countedMentionsText = 'Without irrelevant, archived, repeated and deleted ones.'
