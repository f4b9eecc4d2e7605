import { where } from 'renown'
import { defineLocationCard } from 'renown/locations'
import { dueWhere } from '../board/list-leads'
import { Lead } from '../records/Lead'
import type { LeadsCardData } from './leads-card'

const open = ['new', 'contacted', 'qualified'] as const

/** The card with the open leads of a location. Nothing before the first lead. */
export const leadsCard = defineLocationCard<LeadsCardData>({
  name: 'leads',
  order: 71,
  module: new URL('./leads-card.tsx', import.meta.url),
  async load(ctx, { id, is_prospect }) {
    if (is_prospect) return null
    const own = where.eq('location_id', id)
    const [any] = await ctx.rows(Lead).list({ where: own, limit: 1, fields: ['stage'] })
    if (!any) return null
    const [due, ...counts] = await Promise.all([
      ctx.rows(Lead).count(where.and(own, dueWhere(ctx.now()))),
      ...open.map((stage) =>
        ctx.rows(Lead).count(where.and(own, where.eq('stage', stage), where.ne('is_archived', true))),
      ),
    ])
    return {
      location_id: id,
      due,
      stages: open.map((stage, place) => ({ stage, count: counts[place] ?? 0 })),
    }
  },
})
