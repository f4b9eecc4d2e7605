import { defineList, definePage } from 'renown/pages'
import { versionOf } from '../acts/edit'
import { postActs } from '../acts/post-acts'
import { Post } from '../records/Post'
import { postWords } from '../words'
import { postFilters } from './calendar-period'
import { aroundPosts, listPosts } from './list-posts'
import { type CalendarOwn, loadCalendar } from './load-calendar'
import { postsStyle } from './posts-style'

const basisIn = (seen: string) => ({ basis: seen.split(' ', 1)[0] ?? '' })

/** The calendar of posts, with what has no time beside it. */
export const postsPage = definePage<CalendarOwn>({
  path: '/app/posts',
  title: 'Posts',
  nav: { label: postWords('nav'), order: 70, icon: 'calendar' },
  module: new URL('./PostsPage.tsx', import.meta.url),
  list: defineList({
    rows: 'posts',
    filters: postFilters,
    source: listPosts,
    more: aroundPosts,
    line: (post, { lineOf }) => lineOf(post),
    columns: (_, { names, stateOf }) => [
      { name: 'id', value: ({ id }) => id },
      { name: 'state', value: stateOf },
      { name: 'platform', value: ({ platform }) => platform },
      { name: 'location', value: ({ business_location_id: id }) => names.get(id) ?? id },
      { name: 'scheduled_at', type: 'instant', value: ({ scheduled_at }) => scheduled_at ?? null },
      { name: 'published_at', type: 'instant', value: ({ published_at }) => published_at ?? null },
      { name: 'language', value: ({ content }) => content.language },
      { name: 'text', value: ({ content }) => content.summary },
      {
        name: 'error',
        value: ({ status, error_message }) => (status === 'failed' ? (error_message ?? null) : null),
      },
    ],
    several: {
      called: ['post', 'posts'],
      // What is taken off the schedule no longer knows its time, which Undo needs.
      seen: (post) =>
        [versionOf(post), post.wall_time ?? '', post.timezone ?? '', post.occurrence ?? ''].join(' '),
      acts: {
        unschedule: {
          act: postActs.unschedule,
          words: 'Take off the schedule',
          did: 'taken off the schedule',
          given: basisIn,
          undo: { act: postActs.schedule, given: timeIn },
        },
        retry: {
          act: postActs.retry,
          words: 'Try again',
          did: 'queued again',
          given: basisIn,
        },
      },
    },
    empty: () => 'No post is planned or published in these days.',
    hasAny: async (ctx) => (await ctx.rows(Post).list({ limit: 1, fields: ['id'] })).length > 0,
  }),
  load: loadCalendar,
  notices: { drafted: 'The drafts are saved.' },
  style: postsStyle,
})

/** The time that a post had. Its text was published twice already if it was scheduled so. */
function timeIn(seen: string) {
  const [, at = '', timezone = '', occurrence = ''] = seen.split(' ')
  return { at, timezone, allow_duplicate: true, ...(occurrence === '' ? {} : { occurrence }) } as const
}
