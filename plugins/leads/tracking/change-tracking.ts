import type { OwnerContext, Row, RowChanges } from 'renown'
import type { BrandTracker } from '../records/BrandTracker'
import { editTracker } from '../records/edit-tracker'
import { feedsOf, keywordLists, languagesOf, type TrackerChoice } from './begin-tracking'

type Tracker = Row<typeof BrandTracker>

/** What a person changes in a tracker. A field that is left out stays. */
export type TrackerChange = Partial<Omit<TrackerChoice, 'location_id'>>

/** Changes what a tracker searches for. It is also searched in the posts of the last days. */
export async function changeTracking(
  ctx: OwnerContext,
  tracker: Pick<Tracker, 'id'>,
  change: TrackerChange,
  check?: (tracker: Tracker) => void,
): Promise<Tracker> {
  return editTracker(ctx, tracker.id, (now) => changesOf(now, change), check)
}

const changesOf = (
  tracker: Tracker,
  { name, sources, languages, feeds, ...lists }: TrackerChange,
): RowChanges<typeof BrandTracker> => ({
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

/** What people do with a tracker as a whole. */
export type TrackerSwitch = 'pause' | 'resume' | 'archive'

/** Pauses, resumes or archives a tracker. Its mentions stay. An archived tracker that is resumed is active again. */
export async function switchTracker(
  ctx: OwnerContext,
  { id, workspace_id }: Pick<Tracker, 'id' | 'workspace_id'>,
  verb: TrackerSwitch,
): Promise<Tracker> {
  if (verb === 'resume') await ctx.requireActive(workspace_id)
  const archived_at = ctx.now().toISOString()
  return editTracker(ctx, id, (tracker) => ({
    is_active: verb === 'resume',
    ...(verb === 'resume' ? { archived_at: undefined } : {}),
    ...(verb === 'archive' ? { archived_at: tracker.archived_at ?? archived_at } : {}),
  }))
}
