import { dayStart, refuseIgnored, shiftDay, todayOf, type Where, where } from 'renown'
import { type FileTable, fileColumns, type PageContext } from 'renown/pages'
import { postPlatforms } from '../records/content'
import { Post, type PostRow } from '../records/Post'
import { PostedLocation } from '../records/PostedLocation'
import { periodOf, readCalendarFilters } from './calendar-period'
import { filterOf, timed } from './load-calendar'
import { stateOf } from './post-states'

/**
 * Returns the posts of the shown month or week, and all drafts and failed posts of these filters, with their whole text.
 */
export async function downloadPosts(ctx: PageContext, query: URLSearchParams): Promise<FileTable> {
  const { asked } = refuseIgnored(readCalendarFilters(query, todayOf(ctx), postPlatforms))
  const { days } = periodOf(asked)
  const from = dayStart(ctx.workspace.timezone, days[0] ?? todayOf(ctx))
  const before = dayStart(ctx.workspace.timezone, shiftDay(days.at(-1) ?? todayOf(ctx), 1))
  const lists: readonly Where[] = [
    ...timed.map(([status, field]) =>
      where.and(where.eq('status', status), where.gte(field, from), where.lt(field, before)),
    ),
    ...['failed', 'draft'].map((status) => where.eq('status', status)),
  ]
  const names = new Map<string, string>()
  const nameOf = async (id: string) => {
    const known = names.get(id) ?? (await ctx.rows(PostedLocation).get(id))?.business_name ?? id
    names.set(id, known)
    return known
  }
  const lineOf = async (post: PostRow) => [
    post.id,
    stateOf(post, ctx.now()).word,
    post.platform,
    await nameOf(post.business_location_id),
    post.scheduled_at ?? null,
    post.published_at ?? null,
    post.content.language,
    post.content.summary,
    post.status === 'failed' ? (post.error_message ?? null) : null,
  ]
  return {
    columns: fileColumns({
      id: null,
      state: null,
      platform: null,
      location: null,
      scheduled_at: 'instant',
      published_at: 'instant',
      language: null,
      text: null,
      error: null,
    }),
    rows: (async function* () {
      for (const list of lists) {
        const posts = ctx.rows(Post).each({ where: where.and(list, ...filterOf(asked)) })
        for await (const post of posts) yield await lineOf(post)
      }
    })(),
  }
}
