import { where } from 'renown'
import type { ListChoice, ListChoices, ListFilters, PageContext } from 'renown/pages'
import { BrandTracker } from '../records/BrandTracker'
import { channelNames } from '../records/channel-names'
import { channels } from '../records/channels'
import { BusinessLocation } from '../records/foreign'

const choicesMax = 500

/** The filters of the list of mentions. */
export const mentionFilters = {
  q: { kind: 'find', label: 'Search' },
  state: {
    kind: 'choice',
    label: 'State',
    none: 'New',
    options: [
      ['saved', 'Saved'],
      ['replied', 'Answered'],
      ['dismissed', 'Dismissed'],
      ['removed', 'Deleted'],
      ['any', 'Any state'],
    ],
  },
  relevance: {
    kind: 'choice',
    label: 'Relevance',
    none: 'Relevant or maybe',
    options: [
      ['relevant', 'Relevant'],
      ['maybe', 'Maybe relevant'],
      ['irrelevant', 'Not relevant'],
      ['any', 'Any relevance'],
    ],
  },
  tracker: { kind: 'record', label: 'Tracker', called: 'tracker', options: trackers },
  location: { kind: 'record', label: 'Location', called: 'location', options: locations, isFolded: true },
  source: {
    kind: 'choice',
    label: 'Source',
    options: channels.map((channel) => [channel, channelNames[channel]] as const),
    isFolded: true,
  },
  sentiment: {
    kind: 'choice',
    label: 'Sentiment',
    isFolded: true,
    options: [
      ['positive', 'Positive'],
      ['neutral', 'Neutral'],
      ['negative', 'Negative'],
      ['mixed', 'Mixed'],
    ],
  },
  unread: { kind: 'choice', label: 'Read', options: [['1', 'Unread']], isFolded: true },
  lead: { kind: 'choice', label: 'Lead', options: [['1', 'With a lead']], isFolded: true },
  days: {
    kind: 'choice',
    label: 'Posted in',
    none: 'All days',
    isFolded: true,
    options: [
      ['1', 'Last 24 hours'],
      ['7', 'Last 7 days'],
      ['30', 'Last 30 days'],
      ['90', 'Last 90 days'],
    ],
  },
} as const satisfies ListFilters

/** The values of the filters. Empty: not set. */
export type MentionFilters = ListChoice<typeof mentionFilters>

async function trackers(ctx: PageContext): Promise<ListChoices> {
  const rows = await ctx.rows(BrandTracker).list({ limit: choicesMax, fields: ['name'] })
  return byName(rows.map(({ id, name }) => [id, name] as const))
}

async function locations(ctx: PageContext): Promise<ListChoices> {
  const rows = await ctx.rows(BusinessLocation).list({
    where: where.eq('is_prospect', false),
    sort: [{ field: 'id', direction: 'asc' }],
    limit: choicesMax,
    fields: ['business_name'],
  })
  return byName(rows.map(({ id, business_name }) => [id, business_name] as const))
}

const byName = (pairs: ListChoices): ListChoices => pairs.toSorted(([, a], [, b]) => a.localeCompare(b))
