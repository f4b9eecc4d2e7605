import {
  dayMs,
  defineOperation,
  field,
  type ReadContext,
  type Row,
  recordSchema,
  visibleRow,
  type Where,
  where,
} from 'renown'
import * as v from 'valibot'
import { type Channel, channels } from '../records/channels'
import { Lead } from '../records/Lead'
import { Mention } from '../records/Mention'

const sorts = ['created_date', 'intent_score', 'stage_changed_at', 'mention.posted_at'] as const
const sort = v.pipe(
  v.picklist(sorts.flatMap((name) => [name, `-${name}` as const, `+${name}` as const])),
  v.description('Field to sort on; `-` before it means descending'),
)

/** Returns leads with their mentions. It takes two reads for any page, and one to count. */
export const listLeadsWithMentions = defineOperation({
  name: 'listLeadsWithMentions',
  summary: 'Leads, each with the mention it was found in and its public address',
  class: 'read',
  crossAgency: 'allowed',
  input: v.strictObject({
    stage: v.optional(Lead.fields.stage),
    location_id: v.optional(field.text('Only leads of this business location')),
    source: v.optional(field.oneOf(channels, 'Only leads found on this channel')),
    seen: v.optional(field.flag('true: only leads that were seen. false: only leads that were not')),
    include_archived: v.optional(field.flag('Archived leads too'), false),
    limit: v.optional(field.integer('Maximum leads in the answer', { min: 1, max: 200 }), 50),
    skip: v.optional(field.integer('Number of leads to skip', { min: 0, max: 100_000 }), 0),
    sort: v.optional(sort, '-created_date'),
    days: v.optional(
      field.integer('Only leads that were created within this many days', { min: 1, max: 365 }),
    ),
  }),
  output: v.object({
    leads: v.array(recordSchema(Lead, { mention: v.nullable(recordSchema(Mention)) })),
    total: field.integer('Number of matching leads on all pages', { min: 0 }),
    limit: field.integer('The limit applied'),
    skip: field.integer('The number left out'),
    has_more: field.flag('Whether there are more after these'),
  }),
  async run(ctx, { limit, skip, sort: order, ...input }) {
    const rows = ctx.rows(Lead)
    const filter = filterOf(input, ctx.now())
    const [leads, total] = await Promise.all([
      rows.list({ where: filter, sort: [sortKey(order)], limit, skip }),
      rows.count(filter),
    ])
    const mentions = await mentionsOf(ctx, leads)
    const joined = leads.map((lead) => ({
      ...visibleRow(Lead, lead),
      mention: mentions.get(lead.mention_id) ?? null,
    }))
    return { leads: joined, total, limit, skip, has_more: skip + leads.length < total }
  },
})

interface Filter {
  readonly stage?: Row<typeof Lead>['stage']
  readonly location_id?: string
  readonly source?: Channel
  readonly seen?: boolean
  readonly include_archived: boolean
  readonly days?: number
}

function filterOf({ stage, location_id, source, seen, include_archived, days }: Filter, now: Date): Where {
  const parts: Where[] = []
  if (!include_archived) parts.push(where.ne('is_archived', true))
  if (stage !== undefined) parts.push(where.eq('stage', stage))
  if (location_id !== undefined) parts.push(where.eq('location_id', location_id))
  if (source !== undefined) parts.push(where.eq('source', source))
  if (seen !== undefined) parts.push(seen ? where.ne('seen_at', null) : where.eq('seen_at', null))
  if (days !== undefined) {
    const since = new Date(now.getTime() - days * dayMs).toISOString()
    parts.push(where.gte('created_date', since))
  }
  return where.and(...parts)
}

function sortKey(order: string) {
  const name = order.replace(/^[-+]/, '')
  return {
    field: name === 'mention.posted_at' ? 'mention_posted_at' : name,
    direction: order.startsWith('-') ? ('desc' as const) : ('asc' as const),
  }
}

async function mentionsOf(ctx: ReadContext, leads: readonly Row<typeof Lead>[]) {
  const ids = [...new Set(leads.map(({ mention_id }) => mention_id))]
  const found =
    ids.length === 0 ? [] : await ctx.rows(Mention).list({ where: where.in('id', ids), limit: ids.length })
  return new Map(found.map((mention) => [mention.id, visibleRow(Mention, mention)]))
}
