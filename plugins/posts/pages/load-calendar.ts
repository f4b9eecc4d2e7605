import { dayStart, type IgnoredValue, localTime, shiftDay, todayOf, type Where, where } from 'renown'
import type { PageContext } from 'renown/pages'
import { postTarget } from '../contract'
import { targetOf } from '../publishing/destination'
import { postPlatforms } from '../records/content'
import { Post, type PostRow, undecidedKinds } from '../records/Post'
import { PostChannel } from '../records/PostChannel'
import { PostedLocation } from '../records/PostedLocation'
import { type CalendarFilters, type CalendarPeriod, periodOf, readCalendarFilters } from './calendar-period'
import { approvalOf, type ShownState, stateOf } from './post-states'

/** A post in a list. */
export interface ListedPost {
  readonly id: string
  readonly text: string
  readonly language: string
  readonly platform: string
  readonly business: string
  /** `09:30` in the time zone of the workspace. Null for posts without a time. */
  readonly time: string | null
  readonly at: string
  readonly state: ShownState
  readonly approval: ShownState | null
  readonly why: string | null
}

export interface CalendarDay {
  readonly day: string
  readonly isOutside: boolean
  readonly posts: readonly ListedPost[]
}

/** Posts without a time, beside the calendar. */
export interface PostGroup {
  readonly name: 'unknown' | 'failed' | 'draft'
  readonly posts: readonly ListedPost[]
  readonly has_more: boolean
}

/** A target in doubt, as people read it. */
export interface DoubtedTarget {
  readonly label: string
  readonly business: string
  readonly href: string
  readonly why: string
}

export interface CalendarData {
  readonly asked: CalendarFilters
  readonly ignored: readonly IgnoredValue[]
  readonly period: CalendarPeriod
  readonly today: string
  readonly days: readonly CalendarDay[]
  readonly groups: readonly PostGroup[]
  readonly locations: readonly (readonly [id: string, name: string])[]
  readonly platforms: readonly (readonly [name: string, label: string])[]
  /** Targets that Renown publishes nothing to, until a person confirms them. */
  readonly doubts: readonly DoubtedTarget[]
  /** More posts are planned in these days than the page shows. */
  readonly is_cut: boolean
  readonly has_any: boolean
}

/** Maximum posts of one state in the shown days. */
const plannedMax = 300
/** Maximum posts of a group beside the calendar. */
const groupMax = 12
const locationsMax = 500

/** Loads the posts of a month or a week, and those that have no time. */
export async function loadCalendar(ctx: PageContext, query: URLSearchParams): Promise<CalendarData> {
  const today = todayOf(ctx)
  const { asked, ignored } = readCalendarFilters(query, today, postPlatforms)
  const period = periodOf(asked)
  const [planned, groups, locations, doubts] = await Promise.all([
    plannedPosts(ctx, asked, period),
    Promise.all((['unknown', 'failed', 'draft'] as const).map((name) => groupOf(ctx, asked, name))),
    choices(ctx),
    doubtedTargets(ctx),
  ])
  const names = await namesOf(ctx, [...planned.rows, ...groups.flatMap(({ rows }) => rows)])
  const list = (post: PostRow) => listed(ctx, post, names)
  const byDay = Map.groupBy(planned.rows, (post) => dayOf(ctx, post))
  const days = period.days.map((day) => ({
    day,
    isOutside: period.month !== null && !day.startsWith(period.month),
    posts: (byDay.get(day) ?? []).map(list),
  }))
  const shown = groups.map(({ name, rows }) => ({
    name,
    posts: rows.slice(0, groupMax).map(list),
    has_more: rows.length > groupMax,
  }))
  const hasSome = planned.rows.length > 0 || shown.some(({ posts }) => posts.length > 0)
  return {
    asked,
    ignored,
    period,
    today,
    days,
    groups: shown,
    locations,
    doubts,
    platforms: ctx.extensions(postTarget).map(({ platform, label }) => [platform, label] as const),
    is_cut: planned.is_cut,
    has_any: hasSome || (await ctx.rows(Post).list({ limit: 1, fields: ['id'] })).length > 0,
  }
}

/** Returns the conditions of the filters by location and platform. */
export function filterOf({ location, platform }: CalendarFilters): Where[] {
  return [
    ...(location === '' ? [] : [where.eq('business_location_id', location)]),
    ...(platform === '' ? [] : [where.eq('platform', platform)]),
  ]
}

/** Each state has its own index with its time, so each is read on its own. */
export const timed = [
  ['scheduled', 'scheduled_at'],
  ['publishing', 'scheduled_at'],
  ['published', 'published_at'],
] as const

async function plannedPosts(ctx: PageContext, asked: CalendarFilters, { days }: CalendarPeriod) {
  const first = days[0] ?? ''
  const last = days.at(-1) ?? ''
  const from = dayStart(ctx.workspace.timezone, first)
  const before = dayStart(ctx.workspace.timezone, shiftDay(last, 1))
  const found = await Promise.all(
    timed.map(([status, field]) =>
      ctx.rows(Post).list({
        where: where.and(
          where.eq('status', status),
          where.gte(field, from),
          where.lt(field, before),
          ...filterOf(asked),
        ),
        sort: [{ field, direction: 'asc' }],
        limit: plannedMax + 1,
      }),
    ),
  )
  const rows = found.flatMap((each) => each.slice(0, plannedMax))
  return {
    rows: rows.toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1)),
    is_cut: found.some(({ length }) => length > plannedMax),
  }
}

async function groupOf(ctx: PageContext, asked: CalendarFilters, name: PostGroup['name']) {
  const kind =
    name === 'draft'
      ? [where.eq('status', 'draft')]
      : [
          where.eq('status', 'failed'),
          name === 'unknown'
            ? where.in('failure_kind', undecidedKinds)
            : where.and(...undecidedKinds.map((kind) => where.ne('failure_kind', kind))),
        ]
  const rows = await ctx.rows(Post).list({
    where: where.and(...kind, ...filterOf(asked)),
    sort: [{ field: 'created_date', direction: 'desc' }],
    limit: groupMax + 1,
  })
  return { name, rows }
}

/** When a post is in the calendar. */
const timeOf = ({ published_at, scheduled_at, created_date }: PostRow) =>
  published_at ?? scheduled_at ?? created_date

const dayOf = ({ workspace }: PageContext, post: PostRow) =>
  localTime(workspace.timezone, new Date(timeOf(post))).day

const textMax = 140

function listed(ctx: PageContext, post: PostRow, names: ReadonlyMap<string, string>): ListedPost {
  const { minute } = localTime(ctx.workspace.timezone, new Date(timeOf(post)))
  const clock = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
  const isTimed = ['scheduled', 'publishing', 'published'].includes(post.status)
  const { platform, business_location_id: id, content } = post
  return {
    id: post.id,
    text: content.summary.slice(0, textMax),
    language: content.language,
    platform: ctx.extensions(postTarget).find((one) => one.platform === platform)?.label ?? platform,
    business: names.get(id) ?? id,
    time: isTimed ? clock : null,
    at: timeOf(post),
    state: stateOf(post, ctx.now()),
    approval: approvalOf(post),
    why: post.status === 'failed' ? (post.error_message ?? null) : null,
  }
}

async function doubtedTargets(ctx: PageContext): Promise<readonly DoubtedTarget[]> {
  const rows = await ctx.rows(PostChannel).list({ where: where.ne('doubt_about_id', null), limit: groupMax })
  const ids = rows.map(({ location_id }) => location_id)
  const known =
    rows.length === 0
      ? []
      : await ctx.rows(PostedLocation).list({ where: where.in('id', ids), limit: groupMax })
  const names = new Map(known.map(({ id, business_name }) => [id, business_name]))
  return rows.map(({ location_id, platform, in_doubt }) => ({
    label: targetOf(ctx, platform)?.label ?? platform,
    business: names.get(location_id) ?? '',
    href: `/app/posts/targets?location=${location_id}`,
    why: in_doubt?.why ?? '',
  }))
}

async function namesOf(ctx: PageContext, posts: readonly PostRow[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(posts.map(({ business_location_id: id }) => id))]
  if (ids.length === 0) return new Map()
  const rows = await ctx.rows(PostedLocation).list({ where: where.in('id', ids), limit: ids.length })
  return new Map(rows.map(({ id, business_name }) => [id, business_name]))
}

/** Returns the locations that posts can be written for, by name. */
export async function choices(ctx: PageContext): Promise<readonly (readonly [id: string, name: string])[]> {
  const rows = await ctx.rows(PostedLocation).list({
    where: where.eq('is_prospect', false),
    limit: locationsMax,
    fields: ['business_name'],
    sort: [{ field: 'id', direction: 'asc' }],
  })
  return rows
    .map(({ id, business_name }) => [id, business_name] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b))
}
