import { type Said, said } from 'renown/sources'
import type { Absences, LeftOutField } from '../absences'
import type { SourceReview } from '../contract'
import { recommendsOf } from '../sources/verdict'
import type { ReviewRow } from './review-row'

/** A review as Renown believes it, after an answer of its platform. */
export interface Believed {
  /**
   * What the platform returned, with the stored values of what it left out. The observation log and the row both contain
   * this review, so that they always agree. An answer that only leaves something out adds nothing to the log.
   */
  readonly review: SourceReview
  /** What the answer says about a reply that is stored. Absent if none is stored. */
  readonly storedReply?: 'shown' | 'missing' | 'unknown'
}

// The language of a row may be Renown's own finding, which an edit of the text makes wrong. `reconcile` keeps it instead.
type Plain = Exclude<LeftOutField, 'reply' | 'metadata' | 'review_language'>
const plain: readonly Plain[] = [
  'google_review_id',
  'reviewer_name',
  'reviewer_photo_url',
  'reviewer_is_local_guide',
  'star_rating',
  'review_text',
  'review_created_at',
  'review_updated_at',
]

/** Reads an answer of a platform beside the stored row. Syncs and looks both use it. The table of the platform decides. */
export function believedReview(
  told: SourceReview,
  row: ReviewRow,
  absences: Absences = { fields: {} },
): Believed {
  const given = withoutHidden(told, row, absences)
  const fields: Record<string, unknown> = {}
  for (const field of plain) {
    const answer = answerOf(field, given, row, absences)
    const before = row[field] ?? undefined
    if (answer.is === 'unknown' && before !== undefined) fields[field] = before
  }
  const { saidNone: _, ...rest } = given
  const recommends = given.recommends ?? recommendsOf(row.source_metadata)
  const metadata = { ...row.source_metadata, ...given.metadata }
  const reply = replyOf(given, row)
  return {
    review: {
      ...rest,
      ...fields,
      ...(given.recommends === undefined && recommends !== undefined ? turned(row, recommends) : {}),
      ...(row.source_metadata === undefined && given.metadata === undefined ? {} : { metadata }),
      ...(reply === undefined ? {} : { reply }),
    },
    ...storedReply(given, row, absences),
  }
}

/** A recommendation without its verdict keeps it, and never becomes a rating. */
const turned = ({ star_rating = null }: ReviewRow, recommends: boolean) => ({ recommends, star_rating })

/** Returns the answer about one field: a value, that there is none, or that nothing can be concluded. */
function answerOf(field: Plain, told: SourceReview, row: ReviewRow, { fields }: Absences): Said<unknown> {
  const value = told[field] ?? undefined
  if (value !== undefined) return said.value(value)
  if (told.saidNone?.some((name) => name === field)) return said.none
  const means = fields[field]?.means ?? 'unknown'
  if (means === 'none' || (means === 'none_if_updated' && isUpdated(told, row))) return said.none
  return said.unknown('the platform left it out')
}

const isUpdated = ({ review_updated_at: now }: SourceReview, { review_updated_at: before }: ReviewRow) =>
  now !== undefined && before !== undefined && now > before

/** Leaves out values that do not replace stored ones, and those that the platform hid earlier and may still hide. */
function withoutHidden(told: SourceReview, row: ReviewRow, { hidden }: Absences): SourceReview {
  const { review_text, review_language, reply_text: reply } = row
  const stored = { review_text, review_language, reply }
  const weak = (told.doesNotReplace ?? []).filter((name) => stored[name] !== undefined)
  const hiding = isUpdated(told, row) ? [] : (hidden?.(row.source_metadata, told.metadata) ?? [])
  const names: readonly string[] = [...weak, ...hiding, 'doesNotReplace']
  const left = Object.entries(told).filter(([name]) => !names.includes(name))
  return Object.fromEntries(left) as unknown as SourceReview
}

/** A reply that was left out stays, also where the platform says that there is none: only several readings prove that. */
function replyOf(told: SourceReview, row: ReviewRow): SourceReview['reply'] {
  if (told.rejectedReply !== undefined) return undefined
  const { reply_text, reply_created_at } = row
  const text = told.reply?.text ?? reply_text
  const at = told.reply?.at ?? reply_created_at
  return text === undefined ? undefined : { text, ...(at === undefined ? {} : { at }) }
}

function storedReply(
  told: SourceReview,
  row: ReviewRow,
  { fields }: Absences,
): Pick<Believed, 'storedReply'> {
  if (row.reply_text === undefined) return {}
  if (told.reply !== undefined || told.rejectedReply !== undefined) return { storedReply: 'shown' }
  const means = fields.reply?.means ?? 'unknown'
  const isMissing = told.saidNone?.includes('reply') || means === 'none' || means === 'none_if_shown'
  return { storedReply: isMissing ? 'missing' : 'unknown' }
}
