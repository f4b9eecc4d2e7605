import { field, foreignEntity, instantsOf, ours, type Period, type ReadContext, where } from 'renown'
import { countedMentions, countedMentionsText } from 'renown/leads'
import * as v from 'valibot'
import { negativeMentions } from './rates'

/** The fields of a mention that reviews read. */
export const Mention = foreignEntity('Mention', {
  location_id: field.code('Business location the mention is about'),
  discovered_at: field.instant('When it was found'),
  posted_at: v.optional(field.instant('When it was posted')),
  sentiment: v.optional(field.text('Sentiment towards the brand')),
  relevance: v.optional(field.text('Whether it is about the business')),
  is_archived: field.flag('Put away'),
  duplicate_of: v.optional(field.text('Mention that it repeats')),
  removed_at_source_at: v.optional(field.instant('When it was found to be deleted')),
})

const sentiments = ['positive', 'neutral', 'mixed', 'negative'] as const
const count = (description: string) => field.integer(description, { min: 0 })

/** The output fields about mentions. */
export const mentionFigures = {
  definition: ours(field.text('Which mentions count, by the day they were posted')),
  total: count('Mentions of the period'),
  previous_total: count('Mentions of the previous period'),
  undated: ours(count('Mentions found in the period whose own date is unknown. No other figure counts them')),
  by_sentiment: v.array(
    v.object({
      sentiment: v.nullable(field.oneOf(sentiments, 'Sentiment towards the brand; null: not told')),
      mentions: count('Mentions'),
    }),
  ),
  negative_share: negativeMentions.schema,
}

/** Counts the mentions of two adjacent periods, by days in the workspace's time zone. Two reads. */
export async function mentionsOf(
  ctx: ReadContext,
  location_id: string | undefined,
  { period, previous }: { readonly period: Period; readonly previous: Period },
) {
  const { timezone } = ctx.workspace
  const { from, before } = instantsOf({ date_from: previous.date_from, date_to: period.date_to }, timezone)
  const own = location_id === undefined ? [] : [where.eq('location_id', location_id)]
  const found = instantsOf(period, timezone)
  const undated = await ctx
    .rows(Mention)
    .count(
      where.and(
        ...countedMentions,
        ...own,
        where.eq('posted_at', null),
        where.gte('discovered_at', found.from),
        where.lt('discovered_at', found.before),
      ),
    )
  const groups = await ctx.rows(Mention).group({
    where: where.and(...countedMentions, where.gte('posted_at', from), where.lt('posted_at', before), ...own),
    by: [{ field: 'posted_at', unit: 'day', timezone }, 'sentiment'],
    measures: [{ as: 'n', fn: 'count' }],
  })
  const sumOf = ({ date_from, date_to }: Period, sentiment?: string | null) =>
    groups
      .filter(({ posted_at }) => String(posted_at) >= date_from && String(posted_at) <= date_to)
      .filter((group) => sentiment === undefined || group.sentiment === sentiment)
      .reduce((total, { n }) => total + Number(n), 0)
  const total = sumOf(period)
  return {
    definition: countedMentionsText,
    total,
    previous_total: sumOf(previous),
    undated,
    by_sentiment: [...sentiments, null].map((sentiment) => ({
      sentiment,
      mentions: sumOf(period, sentiment),
    })),
    negative_share: negativeMentions.of(sumOf(period, 'negative'), total - sumOf(period, null)),
  }
}
