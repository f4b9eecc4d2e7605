import type { ListData, PageContext, ShownList } from 'renown/pages'
import { BrandTracker } from '../records/BrandTracker'
import type { ShownMention } from './load-mention'
import { looksOf, type SourceLook } from './look-state'
import type { MentionLine } from './mention-lines'

/** A tracker without a mention, and how its sources are read. */
export interface TrackerLook {
  readonly id: string
  readonly name: string
  readonly looks: readonly SourceLook[]
}

/** What the page of mentions shows besides its list. */
export interface MentionsOwn {
  readonly has_trackers: boolean
  readonly may_change: boolean
  /** How the first trackers are doing, while there is no mention. */
  readonly looking: readonly TrackerLook[]
  /** The mention that an action can be undone for. Null if the last action was none. */
  readonly undo: string | null
}

/** The data of the page of mentions. */
export type MentionsData = ListData<MentionsOwn, MentionLine, ShownMention>

const choicesMax = 500
const lookingMax = 3

/** Loads what the page of mentions shows besides its list. */
export async function loadMentions(
  ctx: PageContext,
  query: URLSearchParams,
  { hasAny }: ShownList,
): Promise<MentionsOwn> {
  return {
    has_trackers: hasAny || (await ctx.rows(BrandTracker).list({ limit: 1, fields: ['name'] })).length > 0,
    may_change: ctx.person.role === 'owner' && !ctx.isDemo,
    looking: hasAny ? [] : await lookingNow(ctx),
    undo: query.get('undo')?.slice(0, 100) ?? null,
  }
}

async function lookingNow(ctx: PageContext): Promise<TrackerLook[]> {
  const newest = await ctx.rows(BrandTracker).list({
    sort: [{ field: 'created_date', direction: 'desc' }],
    limit: choicesMax,
  })
  const trackers = newest.filter(({ is_active }) => is_active).slice(0, lookingMax)
  return Promise.all(
    trackers.map(async (tracker) => ({
      id: tracker.id,
      name: tracker.name,
      looks: await looksOf(ctx, tracker),
    })),
  )
}
