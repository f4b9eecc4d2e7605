import { hourMs, type Rate, type ReadContext, where } from 'renown'
import { type Figure, frozenCount, frozenRate, type ReportSection, rateFigure } from 'renown/reports'
import * as v from 'valibot'
import { writtenIn } from '../operations/tally'
import { visibleReviews } from '../operations/visible'
import { Review } from '../records/Review'
import { analyticsOf } from './period-analytics'

const data = v.object({
  rate: frozenRate,
  previous_rate: v.nullable(frozenRate),
  /** Median hours from a review to its reply. */
  median_hours: v.nullable(v.number()),
  previous_median_hours: v.nullable(v.number()),
  answered: frozenCount,
})

/** The frozen data about the replies to the reviews of a period. */
export type ResponsesData = v.InferOutput<typeof data>

const readMax = 2_000

/** Replies to the reviews of a period: how many reviews have one, and how fast. */
export const responsesSection: ReportSection<ResponsesData> = {
  name: 'responses',
  title: 'Replies',
  data,
  definitions: [
    {
      id: 'reviews.response_rate@1',
      name: 'Reviews with a reply',
      text: 'Share of the new reviews of the period that had a reply when the report was made, with a 95 % Wilson interval.',
    },
    {
      id: 'reply_hours@1',
      name: 'Time to reply',
      text: `The median time from a review to its reply, over the latest ${readMax} reviews of the period with both times. Half of the replies were faster.`,
    },
  ],
  async collect(ctx, scope) {
    const { reads } = ctx
    const { location, period, previous } = scope
    const { now, before } = await analyticsOf(ctx, scope)
    if (now.totals.reviews === 0) return null
    // A location with new reviews that was read in whole has no review missing in an earlier period either.
    const isWhole = now.read_in_whole
    return {
      rate: now.totals.response_rate,
      previous_rate: isWhole ? before.totals.response_rate : null,
      median_hours: await medianHours(reads, location.id, period),
      previous_median_hours: isWhole ? await medianHours(reads, location.id, previous) : null,
      answered: now.totals.replied,
    }
  },
  headline: (found) => [replied(found)],
  score: ({ rate: found }) => (found.rate === null ? null : { value: found.rate * 100, weight: 1 }),
  blocks: (found) => [
    { kind: 'figures', figures: [replied(found), replyTime(found)] },
    ...(found.answered === 0
      ? []
      : [
          {
            kind: 'did' as const,
            items: [
              {
                text: `Replies were sent to ${found.answered} of ${found.rate.n} new reviews.`,
                href: '/app/reviews',
              },
            ],
          },
        ]),
  ],
}

const replied = ({ rate: now, previous_rate: before }: ResponsesData): Figure =>
  rateFigure(
    { id: 'responses.rate', label: 'Reviews with a reply', better: 'higher', evidence: '/app/reviews' },
    now as Rate,
    (before ?? undefined) as Rate | undefined,
  )

const replyTime = ({ median_hours: value, previous_median_hours: previous }: ResponsesData): Figure => ({
  id: 'responses.time',
  label: 'Time to reply',
  value,
  unit: 'hours',
  better: 'lower',
  definition: 'reply_hours@1',
  ...(value === null ? { unknown_because: 'no reply has a known time' } : {}),
  ...(previous === null ? {} : { previous }),
})

async function medianHours(
  reads: ReadContext,
  location_id: string,
  period: { readonly date_from: string; readonly date_to: string },
): Promise<number | null> {
  const rows = await reads.rows(Review).list({
    where: visibleReviews(
      { location_id },
      ...writtenIn(period, reads.workspace.timezone),
      where.ne('reply_created_at', null),
    ),
    sort: [{ field: 'review_created_at', direction: 'desc' }],
    limit: readMax,
    fields: ['review_created_at', 'reply_created_at'],
  })
  const hours = rows
    .map(
      ({ review_created_at = '', reply_created_at = '' }) =>
        (Date.parse(reply_created_at) - Date.parse(review_created_at)) / hourMs,
    )
    .filter((value) => value >= 0)
    .toSorted((a, b) => a - b)
  const middle = hours.length / 2
  if (hours.length === 0) return null
  const median =
    hours.length % 2 === 1 ? hours[Math.floor(middle)] : ((hours[middle - 1] ?? 0) + (hours[middle] ?? 0)) / 2
  return median === undefined ? null : Math.round(median * 100) / 100
}
