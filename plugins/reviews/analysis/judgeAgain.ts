import type { OwnerContext } from 'renown'
import { Review } from '../records/Review'
import { recommendsOf } from '../sources/verdict'
import { analyse, analysisVersion, type Judgement } from './analyse'
import type { ReviewRow } from './reconcile'

const judged = [
  'sentiment',
  'sentiment_score',
  'emotion',
  'key_topics',
  'priority',
  'needs_response',
] as const

/** Returns the analysis of a stored review by the current rules. Null if a language model analyzed it. */
function judgementOf(row: ReviewRow): Judgement | null {
  if (row.analysis_method?.startsWith('llm:')) return null
  const recommends = recommendsOf(row.source_metadata)
  return analyse({
    source_id: row.source_id,
    star_rating: row.star_rating ?? null,
    ...(row.review_text === undefined ? {} : { review_text: row.review_text }),
    ...(row.review_language === undefined ? {} : { review_language: row.review_language }),
    ...(recommends === undefined ? {} : { recommends }),
    ...(row.reply_text === undefined ? {} : { reply: { text: row.reply_text } }),
  })
}

const isOtherwise = (row: ReviewRow, again: Judgement) =>
  judged.some((name) => !Bun.deepEquals(row[name] ?? null, again[name] ?? null))

/** Whether an earlier version of the rules analyzed a review, so that the current rules cannot check it. */
export const isJudgedEarlier = ({ analysis_version, analysis_method }: ReviewRow): boolean =>
  analysis_version !== analysisVersion && !analysis_method?.startsWith('llm:')

/**
 * Whether the analysis of a review does not follow from its stars and text. A model's analysis cannot be
 * checked.
 */
export function isJudgedOtherwise(row: ReviewRow): boolean {
  const again = isJudgedEarlier(row) ? null : judgementOf(row)
  return again !== null && isOtherwise(row, again)
}

/**
 * Analyzes a stored review again if its analysis was changed or is of an earlier version. Writes only if the
 * result differs.
 */
export async function judgeAgain(ctx: OwnerContext, row: ReviewRow): Promise<void> {
  const again = judgementOf(row)
  if (again === null || !(isJudgedEarlier(row) || isOtherwise(row, again))) return
  await ctx.rows(Review).update(row.id, again)
}
