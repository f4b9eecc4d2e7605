import { dayStart, localTime, shiftDay, todayOf, type Where, where } from 'renown'
import type { ListSource, PageContext } from 'renown/pages'
import { postTarget } from '../contract'
import { Post, type PostRow, undecidedKinds } from '../records/Post'
import { PostedLocation } from '../records/PostedLocation'
import { type CalendarFilters, periodOf } from './calendar-period'
import { approvalOf, type ShownState, stateOf } from './post-states'

/** Where a post is on the page: in the calendar, or next to it because it has no time. */
export type PostGroup = 'planned' | 'unknown' | 'failed' | 'draft'

/** A post in a list. */
export interface ListedPost {
  readonly id: string
  readonly group: PostGroup
  readonly status: PostRow['status']
  readonly text: string
  readonly language: string
  readonly platform: string
  readonly business: string
  /** The day in the time zone of the workspace. */
  readonly day: string
  /** `09:30` in the time zone of the workspace. Null for posts without a time. */
  readonly time: string | null
  readonly at: string
  readonly state: ShownState
  readonly approval: ShownState | null
  readonly why: string | null
  /** Whether it can be chosen, to act on several posts at once. */
  readonly can_be_chosen: boolean
}

/** Maximum posts of one state in the shown days. */
export const plannedMax = 300
/** Maximum posts of a group next to the calendar. */
export const groupMax = 12

/** Returns the posts of a month or a week, and those that have no time. */
export const listPosts = (ctx: PageContext, asked: CalendarFilters): ListSource<PostRow> => ({
  after: async () => ({ rows: await shownPosts(ctx, asked), next: null }),
  pages: () => allPosts(ctx, asked),
})

/** One more of each kind than the page shows, so that it can say that there are more. */
async function shownPosts(ctx: PageContext, asked: CalendarFilters): Promise<PostRow[]> {
  const timedPosts = timed.map(([status, field]) =>
    ctx.rows(Post).list({
      where: where.and(...timedIn(ctx, asked, status, field), ...filterOf(asked)),
      sort: [{ field, direction: 'asc' }],
      limit: plannedMax + 1,
    }),
  )
  const others = (['unknown', 'failed', 'draft'] as const).map((name) =>
    ctx.rows(Post).list({
      where: where.and(...inGroup(name), ...filterOf(asked)),
      sort: [{ field: 'created_date', direction: 'desc' }],
      limit: groupMax + 1,
    }),
  )
  const [planned, groups] = await Promise.all([Promise.all(timedPosts), Promise.all(others)])
  return [...planned.flat().toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1)), ...groups.flat()]
}

/** Yields the posts of the shown days, and all drafts and failed posts of these filters. */
async function* allPosts(ctx: PageContext, asked: CalendarFilters): AsyncIterable<readonly PostRow[]> {
  const lists: readonly (readonly Where[])[] = [
    ...timed.map(([status, field]) => timedIn(ctx, asked, status, field)),
    ...['failed', 'draft'].map((status) => [where.eq('status', status)]),
  ]
  for (const list of lists)
    yield* ctx
      .rows(Post)
      .pages({ where: where.and(...list, ...filterOf(asked)), size: 200 }) as AsyncIterable<PostRow[]>
}

/** Returns the conditions of the filters by location and platform. */
const filterOf = ({ location, platform }: CalendarFilters): Where[] => [
  ...(location === '' ? [] : [where.eq('business_location_id', location)]),
  ...(platform === '' ? [] : [where.eq('platform', platform)]),
]

/** Each state has its own index with its time, so each is read on its own. */
const timed = [
  ['scheduled', 'scheduled_at'],
  ['publishing', 'scheduled_at'],
  ['published', 'published_at'],
] as const

function timedIn(ctx: PageContext, asked: CalendarFilters, status: string, field: string): readonly Where[] {
  const { days } = periodOf(asked, todayOf(ctx))
  const zone = ctx.workspace.timezone
  return [
    where.eq('status', status),
    where.gte(field, dayStart(zone, days[0] ?? '')),
    where.lt(field, dayStart(zone, shiftDay(days.at(-1) ?? '', 1))),
  ]
}

function inGroup(name: Exclude<PostGroup, 'planned'>): readonly Where[] {
  if (name === 'draft') return [where.eq('status', 'draft')]
  const isUndecided =
    name === 'unknown'
      ? where.in('failure_kind', undecidedKinds)
      : where.and(...undecidedKinds.map((kind) => where.ne('failure_kind', kind)))
  return [where.eq('status', 'failed'), isUndecided]
}

function groupOf({ status, failure_kind }: PostRow): PostGroup {
  if (status === 'draft') return 'draft'
  if (status !== 'failed') return 'planned'
  return undecidedKinds.some((kind) => kind === failure_kind) ? 'unknown' : 'failed'
}

/** When a post is in the calendar. */
const timeOf = ({ published_at, scheduled_at, created_date }: PostRow) =>
  published_at ?? scheduled_at ?? created_date

/** What the list says about posts besides their rows. */
export interface AroundPosts {
  /** The names of locations by id. */
  readonly names: ReadonlyMap<string, string>
  lineOf(post: PostRow): ListedPost
  stateOf(post: PostRow): string
}

const textMax = 140

/** Reads what the list says about these posts. */
export async function aroundPosts(
  ctx: PageContext,
  _: unknown,
  posts: readonly PostRow[],
): Promise<AroundPosts> {
  const ids = [...new Set(posts.map(({ business_location_id: id }) => id))]
  const rows =
    ids.length === 0
      ? []
      : await ctx.rows(PostedLocation).list({ where: where.in('id', ids), limit: ids.length })
  const names = new Map(rows.map(({ id, business_name }) => [id, business_name]))
  return {
    names,
    stateOf: (post) => stateOf(post, ctx.now()).word,
    lineOf: (post) => listed(ctx, post, names),
  }
}

function listed(ctx: PageContext, post: PostRow, names: ReadonlyMap<string, string>): ListedPost {
  const { day, minute } = localTime(ctx.workspace.timezone, new Date(timeOf(post)))
  const clock = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
  const { platform, business_location_id: id, content, status } = post
  const group = groupOf(post)
  return {
    id: post.id,
    group,
    status,
    day,
    text: content.summary.slice(0, textMax),
    language: content.language,
    platform: ctx.extensions(postTarget).find((one) => one.platform === platform)?.label ?? platform,
    business: names.get(id) ?? id,
    time: group === 'planned' ? clock : null,
    at: timeOf(post),
    state: stateOf(post, ctx.now()),
    approval: approvalOf(post),
    why: status === 'failed' ? (post.error_message ?? null) : null,
    can_be_chosen: group === 'failed' || (status === 'scheduled' && post.wall_time !== undefined),
  }
}
