import { dayIn, periodOf, where } from 'renown'
import {
  type ClientCell,
  type ClientFigures,
  type ClientSource,
  type ClientWorkspace,
  clientDays,
} from 'renown/pages'
import { formatNumber } from 'renown/web'
import { readAcross, type WorkspaceReviews } from '../operations/across-workspaces'
import { figuresOf as totalsOf } from '../operations/tally'
import { ReviewListing } from '../records/ReviewListing'
import { ratingChange } from './review-changes'

const overview = `/app/reviews/overview?days=${clientDays}`

const unknown = (text: string): ClientCell => ({ value: null, text })

function figuresOf(
  { now, before, last, isWhole, waiting }: WorkspaceReviews,
  isListed: boolean,
): ClientFigures {
  const { reviews, average_rating: rating, response_rate } = totalsOf(now)
  const isRead = reviews > 0 || waiting > 0 || isListed || before.stars.length > 0
  if (!isRead)
    return { cells: { waiting: unknown('Not connected'), rating: unknown('–'), 'reply-rate': unknown('–') } }
  const { rate } = response_rate
  return {
    cells: {
      waiting: { value: waiting, text: formatNumber(waiting) },
      rating:
        rating === null
          ? unknown('–')
          : {
              value: rating,
              text: rating.toFixed(2),
              change: ratingChange({ now: now.stars, before: before.stars, isWhole }),
            },
      'reply-rate': rate === null ? unknown('–') : { value: rate, text: `${Math.round(rate * 100)} %` },
    },
    ...(last === undefined ? {} : { active_at: last }),
  }
}

/** Columns about reviews for the list of clients. They count like the pages of each workspace. */
export const reviewClients: ClientSource = {
  name: 'reviews',
  order: 10,
  columns: [
    {
      name: 'waiting',
      title: 'Waiting',
      worst: 'high',
      href: '/app/reviews?needs=1',
      definition: 'Reviews of any time that wait for a reply.',
    },
    {
      name: 'rating',
      title: 'Rating',
      worst: 'low',
      href: overview,
      definition: `The average of the stars of the last ${clientDays} days, and its change against the ${clientDays} days before.`,
    },
    {
      name: 'reply-rate',
      title: 'Reply rate',
      worst: 'low',
      href: overview,
      definition: `Reviews of the last ${clientDays} days that carry a reply now, among all reviews of these days.`,
    },
  ],
  async load(reads) {
    const periods = ({ timezone }: ClientWorkspace) =>
      periodOf({}, { today: dayIn(timezone, reads.now()), days: clientDays })
    const [reviews, listings] = await Promise.all([
      readAcross(reads, periods),
      reads.rows(ReviewListing).group({
        where: where.ne('due_at', null),
        by: ['workspace_id'],
        measures: [{ as: 'n', fn: 'count' }],
      }),
    ])
    const listed = new Set(listings.map(({ workspace_id }) => String(workspace_id)))
    return new Map([...reviews].map(([id, own]) => [id, figuresOf(own, listed.has(id))]))
  },
}
