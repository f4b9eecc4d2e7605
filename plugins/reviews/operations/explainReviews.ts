import { defineCommand, field } from 'renown'
import * as v from 'valibot'
import type { ReviewRow } from '../analysis/reconcile'
import { originalOf } from '../analysis/translation'
import type { SourceReview } from '../contract'
import { chainsOf, readLocation } from '../proof/chains'
import type { Chain, ReadableRows } from '../proof/ledger'
import { gapWords, type Proof } from '../proof/pass'
import { replay } from '../proof/replay'
import { storedReviews } from '../proof/storedReviews'
import { platformOf, type ReviewPlatform, sourceOf } from '../sources/source-of'

const shownMax = 50
const beginningMax = 80

/** Explains "Google shows 412, 409 are listed here": which reviews, and why. */
export const explainReviews = defineCommand({
  name: 'review explain',
  summary: "Explain the difference between a source's count of a location's reviews and ours",
  input: v.strictObject({ location_id: field.text('Business location') }),
  positional: ['location_id'],
  async run(ctx, { location_id }) {
    const { location, listing } = await readLocation(ctx, location_id)
    const known = await Promise.all(
      chainsOf(ctx, location, listing).map((chain) => {
        const isRead = sourceOf(ctx, location)?.source === chain.source
        const suspects = (listing?.suspects ?? {}) as Readonly<Record<string, unknown>>
        const shows = isRead ? listing?.total : undefined
        return explainChain(ctx, { chain, shows, suspects, platform: platformOf(ctx, chain.source) })
      }),
    )
    const answers = known.filter((one) => one !== null)
    const reviews = answers.flatMap((one) => one.reviews)
    return {
      location_id,
      ...(answers.length === 0 ? { says: 'No review of this location has been read yet.' } : {}),
      sources: answers.map((one) => one.answer),
      differences: answers.flatMap((one) => one.differences),
      ...(reviews.length === 0 ? {} : { reviews }),
    }
  },
})

/** The options for one observation log. */
export interface ChainOptions {
  readonly chain: Chain
  readonly platform: ReviewPlatform
  /** Number of reviews that the platform last reported. Default: the number at the last sync. */
  readonly shows?: number | undefined
  /** Reviews that one complete sync did not return, by id. Default: those of the last complete sync. */
  readonly suspects?: Readonly<Record<string, unknown>>
}

/** Explains one platform's count of a location's reviews. Null if it was never synced. */
export async function explainChain(ctx: ReadableRows, { chain, platform, ...asked }: ChainOptions) {
  const seen = new Map<string, SourceReview>()
  const found = await replay(ctx, chain, { onSeen: (review) => void seen.set(review.source_id, review) })
  if (found.entries === 0) return null
  const rows = await storedReviews(ctx, chain)
  const visible = rows.filter((row) => typeof row.removed_at_source_at !== 'string')
  const removed = rows.filter((row) => typeof row.removed_at_source_at === 'string')
  const shows = asked.shows ?? found.last?.proof.last_total ?? null
  const listed = new Set(visible.map(({ source_id }) => source_id))
  const unwritten = [...found.standing.keys()].filter((id) => !listed.has(id))
  const whole = found.whole?.proof ?? null
  const { suspects } = asked
  const isSuspect = (row: ReviewRow) =>
    suspects === undefined
      ? whole?.complete === true && !isImported(row, whole, platform)
      : Object.hasOwn(suspects, row.id)
  const parts = [
    ...(whole === null ? [] : [uncounted(whole)]),
    part('unwritten', unwritten.length, unwritten.map((id) => seen.get(id) ?? { source_id: id }).map(told)),
    ...(whole === null ? [] : unreturned(visible, whole, platform, isSuspect)),
  ].filter((one) => one.reviews !== 0)
  const account = shows === null ? parts : [...parts, ...rest(shows - visible.length, parts, whole)]
  const { source } = chain
  const gone = newest(removed).map((row) => ({
    ...toldOf(row),
    removed_at: row.removed_at_source_at ?? undefined,
  }))
  return {
    answer: {
      source,
      says: saying(platform.label, shows, visible.length, removed.length, whole),
      source_shows: shows,
      we_list: visible.length,
      difference: shows === null ? null : shows - visible.length,
      removed_at_source: removed.length,
    },
    differences: account.map(({ reviews, kind }) => ({ source, reviews, kind, why: whys[kind] })),
    reviews: [...account, { kind: 'removed', which: gone } as const].flatMap(({ kind, which }) =>
      which.map((one) => ({ source, kind, ...one })),
    ),
  }
}

/**
 * One part of a difference: its reason, and its number of reviews. Negative if the list has more than the
 * source.
 */
interface Part {
  readonly kind: keyof typeof whys
  readonly reviews: number
  readonly which: readonly Told[]
}

const part = (kind: Part['kind'], reviews: number, which: readonly Told[] = []): Part => ({
  kind,
  reviews,
  which: which.slice(0, shownMax),
})

/** The reasons why a platform's count differs from the list, by kind. */
export const whys = {
  uncounted:
    'The source counts them, but no page of its list contains them. It does not say which reviews these are.',
  overcounted: 'The pages contained them, but the source does not count them.',
  unwritten: 'They were read but are not listed yet. The next sync adds them.',
  missing_once:
    'The last complete sync did not return them. They stay listed until another sync, at least an hour later, does not return them either.',
  imported: "They came from another source, and the platform's own listing has never shown them.",
  missed: 'The last full sync did not return them, but it was incomplete, so this proves nothing.',
  part: `Renown can read only a part of the reviews: ${gapWords.shows_a_part}.`,
  unrecorded: 'No sync returned them: they belong to the demo or to an import.',
  since: "The source's count is newer than the last full sync. The next full sync explains it.",
} as const

const uncounted = ({ last_total, distinct, evidence }: Proof): Part => {
  const more = evidence === 'none' || last_total === null ? 0 : last_total - distinct
  return part(more > 0 ? 'uncounted' : 'overcounted', more)
}

/** Whether a row came from another source than the one that counts. */
const isImported = (
  { gbp_api_synced_at }: ReviewRow,
  whole: Proof,
  { hasOwnListing }: Pick<ReviewPlatform, 'hasOwnListing'>,
) => hasOwnListing && gbp_api_synced_at === undefined && whole.evidence === 'counted'

/** Returns listed reviews that the last complete sync did not return. */
function unreturned(
  visible: readonly ReviewRow[],
  whole: Proof,
  platform: ReviewPlatform,
  isSuspect: (row: ReviewRow) => boolean,
): Part[] {
  const missed = visible.filter(({ synced_at = '' }) => synced_at < whole.began_at)
  const kinds = {
    missing_once: missed.filter(isSuspect),
    imported: missed.filter((row) => !isSuspect(row) && isImported(row, whole, platform)),
    missed: missed.filter((row) => !isSuspect(row) && !isImported(row, whole, platform)),
  }
  return (['missing_once', 'imported', 'missed'] as const).map((kind) =>
    part(kind, -kinds[kind].length, newest(kinds[kind]).map(toldOf)),
  )
}

/**
 * Returns the unexplained rest of the difference: the source's count is newer, or some of its reviews cannot
 * be read.
 */
function rest(difference: number, parts: readonly Part[], whole: Proof | null): Part[] {
  const open = difference - parts.reduce((sum, { reviews }) => sum + reviews, 0)
  if (open === 0) return []
  return [part(whole?.evidence === 'none' ? 'part' : 'since', open)]
}

function saying(
  name: string,
  shows: number | null,
  listed: number,
  removed: number,
  whole: Proof | null,
): string {
  const counts = shows === null ? `${name} reports no count` : `${name} shows ${shows} reviews`
  const read =
    whole === null
      ? 'No sync was complete yet.'
      : `The last full sync, at ${whole.began_at}, returned ${whole.distinct} on ${whole.pages} ${
          whole.pages === 1 ? 'page' : 'pages'
        } and was ${whole.gap === undefined ? 'complete' : `not complete: ${gapWords[whole.gap]}`}.`
  const gone =
    removed === 0
      ? ''
      : ` ${removed} more ${removed === 1 ? 'is' : 'are'} kept and left out, because ${name} no longer has ${
          removed === 1 ? 'it' : 'them'
        }.`
  return `${counts}, ${listed} ${listed === 1 ? 'is' : 'are'} listed here.${gone} ${read}`
}

const newest = (rows: readonly ReviewRow[]) =>
  [...rows]
    .sort((a, b) => ((a.review_created_at ?? '') < (b.review_created_at ?? '') ? 1 : -1))
    .slice(0, shownMax)

const toldOf = (row: ReviewRow): Told => ({
  review_id: row.id,
  ...told(row),
  last_returned_at: row.synced_at,
})

/** Returns the fields by which a person recognizes a review. */
const told = (review: Pick<SourceReview, 'source_id'> & Partial<Pick<ReviewRow, ToldField>>): Told => ({
  source_id: review.source_id,
  reviewer_name: review.reviewer_name,
  star_rating: review.star_rating ?? null,
  review_created_at: review.review_created_at,
  begins: originalOf(review.review_text).slice(0, beginningMax),
})

/** A review that is part of a difference. */
interface Told {
  readonly source_id: string
  readonly review_id?: string | undefined
  readonly reviewer_name?: string | undefined
  readonly star_rating: number | null
  readonly review_created_at?: string | undefined
  readonly begins: string
  readonly last_returned_at?: string | undefined
  readonly removed_at?: string | undefined
}

type ToldField = 'reviewer_name' | 'star_rating' | 'review_created_at' | 'review_text'
