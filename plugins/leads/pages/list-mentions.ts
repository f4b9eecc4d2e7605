import { dayMs, type Row, type SortKey, type Where, where } from 'renown'
import type { KeyedPart, PageContext } from 'renown/pages'
import { eachPostOnce, postsOfTracker } from '../records/counted-mentions'
import { Mention } from '../records/Mention'
import { shownMention } from '../records/shown-mention'
import type { MentionFilters } from './mention-filters'

const listed = [
  'location_id',
  'tracker_id',
  'source',
  'title',
  'body',
  'excerpt',
  'language',
  'author',
  'url',
  'matched_keywords',
  'posted_at',
  'created_date',
  'relevance',
  'sentiment',
  'status',
  'is_read',
  'is_lead',
  'suggested_reply',
  'removal_rule',
  'removed_at_source_at',
  'found_by',
] as const

/** A mention with the fields of the list. */
export type ListedMention = Pick<Row<typeof Mention>, (typeof listed)[number] | 'id'>

/** The newest mentions that are searched for filters without an index of their own, unless the person asks for all. */
const searchedMax = 20_000
/** The order of what the list shows: when a post was written. */
const newest: readonly SortKey[] = [{ field: 'posted_at', direction: 'desc' }]

/** Which part of the list is read. */
interface MentionPart {
  readonly after: string
  readonly limit: number
  readonly isWhole: boolean
}

/**
 * Returns a page of the list by key, without reading earlier rows. Mentions are in the order of their posts. One whose
 * date is unknown is where it was found.
 */
export async function listMentions(
  ctx: Pick<PageContext, 'rows' | 'now'>,
  asked: MentionFilters,
  { after, limit, isWhole }: MentionPart,
): Promise<KeyedPart<ListedMention>> {
  const since = isWhole ? null : await searchedSince(ctx, asked)
  const filter = filterOf(asked)
  const parts = await Promise.all(
    relevanceParts(asked).flatMap((part) =>
      dateParts({ after, days: asked.days }, since, ctx.now()).map(({ bounds, sort }) =>
        ctx.rows(Mention).list({
          where: where.and(...part, ...filter, ...bounds),
          sort,
          limit: limit + 1,
          fields: listed,
        }),
      ),
    ),
  )
  const found = parts.flat().toSorted(byNewest)
  const rows = found.slice(0, limit).map(shownMention)
  const last = rows.at(-1)
  const hasMore = found.length > limit
  return {
    rows,
    next: hasMore && last ? `${timeOf(last)}~${last.id}` : null,
    since: hasMore ? null : since,
  }
}

/** When a post was written, or found if nobody knows that. */
const timeOf = ({ posted_at, created_date }: ListedMention) => posted_at ?? created_date

const byNewest = (a: ListedMention, b: ListedMention) =>
  timeOf(a) === timeOf(b) ? (a.id < b.id ? 1 : -1) : timeOf(a) < timeOf(b) ? 1 : -1

/** Returns one read for mentions of known date and one for the others, each along an index. Ids grow with time. */
function dateParts(
  { after, days }: { readonly after: string; readonly days: string },
  since: string | null,
  now: Date,
) {
  const from = days === '' ? null : new Date(now.getTime() - Number(days) * dayMs).toISOString()
  const bounds = (field: 'posted_at' | 'created_date'): readonly Where[] => [
    ...afterMark(after, field),
    ...(since === null ? [] : [where.gte(field, since)]),
    ...(from === null ? [] : [where.gte(field, from)]),
  ]
  return [
    { bounds: [where.gte('posted_at', firstInstant), ...bounds('posted_at')], sort: newest },
    { bounds: [where.eq('posted_at', null), ...bounds('created_date')], sort: lastFound },
  ]
}

/** The first instant that can be stored. */
const firstInstant = '0000-01-01T00:00:00.000Z'
const lastFound: readonly SortKey[] = [{ field: 'id', direction: 'desc' }]

/**
 * Returns the conditions on relevance, one read for each: an index has one order for each value. A mention that is not
 * judged yet has none.
 */
function relevanceParts({ relevance, state }: MentionFilters): readonly (readonly Where[])[] {
  if (relevance === 'any' || state === 'removed') return [[]]
  if (relevance !== '') return [[where.eq('relevance', relevance)]]
  return ['relevant', 'maybe', null].map((value) => [where.eq('relevance', value)])
}

/** Mentions that still have their text, each post once. */
const shownMentions: readonly Where[] = [...eachPostOnce, where.eq('removal_rule', null)]
/** Those of one tracker, also where another tracker of the location found the post too. */
const shownOfTracker: readonly Where[] = [...postsOfTracker, where.eq('removal_rule', null)]

function filterOf(asked: MentionFilters): readonly Where[] {
  const { state, location, tracker, source, sentiment, unread, lead, q } = asked
  return [
    ...stateFilter(state, tracker === '' ? shownMentions : shownOfTracker),
    ...(location === '' ? [] : [where.eq('location_id', location)]),
    ...(tracker === '' ? [] : [where.eq('tracker_id', tracker)]),
    ...(source === '' ? [] : [where.eq('source', source)]),
    ...(sentiment === '' ? [] : [where.eq('sentiment', sentiment)]),
    ...(unread === '' ? [] : [where.eq('is_read', false)]),
    ...(lead === '' ? [] : [where.eq('is_lead', true)]),
    ...(q === ''
      ? []
      : [where.or(...['title', 'body', 'url'].map((field): Where => ({ op: 'contains', field, value: q })))]),
  ]
}

function stateFilter(state: string, shown: readonly Where[]): readonly Where[] {
  if (state === 'removed')
    return [where.or(where.ne('removed_at_source_at', null), where.ne('removal_rule', null))]
  if (state === 'any') return shown
  return [where.eq('status', state || 'new'), where.eq('is_archived', false), ...shown]
}

/** Whether the order of an index also fits the filters, so that no more rows are read than shown. */
const isIndexed = (asked: MentionFilters): boolean => {
  const { state, relevance, location, tracker, source, sentiment, lead, q } = asked
  const others = [location, tracker, source, sentiment, lead, q]
  return (
    others.every((value) => value === '') && state !== 'removed' && (state !== 'any' || relevance === 'any')
  )
}

/** Returns the instant since which mentions are searched. Null if all are. */
async function searchedSince(ctx: Pick<PageContext, 'rows'>, asked: MentionFilters): Promise<string | null> {
  if (isIndexed(asked) || Object.values(asked).every((value) => value === '')) return null
  const [row] = await ctx
    .rows(Mention)
    .list({ sort: newest, skip: searchedMax, limit: 1, fields: ['posted_at'] })
  return row?.posted_at ?? null
}

/** Returns the condition for the rows after a cursor. */
function afterMark(after: string, field: 'posted_at' | 'created_date'): readonly Where[] {
  const [at = '', id = ''] = after.split('~')
  if (id === '' || Number.isNaN(Date.parse(at))) return []
  return [where.lte(field, at), where.or(where.lt(field, at), where.lt('id', id))]
}

/** Unread mentions are counted up to this number. */
export const unreadMax = 100

/** Counts unread relevant mentions that are new, up to a hundred. It runs for every page that is opened. */
export async function countUnread(ctx: Pick<PageContext, 'rows'>): Promise<number> {
  const asked = { where: unreadMentions, sort: newest, limit: unreadMax, fields: ['status'] } as const
  const rows = await ctx.rows(Mention).list(asked)
  return rows.length
}

/** New mentions that are relevant and that nobody has read. */
export const unreadMentions: Where = where.and(
  where.eq('status', 'new'),
  where.eq('relevance', 'relevant'),
  where.eq('is_read', false),
  ...shownMentions,
)
