import type { NewRow, Row } from 'renown'
import { createAnswerJudge, detectionVersion, type JudgedAnswer } from '../detection/judge-answer'
import type { EngineAnswer, EngineFault, EngineOutcome } from '../engines/ask-engine'
import type { EngineSource } from '../engines/engine'
import type { VisibilityRun } from '../records/VisibilityRun'
import type { VisibilityTracker } from '../records/VisibilityTracker'

type Tracker = Pick<
  Row<typeof VisibilityTracker>,
  'brand_name' | 'brand_aliases' | 'brand_domain' | 'competitors'
>
type Judged = Omit<
  NewRow<typeof VisibilityRun>,
  | 'tracker_id'
  | 'prompt_id'
  | 'location_id'
  | 'engine'
  | 'provider'
  | 'access'
  | 'country'
  | 'started_at'
  | 'batch_id'
>

/** Returns the judge of a tracker's answers. */
export const judgeOf = ({ brand_name, brand_aliases, competitors }: Tracker) =>
  createAnswerJudge({
    brand: { names: [brand_name, ...brand_aliases] },
    competitors: competitors.map(({ name }) => ({ name })),
  })

/** Returns the stored form of the outcome of one question. */
export function judgedRun(
  tracker: Tracker,
  outcome: EngineOutcome,
  judge: (answer: string) => JudgedAnswer,
): Judged {
  if (outcome.ok)
    return { status: 'ok', ...partOf(outcome.answer), ...answerPart(tracker, outcome.answer, judge) }
  return faultedRun(outcome.fault)
}

/** Returns the stored form of a question without a usable answer. */
export function faultedRun(fault: EngineFault): Judged {
  const isNone = fault.kind === 'no_answer'
  return {
    ...{ status: isNone ? (fault.code === 'refusal' ? 'refused' : 'no_answer') : 'error' },
    ...(isNone ? {} : { error: `${fault.kind}: ${fault.message}`.slice(0, 500) }),
    ...nothing,
    ...(fault.answer ? partOf(fault.answer) : {}),
  }
}

const nothing = {
  search_queries: [],
  citations: [],
  brand_mentioned: false,
  brand_cited: false,
  competitor_mentions: [],
  definition_version: detectionVersion,
}

const partOf = ({
  model_asked,
  model_answered,
  place_pinned,
  cost_usd,
  cost_basis,
  search_calls,
}: EngineAnswer) => ({
  ...{ model_asked, place_pinned, cost_basis, search_calls },
  ...(model_answered === null ? {} : { model: model_answered }),
  ...(cost_usd === null ? {} : { cost: cost_usd }),
})

function answerPart(tracker: Tracker, answer: EngineAnswer, judge: (answer: string) => JudgedAnswer) {
  const judged = judge(answer.text)
  const { brand } = judged
  const shown = brand ?? judged.brand_not_meant
  const citations = [
    ...answer.cited.map((source) => ({ source, cited: true })),
    ...answer.consulted.map((source) => ({ source, cited: false })),
  ].map(({ source, cited }, place) => citationOf(tracker, source, cited, place))
  return {
    answer_text: answer.text,
    search_queries: [...answer.queries],
    citations,
    brand_mentioned: brand !== null,
    brand_cited: citations.some(({ is_own, cited }) => is_own && cited),
    ...(shown ? { stance: shown.stance, stance_evidence: shown.evidence.slice(0, 500) } : {}),
    ...(brand?.position ? { brand_position: brand.position } : {}),
    ...(brand?.position_basis ? { position_basis: brand.position_basis } : {}),
    ...(brand?.sentiment
      ? { sentiment: brand.sentiment.score, sentiment_evidence: brand.sentiment.clause.slice(0, 500) }
      : {}),
    competitor_mentions: judged.competitors.map(({ name, position }) => ({
      name,
      ...(position === null ? {} : { position }),
    })),
    definition_version: judged.version,
  }
}

function citationOf(tracker: Tracker, source: EngineSource, cited: boolean, place: number) {
  return {
    ...(source.url === null ? {} : { url: source.url }),
    domain: source.domain,
    ...(source.title === undefined ? {} : { title: source.title }),
    position: place + 1,
    is_own: isOwn(source.domain, tracker.brand_domain),
    cited,
  }
}

/** Whether a domain is the brand's own or a subdomain of it. */
export function isOwn(domain: string, own: string | undefined): boolean {
  const wanted = own?.toLowerCase().replace(/^www\./, '')
  return wanted !== undefined && wanted !== '' && (domain === wanted || domain.endsWith(`.${wanted}`))
}
