import { where } from 'renown'
import type { HomeCard, HomeCardContent, HomeNews, PageContext } from 'renown/pages'
import { formatCount, formatNumber } from 'renown/web'
import { dueWhere } from '../board/list-leads'
import { countUnseen } from '../board/load-board'
import { Lead } from '../records/Lead'

/** Shows how many new leads nobody has seen, and how many next steps are due. Nothing before the first lead. */
export const leadsHome: HomeCard = {
  name: 'leads',
  title: 'Leads',
  href: '/app/leads',
  order: 18,
  async load(ctx) {
    const [any] = await ctx.rows(Lead).list({ limit: 1, fields: ['stage'] })
    if (!any) return null
    const [unseen, due] = await Promise.all([countUnseen(ctx), ctx.rows(Lead).count(dueWhere(ctx.now()))])
    return [
      ...(unseen === 0 ? [] : [unseenContent(unseen)]),
      ...(due === 0 ? [] : [dueContent(due)]),
    ] satisfies HomeCardContent[]
  },
  news: leadNews,
}

const unseenContent = (unseen: number): HomeCardContent => ({
  title: 'New leads',
  figure: formatNumber(unseen),
  state: 'waiting',
  text: 'Nobody has seen them yet.',
  href: '/app/leads?stage=new&seen=no',
  link: 'See them',
})

const dueContent = (due: number): HomeCardContent => ({
  title: 'Next steps due',
  figure: formatNumber(due),
  state: 'waiting',
  text: 'Planned steps with leads.',
  href: '/app/leads?due=1',
  link: 'Take them',
})

const newsMax = 500

/** Returns how many leads were found since then. */
async function leadNews(ctx: PageContext, since: string): Promise<readonly HomeNews[]> {
  const rows = await ctx.rows(Lead).list({
    where: where.and(where.gt('created_date', since), where.ne('is_archived', true)),
    sort: [{ field: 'created_date', direction: 'desc' }],
    limit: newsMax,
    fields: ['stage'],
  })
  if (rows.length === 0) return []
  const words =
    rows.length < newsMax ? formatCount(rows.length, 'new lead') : `More than ${newsMax - 1} new leads`
  return [{ text: words, href: '/app/leads', tone: 'good' }]
}
