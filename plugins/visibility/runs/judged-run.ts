import type { NewRow } from 'renown'
import { type AnswerJudge, detectionVersion, type JudgedAnswer } from '../detection/judge-answer'
import type { EngineAnswer, EngineFault, EngineOutcome } from '../engines/ask-engine'
import type { EngineCost, EngineSource } from '../engines/engine'
import type { VisibilityRun } from '../records/VisibilityRun'
import { isOwn, scoreOf, statusOf, type ScoredTracker as Tracker } from './score-answer'

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

/** Returns the stored form of the outcome of one question. */
export function judgedRun(
  tracker: Tracker,
  outcome: EngineOutcome,
  judge: AnswerJudge,
  question: string,
): Judged {
  if (outcome.ok)
    return { ...partOf(outcome.answer), ...answerPart(tracker, outcome.answer, judge(outcome.answer.text, question)) }
  return faultedRun(outcome.fault)
}

/** Returns the stored form of a question without a usable answer. */
export function faultedRun(fault: EngineFault): Judged {
  const isNone = fault.kind === 'no_answer'
  return {
    status: isNone ? (fault.code === 'refusal' ? 'refused' : 'no_answer') : 'error',
    ...(isNone ? {} : { error: `${fault.kind}: ${fault.message}`.slice(0, 500) }),
    ...nothing,
    ...(fault.cost ? costPart(fault.cost) : {}),
    ...(fault.answer ? partOf(fault.answer) : {}),
    // The text of a cut or failed answer was paid. Only whole answers are scored.
    ...(isNone || !fault.answer?.text ? {} : { answer_text: fault.answer.text }),
  }
}

/** A cost that nobody knows, not even at most, is absent and never 0. */
const costPart = ({ usd, basis }: EngineCost) => ({
  cost_basis: basis,
  ...(usd === null ? {} : { cost: usd }),
})

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
  odd,
}: EngineAnswer) => ({
  model_asked,
  place_pinned,
  search_calls,
  ...costPart({ usd: cost_usd, basis: cost_basis }),
  ...(model_answered === null ? {} : { model: model_answered }),
  ...(odd.length === 0 ? {} : { odd_parts: [...odd] }),
})

function answerPart(tracker: Tracker, answer: EngineAnswer, judged: JudgedAnswer) {
  const citations = [
    ...answer.cited.map((source) => ({ source, cited: true })),
    ...answer.consulted.map((source) => ({ source, cited: false })),
  ].map(({ source, cited }, place) => citationOf(tracker, source, cited, place))
  return {
    status: statusOf(judged),
    answer_text: answer.text,
    search_queries: [...answer.queries],
    citations,
    ...scoreOf(judged, citations),
    definition_version: detectionVersion,
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
