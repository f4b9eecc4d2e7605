import { type OwnerContext, type Row, type Where, where } from 'renown'
import type { ReviewSource } from '../contract'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { ReviewListing } from '../records/ReviewListing'
import type { Share } from './reply-evidence'

const locationsMax = 1_000

type Place = Pick<Row<typeof ReviewedLocation>, 'id' | 'google_account_id' | 'facebook_page_id'>

/** The account through which a location is read. */
const accountOf = ({ google_account_id = '', facebook_page_id = '' }: Place) =>
  google_account_id === '' ? facebook_page_id : google_account_id.replace(/^accounts\//, '')

/**
 * Returns the missing and the known replies of the location's account and of the platform. `own`: the missing replies of the
 * location itself.
 */
export async function widerShares(
  ctx: OwnerContext,
  { location, source }: { readonly location: Place; readonly source: ReviewSource },
  own: number,
): Promise<readonly Share[]> {
  const missing = where.and(
    where.gt('replies_missing', 0),
    where.eq('replies_lost_from', source.source),
    where.ne('location_id', location.id),
  )
  const others = await ctx.rows(ReviewListing).list({ where: missing, limit: locationsMax })
  if (others.length === 0) return []
  const ids = others.map(({ location_id }) => location_id)
  const places = await ctx.rows(ReviewedLocation).list({ where: where.in('id', ids), limit: ids.length })
  const account = accountOf(location)
  const ofAccount = new Set(places.filter((place) => accountOf(place) === account).map(({ id }) => id))
  const touched = (counted: typeof others) =>
    counted.reduce((sum, { replies_missing = 0 }) => sum + replies_missing, own)
  const near = others.filter(({ location_id }) => ofAccount.has(location_id))
  return [
    { touched: touched(near), held: await countAnswered(ctx, source, await ofSameAccount(ctx, location)) },
    { touched: touched(others), held: await countAnswered(ctx, source) },
  ]
}

async function ofSameAccount(ctx: OwnerContext, location: Place): Promise<Where> {
  const id = accountOf(location)
  const same = where.or(
    where.in('google_account_id', [id, `accounts/${id}`]),
    where.eq('facebook_page_id', id),
  )
  const places = await ctx.rows(ReviewedLocation).list({ where: same, limit: locationsMax })
  return where.in(
    'location_id',
    places.map((place) => place.id),
  )
}

const countAnswered = (ctx: OwnerContext, { source }: ReviewSource, ...more: Where[]): Promise<number> =>
  ctx
    .rows(Review)
    .count(
      where.and(
        where.eq('source', source),
        where.ne('reply_text', null),
        where.eq('removed_at_source_at', null),
        ...more,
      ),
    )
