import { dayMs, defineOperation, field, type Row, recordSchema, visibleRow, type Where, where } from 'renown'
import * as v from 'valibot'
import { type Channel, channels } from '../records/channels'
import { Lead } from '../records/Lead'
import { Mention } from '../records/Mention'
import { shownLead, shownMention } from '../records/shown-mention'
import { shortLeads } from './shorten-leads'

const sorts = ['created_date', 'intent_score', 'stage_changed_at', 'mention.posted_at'] as const
const sort = v.pipe(
  v.picklist(sorts.flatMap((name) => [name, `-${name}` as const, `+${name}` as const])),
  v.description('Field to sort on; `-` before it means descending'),
)

const limitDefault = 50

/**
 * Returns leads with their mentions. Agents get a shorter form: empty fields are left out, and a mention shows its excerpt. Costs
 * one read in SQLite, and three in MongoDB: leads and their number, then mentions.
 */
export const listLeadsWithMentions = defineOperation({
  name: 'listLeadsWithMentions',
  summary: 'Leads, each with the mention it was found in, and the public address of that',
  class: 'read',
  crossAgency: 'allowed',
  seldom: [
    'mention_id',
    'tracker_id',
    'intent_method',
    'stage_changed_at',
    'is_archived',
    'seen_at',
    'stale_post',
    'stale_post_age_days',
    'updated_date',
    'mention.source',
    'mention.language',
    'mention.sentiment',
    'mention.relevance',
    'mention.status',
    'mention.author',
    'mention.posted_at',
  ],
  input: v.strictObject({
    stage: v.optional(Lead.fields.stage),
    location_id: v.optional(field.text('Only leads of this business location')),
    source: v.optional(field.oneOf(channels, 'Only leads found on this channel')),
    seen: v.optional(field.flag('Only leads that were seen, or that were not')),
    include_archived: v.optional(field.flag('Archived leads too'), false),
    limit: v.optional(
      field.integer(`Maximum leads in the answer. Default ${limitDefault}`, { min: 1, max: 200 }),
      limitDefault,
    ),
    skip: v.optional(field.integer('Number of leads to skip', { min: 0, max: 100_000 }), 0),
    sort: v.optional(sort, '-created_date'),
    days: v.optional(
      field.integer('Only leads that were created within this many days', { min: 1, max: 365 }),
    ),
  }),
  output: v.object({
    leads: v.array(
      recordSchema(Lead, {
        post_age_days: v.nullable(field.integer('Age of the source post in days now', { min: 0 })),
        mention: v.nullable(recordSchema(Mention)),
      }),
    ),
    total: field.integer('Number of matching leads on all pages', { min: 0 }),
    limit: field.integer('The limit applied. Add it to `skip` to read the next page'),
    skip: field.integer('The number left out'),
    has_more: field.flag('Whether there are more after these'),
  }),
  shorten: shortLeads,
  async run(ctx, { limit, skip, sort: order, ...input }) {
    const { rows, total } = await ctx.joined(
      Lead,
      {
        where: filterOf(input, ctx.now()),
        sort: [sortKey(order)],
        limit,
        skip,
      },
      { entity: Mention, by: 'mention_id' },
    )
    const now = ctx.now()
    const leads = rows.map(({ row, joined }) => ({
      ...visibleRow(Lead, shownLead(row, joined)),
      post_age_days: ageInDays(row.mention_posted_at ?? joined?.posted_at, now),
      mention: joined && visibleRow(Mention, shownMention(joined)),
    }))
    return { leads, total, limit, skip, has_more: skip + leads.length < total }
  },
})

/** Returns the age of a post in days. What a lead says of it is as old as the lead. */
const ageInDays = (at: string | undefined, now: Date): number | null =>
  at === undefined ? null : Math.max(0, Math.floor((now.getTime() - Date.parse(at)) / dayMs))

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
    nulls: 'last' as const,
  }
}
