import type { DemoRow, DemoWorld } from 'renown'
import { asReadReview } from '../proof/as-read-review'
import { digestOfAll, hashOf, noHash } from '../proof/chain-hash'
import { digestOf } from '../proof/digest'
import type { Entry } from '../proof/ledger'
import type { Proof } from '../proof/pass'
import type { Review } from '../records/Review'
import { ReviewObservation } from '../records/ReviewObservation'

type Made = DemoRow<typeof Review>
type Observed = DemoRow<typeof ReviewObservation>

/** Reviews in one entry, and on one page of the platform. */
const chunk = 200
const pageSize = 50
const months = 24
const monthDays = 30
/** Reviews that Google counts and shows on no page, which happens often. */
const uncounted = 2

/**
 * The recorded readings of one business: once a month, and twice today. They follow from its reviews, as if the platform
 * had been read. The last one was incomplete, so that the page of counts has a difference to explain.
 */
export function readingsOf(world: DemoWorld, reviews: readonly Made[]): Observed[] {
  const [first] = reviews
  if (!first) return []
  const { workspace_id, location_id, source } = first
  const chain = { workspace_id, location_id, source }
  const rows: Observed[] = []
  const standing = new Map<string, string>()
  let prev_hash = noHash
  const append = (at: string, entry: Entry) => {
    const seq = rows.length + 1
    const hash = hashOf(prev_hash, { ...chain, seq, at, entry })
    const id = world.id(ReviewObservation, `${location_id} ${seq}`)
    rows.push({ id, ...chain, seq, prev_hash, hash, at, entry: { ...entry }, created_date: at })
    prev_hash = hash
  }
  const times = [
    ...Array.from({ length: months }, (_, n) => world.at((months - n) * monthDays, 4)),
    world.at(0, -3),
    world.at(0, -2),
  ]
  for (const [place, at] of times.entries()) {
    const isLast = place === times.length - 1
    const after = times[place - 1] ?? ''
    const until = isLast ? world.at(-1) : at
    const fresh = reviews.filter((review) => isWithin(knownAt(review), after, until))
    for (let from = 0; from < fresh.length; from += chunk) {
      const some = fresh.slice(from, from + chunk)
      for (const review of some) standing.set(review.source_id, digestOf(review))
      append(at, {
        kind: 'seen',
        reviews: some.map((review) => ({ digest: digestOf(review), review: asReadReview(review) })),
      })
    }
    const removed = reviews.filter(({ removed_at_source_at: gone }) => isWithin(gone ?? '', after, at))
    for (const { source_id } of removed) standing.delete(source_id)
    const missed = isLast
      ? reviews.filter((review) => standing.has(review.source_id) && isMissed(review, at))
      : []
    append(at, {
      kind: 'pass',
      full: true,
      withheld: 0,
      standing: standing.size,
      digest: digestOfAll(standing),
      removed: removed.map(({ source_id }) => source_id),
      statements: Object.fromEntries(removed.map(({ source_id }) => [source_id, '404'])),
      proof: proofOf(source, at, standing.size - missed.length, isLast),
    })
  }
  return rows
}

const isMissed = ({ synced_at = '' }: Made, at: string) => synced_at < at

/** When a reading first saw a review in its present form, with the reply that it has. */
const knownAt = ({ review_created_at = '', reply_created_at = '' }: Made) =>
  review_created_at > reply_created_at ? review_created_at : reply_created_at

const isWithin = (instant: string, after: string, until: string) =>
  instant !== '' && instant > after && instant <= until

/** What a reading proves. Google counts its reviews, Facebook does not. */
function proofOf(source: string, at: string, distinct: number, isLast: boolean): Proof {
  const counts = source === 'google'
  const total = counts ? distinct + (isLast ? uncounted : 0) : null
  const isComplete = !(counts && isLast)
  return {
    evidence: counts ? 'counted' : 'paged',
    complete: isComplete,
    ...(isComplete ? {} : { gap: 'total_differs' }),
    pages: Math.max(1, Math.ceil(distinct / pageSize)),
    items: distinct,
    distinct,
    first_total: total,
    last_total: total,
    began_at: at,
    ended_at: at,
  }
}
