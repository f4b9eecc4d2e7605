import type { Row } from 'renown'
import { createAnswerJudge, type JudgedAnswer } from '../detection/judge-answer'
import { type Score, scoreNames } from '../records/VisibilityScore'
import type { VisibilityTracker } from '../records/VisibilityTracker'

/** The fields of a tracker that decide how answers are scored. */
export type ScoredTracker = Pick<
  Row<typeof VisibilityTracker>,
  'brand_name' | 'brand_aliases' | 'brand_domain' | 'competitors'
>

/** Returns the judge of a tracker's answers. */
export const judgeOf = ({ brand_name, brand_aliases, competitors }: ScoredTracker) =>
  createAnswerJudge({
    brand: { names: [brand_name, ...brand_aliases] },
    competitors: competitors.map(({ name }) => ({ name })),
  })

/** Returns how a run with this answer ended. Shares leave out answers that are not judged. */
export const statusOf = ({ is_judged }: JudgedAnswer): 'ok' | 'not_judged' =>
  is_judged ? 'ok' : 'not_judged'

/** Characters of a clause that are stored. */
const clauseMax = 500

/** Returns the stored form of what was found in an answer with these citations. */
export function scoreOf(
  judged: JudgedAnswer,
  citations: readonly { readonly is_own: boolean; readonly cited: boolean }[],
): Score {
  const { brand } = judged
  const shown = brand ?? judged.brand_not_meant
  // An answer that nobody can judge does not even show that the brand is absent: it may be inflected or transliterated.
  if (!(shown || judged.is_judged))
    return { ...scoreOf({ ...judged, is_judged: true }, citations), stance: 'not_judged' }
  return {
    brand_mentioned: brand !== null,
    brand_cited: citations.some(({ is_own, cited }) => is_own && cited),
    ...(shown ? { stance: shown.stance, stance_evidence: shown.evidence.slice(0, clauseMax) } : {}),
    ...(brand?.position ? { brand_position: brand.position } : {}),
    ...(brand?.position_basis ? { position_basis: brand.position_basis } : {}),
    ...(brand?.sentiment
      ? { sentiment: brand.sentiment.score, sentiment_evidence: brand.sentiment.clause.slice(0, clauseMax) }
      : {}),
    competitor_mentions: judged.competitors.map(({ name, position }) => ({
      name,
      ...(position === null ? {} : { position }),
    })),
  }
}

/** Returns the changes that replace the score of a row: fields that the new score lacks are removed. */
export const replacing = (score: Score): { [Name in keyof Score]-?: Score[Name] | undefined } =>
  Object.fromEntries(scoreNames.map((name) => [name, score[name]])) as Required<Score>

/** Returns whether a domain is the brand's own domain or a subdomain of it. */
export function isOwn(domain: string, own: string | undefined): boolean {
  const wanted = own?.toLowerCase().replace(/^www\./, '')
  return wanted !== undefined && wanted !== '' && (domain === wanted || domain.endsWith(`.${wanted}`))
}
