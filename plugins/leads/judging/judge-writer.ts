import { type Contribution, type Weights, weigh } from './features/classifier'
import { intentFeaturesOf } from './features/post-features'
import { spanOf } from './features/read-mention'
import type { ReadPost } from './features/read-post'
import type { ReadFeatures } from './judge-name'
import type { JudgedMention, Reason } from './judgement'
import { quoteOf } from './lexicon'
import weights from './weights/intent.json'

/** The version of the words and weights. */
export const writerWords: string = weights.version

const { yes } = weights satisfies Weights
/** The score from which an author may become a customer. */
const leadScore = 50
const pointsPerSum = 20
const quotesMax = 2
const clearSum = 2.5

/** The lexicon judges the author of a post in any language. Where the words are measured, they decide. */
export function writerReason(
  { post, features }: ReadFeatures,
  mention: JudgedMention,
  kinds: readonly string[],
  points: number,
): Reason | null {
  const { sum, contributions } = weigh(intentFeaturesOf(post, features, kinds), weights)
  const aim = leadScore + (sum >= yes ? 0 : -1) + Math.round((sum - yes) * pointsPerSum)
  const score = Math.max(
    0,
    Math.min(100, sum >= yes ? Math.max(leadScore, aim) : Math.min(leadScore - 1, aim)),
  )
  const isLead = score >= leadScore
  const counted = Math.max(0, Math.min(100, points))
  // What the lexicon finds is clear, so that only clear words against it count.
  if (counted >= leadScore && !isLead && sum > yes - clearSum) return null
  if (score === counted || (!isLead && points <= 0)) return null
  const shown = contributions.filter(({ value, evidence }) => evidence && value > 0 === isLead)
  const said = shown.slice(0, quotesMax).flatMap((one) => quotesOf(post, mention, one))
  const says = isLead ? 'Reads like a person who needs something' : 'Reads like somebody who needs nothing'
  const [first] = said
  const quotes = [...new Set(said.map(({ quote }) => `“${quote}”`))].join(', ')
  return {
    kind: isLead ? 'reads_like_need' : 'reads_like_no_need',
    points: score - points,
    sentence: quotes === '' ? `${says}.` : `${says}: ${quotes}.`,
    ...(first ? { span: first.span } : {}),
  }
}

function quotesOf(post: ReadPost, mention: JudgedMention, { evidence }: Contribution) {
  const span = evidence && spanOf(post, evidence, mention)
  return span ? [{ span, quote: quoteOf(mention, span) }] : []
}
