import { dayMs, isServiceFault, minuteMs, type OwnerContext, ServiceFault } from 'renown'
import {
  notReadyCode,
  type ReviewedLocation,
  type ReviewSource,
  readRows,
  type SourcePage,
  type SourceReview,
  type SourceTask,
  starsOf,
  unreadOf,
} from 'renown/reviews'
import * as v from 'valibot'
import { dataforseoAbsences } from './absences'
import { fetchResult, placeOrder, unknownOrderCode } from './ask'
import { countryNumber } from './country-numbers'
import { dataforseoSettings } from './settings'

/** Reviews per order. DataForSEO bills in tens. */
const depth = 100

/** `2026-01-02 03:04:05 +00:00`. */
const instant = v.pipe(
  v.string(),
  v.transform((text) => new Date(text.replace(' ', 'T').replace(' ', ''))),
  v.check((date) => !Number.isNaN(date.getTime())),
  v.transform((date) => date.toISOString()),
)

const maybe = <S extends v.GenericSchema>(schema: S) => v.nullish(schema)

/** The fields of a review. `dataforseoAbsences` says what it means if one is left out. */
export const reviewFields = v.object({
  review_id: v.pipe(v.string(), v.minLength(1)),
  review_text: maybe(v.string()),
  original_review_text: maybe(v.string()),
  original_language: maybe(v.string()),
  timestamp: maybe(instant),
  rating: maybe(v.object({ value: maybe(v.number()) })),
  profile_name: maybe(v.string()),
  profile_image_url: maybe(v.string()),
  local_guide: maybe(v.boolean()),
  review_url: maybe(v.string()),
  owner_answer: maybe(v.string()),
  original_owner_answer: maybe(v.string()),
  owner_timestamp: maybe(instant),
})

/** A result. Only a result that states a count of 0 may have no items. */
const result = v.pipe(
  v.object({
    title: maybe(v.string()),
    rating: maybe(v.object({ value: maybe(v.number()) })),
    reviews_count: maybe(v.pipe(v.number(), v.integer(), v.minValue(0))),
    items_count: maybe(v.pipe(v.number(), v.integer(), v.minValue(0))),
    items: maybe(v.array(v.unknown())),
  }),
  v.check(
    ({ items, items_count, reviews_count }) =>
      (items ?? []).length > 0 || items_count === 0 || reviews_count === 0,
    'neither items nor a count of zero',
  ),
)

/** Reviews that DataForSEO finds in a search, ordered and fetched when ready. They are always incomplete. */
export const dataforseoReviews: ReviewSource = {
  name: 'dataforseo',
  source: 'google',
  listing: 'imported',
  label: 'Google',
  order: 40,
  reads: (ctx, { added_via }) =>
    added_via === 'dfs_keyword' && dataforseoSettings.of(ctx).DATAFORSEO_LOGIN !== '',
  evidence: 'none',
  absences: dataforseoAbsences,
  everyMs: dayMs,
  async open(ctx, location, task) {
    return {
      async page() {
        const order = task.saved.order
        if (typeof order !== 'string') return place(ctx, location, task)
        return fetchOrder(ctx, location, order, task)
      },
    }
  },
}

/** Stores the order's id before anything else, so that no later attempt pays for a second order. */
async function place(ctx: OwnerContext, location: ReviewedLocation, task: SourceTask): Promise<never> {
  const json = [{ ...whatOf(location), depth, sort_by: 'newest', priority: 1, tag: location.id }]
  await ctx.outbound.spend({
    provider: 'dataforseo',
    account: 'installation',
    cost: depth,
    perDay: dataforseoSettings.of(ctx).DATAFORSEO_REVIEWS_PER_DAY,
  })
  await task.save({ order: await placeOrder(ctx, { json, signal: task.signal }) })
  throw notReady(task)
}

async function fetchOrder(
  ctx: OwnerContext,
  location: ReviewedLocation,
  order: string,
  task: SourceTask,
): Promise<SourcePage> {
  try {
    return pageOf(await fetchResult(ctx, order, result, { signal: task.signal }), location)
  } catch (error) {
    if (!isServiceFault(error)) throw error
    if (error.code === notReadyCode) throw notReady(task)
    if (error.code === unknownOrderCode) await task.save({})
    throw error
  }
}

/** An order takes from a minute to an hour, so each wait is twice as long as the previous one. */
const notReady = ({ attempt }: SourceTask) =>
  new ServiceFault('transient', 'DataForSEO is still collecting the reviews', {
    code: notReadyCode,
    retryAfterMs: minuteMs * 2 ** Math.min(attempt - 1, 5),
  })

function whatOf({ google_place_id, business_name, city, country = '' }: ReviewedLocation) {
  const code = countryNumber(country)
  if (code === undefined) {
    throw new ServiceFault(
      'permanent',
      `The location's country ${JSON.stringify(country)} is unknown: use two letters such as GB, or its English name`,
    )
  }
  const where = { location_code: 2_000 + code, language_code: 'en' }
  if (google_place_id !== undefined) return { place_id: google_place_id, ...where }
  return { keyword: [business_name, city].filter(Boolean).join(', '), ...where }
}

function pageOf(found: v.InferOutput<typeof result> | null, location: ReviewedLocation): SourcePage {
  if (found === null) return { reviews: [], total: null, next: null }
  const { title, items, rating, reviews_count } = found
  if (location.google_place_id === undefined && !isNamed(title ?? '', location.business_name ?? '')) {
    throw new ServiceFault('permanent', `The search found another business: ${title ?? 'without a name'}`)
  }
  const average = rating?.value
  const { rows, unread } = readRows(reviewFields, items ?? [], 'review_id')
  return {
    reviews: rows.map(toReview),
    total: reviews_count ?? null,
    next: null,
    ...unreadOf(unread),
    ...(typeof average === 'number' ? { average } : {}),
  }
}

/**
 * Whether a result has the wanted name. A search always finds something, so all words of the shorter name
 * must be in the longer one.
 */
function isNamed(found: string, wanted: string): boolean {
  const [shorter = [], longer = []] = [wordsOf(found), wordsOf(wanted)].sort((a, b) => a.length - b.length)
  return shorter.length > 0 && shorter.every((word) => longer.includes(word))
}

const wordsOf = (name: string): readonly string[] =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

function toReview(told: v.InferOutput<typeof reviewFields>): SourceReview {
  const text = told.original_review_text ?? told.review_text ?? ''
  const answer = told.original_owner_answer ?? told.owner_answer ?? ''
  const { review_id: id, timestamp, profile_name, profile_image_url, local_guide, original_language } = told
  return {
    source_id: id,
    google_review_id: id,
    star_rating: starsOf(told.rating?.value),
    ...(profile_name ? { reviewer_name: profile_name } : {}),
    ...(profile_image_url ? { reviewer_photo_url: profile_image_url } : {}),
    ...(typeof local_guide === 'boolean' ? { reviewer_is_local_guide: local_guide } : {}),
    ...(text === '' ? {} : { review_text: text }),
    ...(text !== '' && original_language ? { review_language: original_language } : {}),
    ...(timestamp ? { review_created_at: timestamp } : {}),
    ...(answer === ''
      ? {}
      : { reply: { text: answer, ...(told.owner_timestamp ? { at: told.owner_timestamp } : {}) } }),
    // Null says that there is no translation. Without the field, the text may be one.
    doesNotReplace: [
      ...(told.original_review_text === undefined ? (['review_text', 'review_language'] as const) : []),
      ...(told.original_owner_answer === undefined ? (['reply'] as const) : []),
    ],
    ...(told.review_url ? { metadata: { url: told.review_url } } : {}),
  }
}
