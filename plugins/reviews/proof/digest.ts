import { recommendsOf } from '../sources/verdict'

/** The content of a review that figures use, from its source or from its row. */
export interface ReviewContent {
  readonly source_id: string
  readonly star_rating?: number | null | undefined
  readonly review_text?: string | undefined
  readonly reviewer_name?: string | undefined
  readonly review_created_at?: string | undefined
  readonly review_updated_at?: string | undefined
  readonly reply?: { readonly text: string; readonly at?: string } | undefined
  readonly reply_text?: string | undefined
  readonly reply_created_at?: string | undefined
  readonly source_metadata?: unknown
  readonly recommends?: boolean | undefined
}

const second = '2:'

/** Returns the digest of all values that figures use. Order and extra fields do not change it. */
export function digestOf(told: ReviewContent): string {
  const at = told.reply ? (told.reply.at ?? '') : (told.reply_created_at ?? '')
  const recommends = told.recommends ?? recommendsOf(told.source_metadata) ?? ''
  return second + sha256(JSON.stringify([...contentOf(told), at, recommends]))
}

/** Whether a digest matches a review. Accepts digests of all versions. */
export const isDigestOf = (digest: string, told: ReviewContent): boolean =>
  digest.startsWith(second) ? digest === digestOf(told) : digest === sha256(JSON.stringify(contentOf(told)))

function contentOf(told: ReviewContent) {
  const { source_id, star_rating = null, review_text = '', reviewer_name = '' } = told
  const { review_created_at = '', review_updated_at = '' } = told
  const reply = told.reply?.text ?? told.reply_text ?? ''
  return [source_id, star_rating, review_text, reviewer_name, review_created_at, review_updated_at, reply]
}

/** SHA-256 as hex. */
export const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')
