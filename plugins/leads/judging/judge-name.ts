import type { MatchSpan } from '../keywords/matcher'
import { type Contribution, type Weights, weigh } from './features/classifier'
import type { Features } from './features/feature'
import { spanOf } from './features/read-mention'
import type { ReadPost } from './features/read-post'
import type { JudgedMention, Reason } from './judgement'
import { quoteOf } from './lexicon'
import weights from './weights/relevance.json'

/** A post with its features. */
export interface ReadFeatures {
  readonly post: ReadPost
  readonly features: Features
}

/** Points of a verdict that the words just give, and points for each unit of their sum. */
const yesPoints = 10
const noPoints = -15
const shownMax = 5
const shownMin = 2

/** The version of the words and weights. */
export const nameWords: string = weights.version

const { yes, no } = weights satisfies Weights
const pointsPerSum = (yesPoints - noPoints) / (yes - no || 1)

/** Points beyond the verdict, so that decisions of the owner and a model can still change it. */
const mostPoints = 35
const far = 3

/** What each group of features says to a person. The first that fits counts. */
const sayings: readonly (readonly [feature: RegExp, says: string])[] = [
  [/^(?:service|g_price)/, 'Speaks of prices, hours or service'],
  [/^(?:staff|they|g_they|g_then_they)/, 'Speaks of the people who work there'],
  [/^(?:visit|g_past|past)/, 'Tells of a visit'],
  [/^(?:good|bad|pain)/, 'Gives an opinion'],
  [/^own_none/, 'Says nothing of your trade'],
  [/^(?:own|town)/, 'Speaks of your trade or town'],
  [/^(?:capital|tr_marked|possessive|tagged|form_free)$/, 'Writes the word as a name'],
  [/^(?:g_at|g_of|g_or|acts|first_acts|addressed)$/, 'Speaks of the name as of a business'],
  [/^(?:small|small_text|tr_bare_ending)$/, 'Writes the word in small letters'],
  [
    /^(?:kind_|capital_|trade_|topic_before|topic_after|hyphen|within|quoted|number_)/,
    'The word is part of another name',
  ],
  [/^(?:after_title|after_named|explained|owned)/, 'The word is the name of somebody or something else'],
  [/^(?:after_|g_my|listed|form|ar_article)/, 'Uses the word as a common word'],
  [/^(?:other_place|elsewhere)/, 'Speaks of another place'],
  [/^(?:topic|meta|other_trade)/, 'Speaks of something else'],
  [/^(?:seller|job|news|idle)/, 'Is an offer, a job or news'],
]

const sayingOf = ({ name, value }: Contribution): string =>
  sayings.find(([feature]) => feature.test(name))?.[1] ??
  (value > 0 ? 'Reads like a post about a business' : 'Reads like a post about something else')

/**
 * Returns why the name in a post means the business, or something else, by a small classifier. The points add up to the verdict: at
 * least 10 if it is the business, below -15 if it is not, in between if the words leave it open.
 */
export function nameReasons({ post, features }: ReadFeatures, mention: JudgedMention): Reason[] {
  const { sum, contributions } = weigh(features, weights)
  const total = totalOf(sum)
  const reasons: Reason[] = []
  for (const contribution of grouped(contributions)) {
    if (reasons.length >= shownMax) break
    const points = Math.round(contribution.value * scale)
    if (Math.abs(points) < shownMin) continue
    reasons.push(reasonOf(post, mention, contribution, points))
  }
  const rest = total - reasons.reduce((all, { points }) => all + points, 0)
  if (rest === 0) return reasons
  return [...reasons, { kind: 'name_words', points: rest, sentence: restOf(total) }]
}

const scale = 10
const restOf = (total: number) =>
  total >= yesPoints
    ? 'The words around the name are those of posts about a business.'
    : total < noPoints
      ? 'The words around the name are those of posts about other things.'
      : 'The words around the name leave open what it means.'

/** The points of a sum: steep where it is open, flat where it is clear. */
function totalOf(sum: number): number {
  if (sum >= yes)
    return (
      yesPoints + Math.min(mostPoints - yesPoints, Math.floor(((sum - yes) / far) * (mostPoints - yesPoints)))
    )
  if (sum < no)
    return (
      noPoints - 1 - Math.min(mostPoints + noPoints, Math.floor(((no - sum) / far) * (mostPoints + noPoints)))
    )
  return Math.max(noPoints, Math.min(yesPoints - 1, Math.round(noPoints + (sum - no) * pointsPerSum)))
}

/** Features that say the same, as one with the place of the strongest. */
function grouped(
  contributions: readonly Contribution[],
): readonly (Contribution & { readonly says: string })[] {
  const groups = new Map<string, Contribution & { readonly says: string }>()
  for (const one of contributions) {
    const says = sayingOf(one)
    const known = groups.get(says)
    const evidence = known?.evidence ?? one.evidence
    groups.set(says, {
      name: known?.name ?? one.name,
      value: (known?.value ?? 0) + one.value,
      says,
      ...(evidence ? { evidence } : {}),
    })
  }
  return [...groups.values()].toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value))
}

function reasonOf(
  post: ReadPost,
  mention: JudgedMention,
  { name, evidence, says }: Contribution & { readonly says: string },
  points: number,
): Reason {
  const span: MatchSpan | undefined = evidence && spanOf(post, evidence, mention)
  if (!span) return { kind: `name_${name}`, points, sentence: `${says}.` }
  return { kind: `name_${name}`, points, sentence: `${says}: “${quoteOf(mention, span)}”.`, span }
}
