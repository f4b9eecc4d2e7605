import { where } from 'renown'
import type { HomeCard, HomeCardContent, HomeNews, PageContext } from 'renown/pages'
import { formatCount, formatNumber } from 'renown/web'
import { countUnread, unreadMax } from '../pages/list-mentions'
import { BrandTracker } from '../records/BrandTracker'
import { countedMentions } from '../records/counted-mentions'
import { Mention } from '../records/Mention'

/** Shows how many mentions wait for a person, or the first step if there is no tracker. */
export const mentionsHome: HomeCard = {
  name: 'mentions',
  title: 'Mentions',
  href: '/app/mentions',
  order: 20,
  async load(ctx) {
    const [tracker] = await ctx.rows(BrandTracker).list({ limit: 1, fields: ['name'] })
    if (!tracker) return beforeTracking(ctx)
    const [found] = await ctx.rows(Mention).list({ limit: 1, fields: ['status'] })
    if (!found) return { text: 'Renown looks for public posts. It has not found one yet.', state: 'info' }
    const unread = await countUnread(ctx)
    if (unread === 0) return null
    return {
      title: 'New mentions',
      state: 'waiting',
      link: 'Read them',
      figure: unread < unreadMax ? formatNumber(unread) : `${formatNumber(unreadMax)}+`,
      text: 'Relevant posts that nobody has read.',
    }
  },
  news: mentionNews,
}

/** One step for owners who have a location and no tracker. */
function beforeTracking(ctx: PageContext): HomeCardContent | null {
  if (ctx.person.role !== 'owner' || ctx.isDemo) return null
  return {
    title: 'Find posts about your business',
    text: 'Say which words to look for, and Renown searches public posts on the web.',
    href: '/app/mentions/tracker',
    state: 'todo',
  }
}

const newsMax = 500

/** Mentions found since then, and how many of them are relevant. */
async function mentionNews(ctx: PageContext, since: string): Promise<readonly HomeNews[]> {
  const rows = await ctx.rows(Mention).list({
    where: where.and(where.gt('created_date', since), ...countedMentions),
    sort: [{ field: 'created_date', direction: 'desc' }],
    limit: newsMax,
    fields: ['relevance'],
  })
  if (rows.length === 0) return []
  const relevant = rows.filter(({ relevance }) => relevance === 'relevant').length
  const words =
    rows.length < newsMax ? formatCount(rows.length, 'new mention') : `More than ${newsMax - 1} new mentions`
  return [{ text: `${words}, ${formatNumber(relevant)} relevant`, href: '/app/mentions' }]
}
