import { dayMs, where } from 'renown'
import type { HomeCard, HomeCardContent, PageContext } from 'renown/pages'
import { formatNumber } from 'renown/web'
import { Post } from '../records/Post'
import { countUndecided } from './inbox'

const days = 7

/** Shows the posts of the next days, and those that wait for a decision. */
export const postsCard: HomeCard = {
  name: 'posts',
  title: 'Posts',
  href: '/app/posts',
  order: 45,
  async load(ctx) {
    if ((await ctx.rows(Post).list({ limit: 1, fields: ['status'] })).length === 0) return null
    const [planned, undecided] = await Promise.all([plannedCount(ctx), countUndecided(ctx)])
    const decide: HomeCardContent = {
      title: 'Posts to decide',
      figure: formatNumber(undecided),
      state: 'waiting',
      link: 'Decide',
      text: 'Renown cannot prove that they were published.',
    }
    return [
      {
        title: 'Planned posts',
        figure: formatNumber(planned),
        state: 'info',
        period: `Next ${days} days`,
        text: planned === 0 ? 'No post is scheduled.' : 'Scheduled by people.',
        link: 'Calendar',
        definition: `Posts of this workspace that are scheduled for the next ${days} days.`,
      },
      ...(undecided === 0 ? [] : [decide]),
    ] satisfies HomeCardContent[]
  },
}

function plannedCount(ctx: PageContext): Promise<number> {
  const until = new Date(ctx.now().getTime() + days * dayMs).toISOString()
  return ctx
    .rows(Post)
    .count(
      where.and(
        where.eq('status', 'scheduled'),
        where.gte('scheduled_at', ctx.now().toISOString()),
        where.lt('scheduled_at', until),
      ),
    )
}
