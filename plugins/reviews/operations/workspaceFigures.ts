import type { ReadFigures, WorkspaceFigureSource } from 'renown/pages'
import { Review } from '../records/Review'
import { readAcross, type WorkspaceReviews } from './across-workspaces'
import { periodFigures } from './periodFigures'
import { figuresOf } from './tally'
import { visibleReviews, waitsForReply } from './visible'

/** Reviews of each workspace, counted as in getReputationSummary. */
export const reviewFigures: WorkspaceFigureSource = {
  name: 'reviews',
  order: 10,
  figures: [
    { name: 'reviews', unit: 'count', definition: 'Reviews written in the period that are still shown.' },
    { name: 'rating', unit: 'stars', definition: 'Average stars of these reviews. n: reviews with stars.' },
    {
      name: 'reply_rate',
      unit: 'share',
      definition: 'Share of these reviews with a reply. n: these reviews.',
    },
    { name: 'unanswered', unit: 'count', definition: 'Reviews of any time that need a reply now.' },
  ],
  async read(ctx, periods) {
    const [{ now, before, isWhole }, waiting] = await Promise.all([
      periodFigures(ctx, {}, periods),
      ctx.rows(Review).count(visibleReviews({}, waitsForReply)),
    ])
    return figuresIn({ now, before, isWhole, waiting })
  },
  async readMany(reads, periodsOf) {
    const read = await readAcross(reads, periodsOf)
    return new Map([...read].map(([id, own]) => [id, figuresIn(own)]))
  },
}

function figuresIn({ now, before, isWhole, waiting }: Omit<WorkspaceReviews, 'last'>): ReadFigures {
  const totals = figuresOf(now)
  const earlier = figuresOf(before)
  const changeNote = isWhole ? undefined : 'Not all reviews of a location were fetched yet.'
  const count = (n: number) => ({ value: n, n })
  return {
    reviews: { now: count(totals.reviews), before: count(earlier.reviews), changeNote },
    rating: {
      now: { value: totals.average_rating, n: totals.rated },
      before: { value: earlier.average_rating, n: earlier.rated },
      changeNote,
    },
    reply_rate: {
      now: { value: totals.response_rate.rate, n: totals.reviews },
      before: { value: earlier.response_rate.rate, n: earlier.reviews },
      changeNote: changeNote ?? 'Older reviews had more time for a reply.',
    },
    unanswered: { now: count(waiting) },
  }
}
