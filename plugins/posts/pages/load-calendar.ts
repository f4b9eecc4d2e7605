import { todayOf, where } from 'renown'
import type { ListData, PageContext, ShownList } from 'renown/pages'
import { targetOf } from '../publishing/destination'
import { PostChannel } from '../records/PostChannel'
import { PostedLocation } from '../records/PostedLocation'
import { type CalendarPeriod, type CalendarView, calendarDay, periodOf } from './calendar-period'
import type { ListedPost } from './list-posts'

/** A target in doubt, as people read it. */
export interface DoubtedTarget {
  readonly label: string
  readonly business: string
  readonly href: string
  readonly why: string
}

/** What the page of posts shows besides its list. */
export interface CalendarOwn {
  readonly view: CalendarView
  readonly day: string
  readonly period: CalendarPeriod
  readonly today: string
  /** Targets that Renown publishes nothing to, until a person confirms them. */
  readonly doubts: readonly DoubtedTarget[]
}

/** The data of the page of posts. */
export type CalendarData = ListData<CalendarOwn, ListedPost>

const doubtsMax = 12

/** Loads what the page of posts shows besides its list. */
export async function loadCalendar(
  ctx: PageContext,
  _: URLSearchParams,
  { asked: { view = '', day = '' } }: ShownList,
): Promise<CalendarOwn> {
  const today = todayOf(ctx)
  const asked = { view, day }
  return {
    ...calendarDay(asked, today),
    today,
    period: periodOf(asked, today),
    doubts: await doubtedTargets(ctx),
  }
}

async function doubtedTargets(ctx: PageContext): Promise<readonly DoubtedTarget[]> {
  const rows = await ctx.rows(PostChannel).list({ where: where.ne('doubt_about_id', null), limit: doubtsMax })
  const ids = rows.map(({ location_id }) => location_id)
  const known =
    rows.length === 0
      ? []
      : await ctx.rows(PostedLocation).list({ where: where.in('id', ids), limit: doubtsMax })
  const names = new Map(known.map(({ id, business_name }) => [id, business_name]))
  return rows.map(({ location_id, platform, in_doubt }) => ({
    label: targetOf(ctx, platform)?.label ?? platform,
    business: names.get(location_id) ?? '',
    href: `/app/posts/targets?location=${location_id}`,
    why: in_doubt?.why ?? '',
  }))
}
