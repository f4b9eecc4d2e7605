import { foldedString } from '../keywords/fold'
import { buildMatcher, type Post } from '../keywords/matcher'
import { intentLexicon, urgencyRule } from './intent-lexicon'
import type { JudgedLocation, Reason } from './judgement'
import { createLexicon, type LexiconHit, quoteOf } from './lexicon'

const find = createLexicon([...intentLexicon, urgencyRule])

/** Points that a question mark and a named place add to a reason. */
const questionPoints = 5
const placePoints = 10

/** Returns the kinds of the lexicon that a text shows. */
export const intentKindsOf = (post: Post): readonly string[] => find(post).map(({ rule }) => rule.kind)

/**
 * Returns the reasons for and against an intent to buy, by the published lexicon. Urgency, a question and the place
 * of the business count only beside a reason for it.
 */
export function intentReasons(post: Post, location: JudgedLocation): Reason[] {
  const hits = find(post)
  const main = hits.filter(({ rule }) => rule.kind !== urgencyRule.kind).map((hit) => reasonOf(post, hit))
  if (!main.some(({ points }) => points > 0)) return main
  const urgent = hits.filter(({ rule }) => rule.kind === urgencyRule.kind).map((hit) => reasonOf(post, hit))
  return [...main, ...urgent, ...questionReason(post), ...placeReason(post, location)]
}

function reasonOf(post: Post, { rule, spans }: LexiconHit): Reason {
  const [span] = spans
  if (!span) return { kind: rule.kind, points: rule.points, sentence: `${rule.says}.` }
  const sentence = `${rule.says}: “${quoteOf(post, span)}”.`
  return { kind: rule.kind, points: rule.points, sentence, span }
}

function questionReason({ title = '', body }: Post): Reason[] {
  if (!/[?？¿]/.test(`${title} ${body}`)) return []
  return [{ kind: 'question', points: questionPoints, sentence: 'Is a question.' }]
}

/** The city of the business in the text. A business that is only online serves every place, so none counts. */
function placeReason(post: Post, { city, is_online_only }: JudgedLocation): Reason[] {
  if (is_online_only || !city || foldedString(city).length < 3) return []
  const keyword = `"${city.replaceAll('"', ' ')}"`
  const lists = { keywords: [keyword], required_keywords: [], excluded_keywords: [], languages: [] }
  const [match] = buildMatcher([{ id: 'city', ...lists }]).match({ title: post.title, body: post.body })
  const [span] = match?.spans ?? []
  if (!span) return []
  return [{ kind: 'place', points: placePoints, sentence: `Names ${city}.`, span }]
}
