import type { Row } from '../../../../core/contracts/entity'
import { BusinessLocation } from '../../../../core/product/tenancy-plugin'
import type { Review } from '../../../../plugins/reviews/records/Review'
import { ReviewListing } from '../../../../plugins/reviews/records/ReviewListing'
import { ReviewReply } from '../../../../plugins/reviews/records/ReviewReply'
import { reviewBench } from './bench'

const hourMs = 3_600_000
/** The newest review is seven hours old when the bench's clock stands. */
const newest = Date.parse('2026-03-15T05:00:00.000Z')
const at = (ms: number) => new Date(ms).toISOString()
const of = <T>(values: readonly T[], n: number): T => values[n % values.length] as T

const texts = [
  'The bread was warm and the staff very friendly.',
  'Cold soup, and nobody said sorry.',
  undefined,
  'Das Brot war gut, die Bedienung langsam.',
  `A long story about a long queue. ${'And then we waited again. '.repeat(14)}`,
  'Prima pan, muy amables.\n\n(Translated by Google) Great bread, very kind.',
  'ok',
] as const
const topics = [['bread', 'staff'], ['queue', 'soup'], [], ['price'], ['queue', 'queue', 'bread']] as const

type Fields = Partial<Row<typeof Review>>

/** What only the page of one review shows, and what nobody shows. */
function details(n: number, isFacebook: boolean, isAnswered: boolean): Fields {
  return {
    ...(isFacebook
      ? {
          source_metadata: {
            recommendation_type: of(['positive', 'negative'], n),
            reply_comment_id: `c${n}`,
          },
        }
      : {
          google_review_id: `g${n}`,
          source_metadata: { reply_state: of(['APPROVED', 'PENDING', 'REJECTED'], n) },
        }),
    ...(isAnswered && n % 2 === 1 ? { reply_updated_by: of(['person', 'auto-response'], n >> 1) } : {}),
    reviewer_is_local_guide: n % 3 === 0,
    ...(n % 8 === 6
      ? {}
      : {
          sentiment_score: ((n % 5) - 2) / 2,
          emotion: of(['joy', 'anger', 'sadness', 'neutral'] as const, n),
          analysis_method: isFacebook
            ? 'recommendation+lexicon'
            : of(['stars', 'stars+lexicon', 'llm:small'], n),
        }),
  }
}

/** The last action of a person on the reply of review `n`. */
const act = (n: number): Partial<Row<typeof ReviewReply>> => ({
  id: `rrp_${n}`,
  created_date: at(newest),
  updated_date: at(newest),
  workspace_id: 'wsp_1',
  review_id: `rev_${String(n).padStart(2, '0')}`,
  location_id: 'loc_1',
  act_id: `act_${n}`,
  basis: 'b',
  requested_by: 'usr_1',
  requested_at: at(newest - n * hourMs),
  act: n % 4 === 3 ? 'delete' : 'publish',
  ...(n % 4 === 3 ? {} : { text: `Sorry, guest ${n}.` }),
  state: of(['queued', 'failed', 'rejected', 'sent', 'cancelled'] as const, n),
  ...(n % 5 === 1 || n % 5 === 2 ? { error: `It failed ${n} times.` } : {}),
  ...(n % 5 === 0 ? {} : { settled_at: at(newest) }),
})

/** Review `n` of 96, the newest first. Its features change with primes, so that they meet in every way. */
function review(n: number): Fields {
  // Eleven, then ever more hours apart: the last is from the summer before.
  const written = newest - n * (11 + n / 1.5) * hourMs
  const isFacebook = n % 5 === 3
  const stars = isFacebook ? null : of([5, 4, 1, 5, 3, 2, 5, 4, 5], n)
  const text = of(texts, n)
  const isAnswered = n % 3 === 1
  return {
    location_id: n === 13 ? 'loc_5' : of(['loc_1', 'loc_2', 'loc_1', 'loc_3', 'loc_1', 'loc_4'], n),
    source: isFacebook ? 'facebook' : 'google',
    ...(n % 31 === 30 ? {} : { review_created_at: at(written) }),
    ...(n % 13 === 2 ? { review_updated_at: at(written + 30 * hourMs) } : {}),
    star_rating: stars,
    ...(text === undefined ? {} : { review_text: text, review_language: of(['en', 'de', 'es'], n) }),
    ...(n % 11 === 7 ? {} : { reviewer_name: `Guest ${n}` }),
    ...(isAnswered
      ? {
          reply_text: `Thank you, guest ${n}.`,
          reply_created_at: at(written + (n === 7 ? -9 : n % 7) * 17 * hourMs),
        }
      : {}),
    needs_response: !isAnswered && n % 4 !== 0,
    is_read: n % 4 === 1,
    ...(n % 17 === 5 ? { is_flagged: true, flag_reason: 'Somebody was hurt' } : {}),
    ...(n % 6 === 2 ? { ai_suggested_response: `Dear guest ${n}` } : {}),
    ...(n % 8 === 6
      ? {}
      : { sentiment: of(['positive', 'negative', 'mixed', 'neutral', 'positive'] as const, n) }),
    ...(n % 8 === 6 ? {} : { priority: of(['urgent', 'high', 'medium', 'low'] as const, n) }),
    ...(n % 9 === 4 ? {} : { key_topics: [...of(topics, n)] }),
    ...(n % 19 === 4 ? { removed_at_source_at: at(written + 99 * hourMs) } : {}),
    ...(n % 10 === 9
      ? {
          auto_response_status: of(['sent', 'failed', 'skipped', 'pending'] as const, n),
          auto_response_scheduled_at: at(written + hourMs),
        }
      : {}),
    ...(n % 20 === 19 ? { auto_response_error: 'reply_text_refused: it names a price' } : {}),
    ...(n % 23 === 8 ? { notes: 'Called them' } : {}),
    ...details(n, isFacebook, isAnswered),
    ...(isFacebook ? {} : { gbp_api_synced_at: '2026-03-14T00:00:00.000Z' }),
    synced_at: n % 29 === 3 ? '2026-02-01T00:00:00.000Z' : '2026-03-14T00:00:00.000Z',
  }
}

/** A workspace with 96 reviews of four places, of which one is a prospect and one was never read in whole, and 30 mentions. */
export async function answersWorld() {
  const held = await reviewBench()
  const { bench } = held
  const place = async (id: string, more: object) => {
    const rest = {
      is_prospect: false,
      is_active: true,
      auto_response_enabled: false,
      last_full_review_sync_at: '2026-03-14T00:00:00.000Z',
    }
    await bench.owner
      .rows(BusinessLocation)
      .insert({ id, workspace_id: 'wsp_1', business_name: id, ...rest, ...more })
  }
  const google = { google_account_id: 'accounts/1', google_place_id: 'ChIJ1', added_via: 'gbp_oauth' }
  await place('loc_1', {
    business_name: 'Bakery',
    ...google,
    google_location_id: 'locations/1',
    total_reviews: 60,
  })
  await place('loc_2', {
    business_name: 'Annex',
    ...google,
    google_location_id: 'locations/2',
    auto_response_enabled: true,
  })
  await place('loc_3', { business_name: 'Zoo café', is_prospect: true })
  await place('loc_5', { business_name: 'Demo bar', is_demo: true, google_place_id: 'ChIJ5' })
  await place('loc_4', { business_name: 'Market', last_full_review_sync_at: '2025-12-01T00:00:00.000Z' })
  for (const [id, total] of [
    ['loc_1', 60],
    ['loc_2', 15],
  ] as const) {
    const listing = {
      id: `rls_${id}`,
      workspace_id: 'wsp_1',
      location_id: id,
      total,
      due_at: id === 'loc_1' ? '2026-03-15T14:00:00.000Z' : '2026-03-15T13:00:00.000Z',
    }
    await bench.owner.rows(ReviewListing).insert({ ...listing, last_full_at: '2026-03-14T00:00:00.000Z' })
  }
  for (let n = 0; n < 96; n++) await held.review({ id: `rev_${String(n).padStart(2, '0')}`, ...review(n) })
  for (const n of [0, 2, 3, 5, 6, 9, 13]) await bench.collection(ReviewReply).insert(act(n) as never)
  await held.review({
    id: 'rev_other',
    workspace_id: 'wsp_2',
    star_rating: 1,
    needs_response: true,
    review_created_at: at(newest),
  })
  for (let n = 0; n < 30; n++)
    await held.mention({
      posted_at: at(newest - n * n * 2 * hourMs),
      sentiment: of(['positive', 'negative', 'neutral'] as const, n),
      is_archived: n % 7 === 6,
      location_id: of(['loc_1', 'loc_2'], n),
      title: `Mention ${n}`,
      url: `https://forum.example/${n}`,
    })
  return held
}
