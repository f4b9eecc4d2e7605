import { instantsOf, type Period, type ReadContext, where } from 'renown'
import type { WorkspaceFigureSource } from 'renown/pages'
import { countedMentions, countedMentionsText } from '../records/counted-mentions'
import { Lead } from '../records/Lead'
import { Mention } from '../records/Mention'

/** Mentions and leads of each workspace. */
export const leadFigures: WorkspaceFigureSource = {
  name: 'leads',
  order: 20,
  figures: [
    { name: 'mentions', unit: 'count', definition: `Mentions posted in the period. ${countedMentionsText}` },
    { name: 'leads', unit: 'count', definition: 'Leads found in the period that are not archived.' },
    { name: 'leads_won', unit: 'count', definition: 'Those of them that are won now.' },
  ],
  async read(ctx, { period, previous }) {
    const [now, before] = await Promise.all([countsOf(ctx, period), countsOf(ctx, previous)])
    const changeNote = 'Older leads had more time to be won.'
    return {
      mentions: { now: now.mentions, before: before.mentions },
      leads: { now: now.leads, before: before.leads },
      leads_won: { now: now.won, before: before.won, changeNote },
    }
  },
}

async function countsOf(ctx: ReadContext, period: Period) {
  const { from, before } = instantsOf(period, ctx.workspace.timezone)
  const within = (field: string) => where.and(where.gte(field, from), where.lt(field, before))
  const found = where.and(within('created_date'), where.eq('is_archived', false))
  const [mentions, leads, won] = await Promise.all([
    ctx.rows(Mention).count(where.and(within('posted_at'), ...countedMentions)),
    ctx.rows(Lead).count(found),
    ctx.rows(Lead).count(where.and(found, where.eq('stage', 'won'))),
  ])
  const count = (n: number) => ({ value: n, n })
  return { mentions: count(mentions), leads: count(leads), won: count(won) }
}
