import { type AnswerClass, createClassifier } from './classify'
import { clauseAround } from './clauses'
import type { ReadAnswer } from './features'
import type { Occurrence } from './find-names'
import { fold } from './fold'
import type { SignalName } from './signals'
import type { Stance } from './stances'

/** How an answer speaks of one entity. */
export interface Judgement {
  readonly stance: Stance
  /** The clause or sentence that shows it, unchanged. */
  readonly evidence: string
  /** Whether another reading is almost as likely, so that a model or a person should check it. */
  readonly is_mixed: boolean
}

/** Maximum occurrences of one entity that are examined. */
export const judgedMax = 20

/** Chance of a second reading from which an answer is mixed. */
const mixedMin = 0.3

/**
 * Returns a function that tells how an answer speaks of an entity. `occurrences` are those of all entities, in order.
 * It returns null if the answer does not name the entity.
 */
export function createStances(
  answer: ReadAnswer,
  isJudged: boolean,
  occurrences: readonly Occurrence[],
): (entity: string) => Judgement | null {
  const classify = createClassifier(answer, occurrences)
  return (entity) => {
    const own = occurrences.filter((one) => one.entity === entity).slice(0, judgedMax)
    const [first] = own
    if (!first) return null
    const { clause } = clauseAround(answer.text, first, occurrences)
    if (!isJudged) return { stance: 'not_judged', evidence: clause, is_mixed: false }
    if (isNamesake(answer.text, first, clause))
      return { stance: 'other_entity', evidence: clause, is_mixed: false }
    const { said, chances } = classify(own)
    const [, second = 0] = Object.values(chances).toSorted((a, b) => b - a)
    return {
      stance: stanceOf(answer, said, own, occurrences),
      evidence: evidenceOf(answer, said, own) ?? clause,
      is_mixed: second >= mixedMin || contradicts(answer, own),
    }
  }
}

function stanceOf(
  answer: ReadAnswer,
  said: AnswerClass,
  own: readonly Occurrence[],
  all: readonly Occurrence[],
): Stance {
  if (said === 'positive') return 'recommended'
  if (said === 'negative') return 'discouraged'
  if (said === 'neutral') return isCompared(answer, own, all) ? 'compared' : 'listed'
  if (isBare(answer)) return 'listed'
  const near = unitsWith(answer, own)
  const hasNear = (signal: SignalName) => near.some((unit) => signalsOf(answer, unit, [signal]) > 0)
  if (hasNear('other')) return 'other_entity'
  const isUnknown =
    hasNear('unknown') || answer.units.some((unit) => signalsOf(answer, unit, ['unknown']) > 0)
  return isUnknown || hasNear('echo') || hasNear('alternative') ? 'unknown_to_engine' : 'other_entity'
}

/** Words up to which an answer that says nothing of knowing is only names. */
const bareMax = 12

/** Whether a short answer has no words that tell that a name is not known or not meant, such as "Beta and Acme". */
const isBare = ({ words, signals }: ReadAnswer): boolean =>
  words.length <= bareMax && !signals.some(({ signal }) => notMeant.has(signal))
const notMeant: ReadonlySet<SignalName> = new Set(['unknown', 'other', 'echo', 'alternative'])

/** Whether one sentence with the name recommends it, and another one advises against it. */
function contradicts(answer: ReadAnswer, own: readonly Occurrence[]): boolean {
  const units = unitsWith(answer, own)
  const isFor = units.map((unit) => signalsOf(answer, unit, ['recommend']) > 0)
  const isAgainst = units.map((unit) => signalsOf(answer, unit, ['avoid']) > 0)
  return isFor.some((one, at) => one && !isAgainst[at]) && isAgainst.some((one, at) => one && !isFor[at])
}

interface Span {
  readonly start: number
  readonly end: number
}

const unitsWith = ({ units }: ReadAnswer, own: readonly Occurrence[]): readonly Span[] =>
  units.filter(({ start, end }) => own.some((one) => one.start >= start && one.start < end))

/** Counts signals of these kinds within a span. */
function signalsOf(
  { words, signals }: ReadAnswer,
  { start, end }: Span,
  kinds: readonly SignalName[],
): number {
  let count = 0
  for (const { signal, from, to } of signals)
    if (kinds.includes(signal) && (words[from]?.start ?? -1) >= start && (words[to]?.end ?? 0) <= end) count++
  return count
}

/** Whether a sentence with the name compares it with another one. */
function isCompared(answer: ReadAnswer, own: readonly Occurrence[], all: readonly Occurrence[]): boolean {
  const [entity] = own.map((one) => one.entity)
  return unitsWith(answer, own).some(
    (unit) =>
      signalsOf(answer, unit, ['compared']) > 0 &&
      all.some((one) => one.entity !== entity && one.start >= unit.start && one.start < unit.end),
  )
}

const shows: Readonly<Record<AnswerClass, readonly SignalName[]>> = {
  none: ['unknown', 'other', 'echo'],
  positive: ['recommend', 'praise'],
  neutral: [],
  negative: ['avoid', 'blame'],
}

/** Characters of a unit that can be evidence. A longer one is cut to the clause with the name. */
const evidenceMax = 400

/** Returns the sentence that says most: one with the name, or else another one. Null if no sentence says it. */
function evidenceOf(answer: ReadAnswer, said: AnswerClass, own: readonly Occurrence[]): string | null {
  const kinds = shows[said]
  if (kinds.length === 0) return null
  const best = (spans: readonly Span[]): Span | undefined =>
    spans
      .map((span) => ({ span, count: signalsOf(answer, span, kinds) }))
      .filter(({ span, count }) => count > 0 && span.end - span.start <= evidenceMax)
      .toSorted((a, b) => b.count - a.count)[0]?.span
  const found = best(unitsWith(answer, own)) ?? best(answer.units)
  return found ? answer.text.slice(found.start, found.end).trim() : null
}

const legalForm =
  /^[\s,]*(?:corporation|corp|incorporated|inc|llc|ltd|limited|gmbh|ag|plc|co)\.?,? (?:in|of|from|based in) \p{Lu}/iu
const setApart =
  /(?<![\p{L}])(?:unlike|different from|not the|anders als|contrairement a|a diferencia de)(?![\p{L}])/u

/** Whether a text distinguishes a business with the same name, such as "Unlike Acme Corp in Ohio". */
const isNamesake = (answer: string, { end }: Occurrence, clause: string): boolean =>
  setApart.test(fold(clause).text) && legalForm.test(answer.slice(end, end + 60))
