import type { Log } from 'renown'
import type { Model } from 'renown/sources'
import { askModel, type ModelSays } from './ask-model'
import { readBusiness } from './features/business'
import { featuresOf } from './features/post-features'
import { namesAnywhere, readMention } from './features/read-mention'
import { intentLexicon, intentRules } from './intent-lexicon'
import { intentReasons } from './judge-intent'
import { nameWords, type ReadFeatures } from './judge-name'
import {
  evidenceOf,
  isPlainName,
  maybeMin,
  relevanceReasons,
  relevanceRules,
  relevanceStart,
  relevantMin,
} from './judge-relevance'
import { sentimentOf } from './judge-sentiment'
import { writerReason, writerWords } from './judge-writer'
import {
  clampScore,
  type JudgedLocation,
  type JudgedMention,
  type JudgedTracker,
  type MentionJudgement,
  type Reason,
  reasonText,
} from './judgement'
import { type Learned, learnedReasons } from './learned-words'

/** What judging a mention needs of a context. */
export interface JudgingContext {
  readonly outbound: { readonly model: Model }
  readonly log?: Log
}

/** A mention with the tracker that found it, the business, and the earlier decisions about the tracker. */
export interface JudgingInput {
  readonly mention: JudgedMention
  readonly tracker: JudgedTracker
  readonly location: JudgedLocation
  readonly learned: Learned
}

/** The most that a model changes a relevance score. The rules keep the rest. */
const modelPoints = 25
/** A mention with fewer points is not worth a question to a model. */
const askedMin = 20

/**
 * Judges a mention: rules first, then the model, whose statements count only with a quote of the text. If the model
 * fails, the result is that of the rules, and `model` says why.
 */
export async function judgeMention(
  { outbound, log }: JudgingContext,
  { mention, tracker, location, learned }: JudgingInput,
): Promise<MentionJudgement> {
  const evidence = evidenceOf(mention, tracker, location)
  const { business, post, isUnmeasured } = readFor(mention, location)
  const named = post && !isPlainName(business) && post.post.places.length > 0 ? post : null
  const rules = [
    ...relevanceReasons(mention, tracker, location, evidence, named),
    ...learnedReasons(mention, tracker, learned),
  ]
  const namesBusiness = evidence.namesBusiness.length > 0
  const intents = withoutOwnBusiness(intentReasons(mention, location), namesBusiness)
  const { use, says } =
    scoreOf(rules, relevanceStart) < askedMin
      ? { use: { state: 'not_needed' } as const, says: null }
      : await askModel(outbound.model, mention, tracker, location)
  if (use.state === 'failed') {
    log?.warn('The language model did not judge a mention', { mention: mention.id, reason: use.message })
  }
  const relevant = [...rules, ...modelRelevance(says)]
  const relevance_score = scoreOf(relevant, relevanceStart)
  const isOpen = isUnmeasured && says?.relevance == null
  const added = withoutOwnBusiness(modelIntents(says, intents), namesBusiness)
  const found = [...intents, ...added]
  const writer =
    post &&
    writerReason(
      post,
      mention,
      intents.map(({ kind }) => kind),
      scoreOf(found, 0),
    )
  const reasons = writer ? [...found, writer] : found
  return {
    relevance: isOpen ? null : verdictOf(relevance_score),
    relevance_score: isOpen ? null : relevance_score,
    relevance_reason: isOpen
      ? unmeasuredReason
      : reasonText(relevant) || 'It contains a keyword. Nothing else speaks for or against it.',
    relevance_reasons: relevant,
    relevance_method: named ? nameWords : relevanceRules,
    ...sentimentFrom(mention, evidence.namesBusiness, says),
    intent: {
      score: scoreOf(reasons, 0),
      reason: reasonText(reasons),
      reasons,
      method: methodOf(post !== null, added.length > 0 ? outbound.model.generator : null),
    },
    model: use,
  }
}

const verdictOf = (score: number) =>
  score >= relevantMin ? 'relevant' : score >= maybeMin ? 'maybe' : 'irrelevant'

/** Said of a post that nobody has measured the judge for. */
export const unmeasuredReason =
  'Not judged: the name of the business can mean something else, and Renown is not measured in the language of this text.'

/** The words of a mention for the business. A name that can mean something else is open in a language without measured figures. */
function readFor(mention: JudgedMention, location: JudgedLocation) {
  const business = readBusiness(location)
  const read = readMention(mention, business)
  const post: ReadFeatures | null = read && { post: read, features: featuresOf(read) }
  const isUnmeasured = post === null && !isPlainName(business) && namesAnywhere(mention, business)
  return { business, post, isUnmeasured }
}

const methodOf = (isMeasured: boolean, generator: string | null) =>
  [isMeasured ? writerWords : intentRules, ...(generator === null ? [] : [generator])].join('+')

const scoreOf = (reasons: readonly Reason[], start: number) =>
  clampScore(reasons.reduce((sum, { points }) => sum + points, start))

/** A complaint about this business, or a wish to leave it, is no sign of a lead for it. */
const withoutOwnBusiness = (reasons: readonly Reason[], namesBusiness: boolean): Reason[] =>
  reasons.filter(({ kind }) => !(namesBusiness && (kind === 'competitor_complaint' || kind === 'switching')))

function modelRelevance(says: ModelSays | null): Reason[] {
  if (!says?.relevance) return []
  const { value, quote } = says.relevance
  const points = value === 'relevant' ? modelPoints : -modelPoints
  return [{ kind: 'model', points, sentence: `The language model says ${value}: “${quote}”.` }]
}

/** The model's intents that the rules did not find, with the points of the rules. */
function modelIntents(says: ModelSays | null, found: readonly Reason[]): Reason[] {
  const known = new Set(found.map(({ kind }) => kind))
  return (says?.intents ?? []).flatMap(({ kind, quote }) => {
    const rule = intentLexicon.find((one) => one.kind === kind)
    if (!rule || known.has(kind)) return []
    known.add(kind)
    return [{ kind, points: rule.points, sentence: `${rule.says} (language model): “${quote}”.` }]
  })
}

function sentimentFrom(
  mention: JudgedMention,
  namesBusiness: Parameters<typeof sentimentOf>[1],
  says: ModelSays | null,
): Pick<MentionJudgement, 'sentiment' | 'sentiment_score'> {
  const byRules = sentimentOf(mention, namesBusiness)
  if (byRules.sentiment !== null || namesBusiness.length === 0 || !says?.sentiment) return byRules
  const { value } = says.sentiment
  return { sentiment: value, sentiment_score: null }
}
