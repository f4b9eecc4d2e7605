import { evaluate, type RuledValue } from './evaluate'
import { isCounted, type Rule, type RulePart, ruleParts, type StoredAnswer, scoreOf } from './rule'
import { weightsOf } from './weights'

/** What a step does to the answers. */
export const stepKinds = [
  'answers_left_out',
  'answers_added',
  'counted_otherwise',
  'weighted_otherwise',
] as const
export type StepKind = (typeof stepKinds)[number]

/** One step from a rule to another: what changes, and by how much. */
export interface Step {
  readonly kind: StepKind
  /** Parts that change. More than one where the value is undefined in between. */
  readonly parts: readonly RulePart[]
  /** The rules before and after the step. */
  readonly rules: readonly [before: Rule, after: Rule]
  readonly before: RuledValue
  readonly after: RuledValue
  /** `after.value` less `before.value`. Null if either is null. */
  readonly difference: number | null
  /** Number of answers that the step left out, added, counted or weighted otherwise. */
  readonly answers: number
  /** Some of them, those that matter most first. */
  readonly examples: readonly StoredAnswer[]
}

const examplesMax = 5

/**
 * Explains the difference of two rules on the same answers, one part at a time. The differences of the steps add up
 * exactly to the difference of both values, in millionths.
 */
export function waterfall(from: Rule, to: Rule, answers: readonly StoredAnswer[]): Step[] {
  const parts = (Object.keys(ruleParts) as RulePart[]).filter((part) => from[part] !== to[part])
  const steps: Step[] = []
  let start = from
  let before = evaluate(from, answers)
  let pending = [] as RulePart[]
  let rule = from
  for (const [place, part] of parts.entries()) {
    rule = { ...rule, [part]: to[part] }
    pending.push(part)
    const after = evaluate(rule, answers)
    // Without a value in between, the step is taken together with the next one.
    if (after.value === null && place < parts.length - 1) continue
    steps.push(stepOf(pending, [start, rule], [before, after], answers))
    start = rule
    before = after
    pending = []
  }
  return steps
}

function stepOf(
  parts: readonly RulePart[],
  rules: readonly [Rule, Rule],
  [before, after]: readonly [RuledValue, RuledValue],
  answers: readonly StoredAnswer[],
): Step {
  const kind = kindOf(parts, rules[1])
  const difference = differenceOf(after.value, before.value)
  const found = kind === 'weighted_otherwise' ? weighedOf(rules, answers) : changedOf(rules, answers)
  // With prompts as a whole, a value can change though each answer alone counts as before.
  const isAll = found.length === 0 && difference !== 0 && difference !== null
  const touched = isAll ? answers.filter((answer) => isCounted(rules[1], answer)) : found
  return {
    kind,
    parts,
    rules,
    before,
    after,
    difference,
    answers: touched.length,
    examples: touched.slice(0, examplesMax),
  }
}

/** Returns a difference in whole millionths, so that sums of differences are exact. */
export const differenceOf = (after: number | null, before: number | null): number | null =>
  after === null || before === null ? null : (millionths(after) - millionths(before)) / 1e6

const millionths = (value: number) => Math.round(value * 1e6)

const populations: readonly RulePart[] = ['unanswered', 'removed_prompts', 'branded_prompts', 'incidents']

function kindOf(parts: readonly RulePart[], after: Rule): StepKind {
  const [first] = parts
  if (parts.every((part) => part === 'weight')) return 'weighted_otherwise'
  if (first === undefined || !parts.every((part) => populations.includes(part))) return 'counted_otherwise'
  return after[first] === 'left_out' ? 'answers_left_out' : 'answers_added'
}

/** Returns the answers whose score changes, the newest first. */
function changedOf([before, after]: readonly [Rule, Rule], answers: readonly StoredAnswer[]): StoredAnswer[] {
  return answers
    .filter((answer) => keyOf(before, answer) !== keyOf(after, answer))
    .sort((a, b) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at > b.at ? -1 : 1))
}

function keyOf(rule: Rule, answer: StoredAnswer): string {
  if (!isCounted(rule, answer)) return 'left out'
  const { k, n } = scoreOf(rule, answer)
  return `${k} of ${n}`
}

/** Returns the answers whose weight changes, those with the greatest change first. */
function weighedOf([before, after]: readonly [Rule, Rule], answers: readonly StoredAnswer[]): StoredAnswer[] {
  const old = weightsOf(before, answers)
  const now = weightsOf(after, answers)
  return answers
    .map((answer) => ({ answer, change: Math.abs((now.get(answer.id) ?? 0) - (old.get(answer.id) ?? 0)) }))
    .filter(({ change }) => change > 1e-12)
    .sort((a, b) => b.change - a.change || (a.answer.id < b.answer.id ? -1 : 1))
    .map(({ answer }) => answer)
}
