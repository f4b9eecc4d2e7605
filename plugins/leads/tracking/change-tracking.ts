import { type OwnerContext, Refusal, type Row } from 'renown'
import { BrandTracker } from '../records/BrandTracker'
import { feedsOf, keywordLists, languagesOf, type TrackerChoice } from './begin-tracking'
import { noteTracking } from './note-tracking'

/** What a person changes in a tracker. A field that is left out stays. */
export type TrackerChange = Partial<Omit<TrackerChoice, 'location_id'>>

/** Changes a tracker. What it searches for now is also searched in the posts of the last days. */
export async function changeTracking(
  ctx: OwnerContext,
  tracker: Row<typeof BrandTracker>,
  { name, sources, languages, feeds, ...lists }: TrackerChange,
): Promise<Row<typeof BrandTracker>> {
  const changed = await ctx.rows(BrandTracker).update(tracker.id, {
    ...keywordLists({
      keywords: lists.keywords ?? tracker.keywords,
      required_keywords: lists.required_keywords ?? tracker.required_keywords,
      excluded_keywords: lists.excluded_keywords ?? tracker.excluded_keywords,
    }),
    ...(name === undefined ? {} : { name }),
    ...(sources === undefined ? {} : { sources: [...new Set(sources)] }),
    ...(languages === undefined ? {} : { languages: languagesOf(languages) }),
    ...(feeds === undefined ? {} : { feeds: feedsOf(feeds) }),
  })
  if (!changed) throw new Refusal('not_found', `There is no tracker ${tracker.id}.`)
  await noteTracking(ctx, tracker, 'change')
  return changed
}
