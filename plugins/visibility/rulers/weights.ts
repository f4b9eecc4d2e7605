import { isCounted, type Rule, type StoredAnswer, scoreOf } from './rule'

/** Returns the share of the whole that each counted answer has under a rule, by its id. The shares add up to 1. */
export function weightsOf(rule: Rule, answers: readonly StoredAnswer[]): Map<string, number> {
  const counted = answers
    .filter((answer) => isCounted(rule, answer))
    .map((answer) => ({ answer, n: scoreOf(rule, answer).n }))
    .filter(({ n }) => n > 0)
  const keyOf = ({ answer }: { readonly answer: StoredAnswer }) =>
    rule.weight === 'answer' ? '' : rule.weight === 'cell' ? answer.cell : answer.prompt
  const groups = Map.groupBy(counted, keyOf)
  const sums = new Map([...groups].map(([key, own]) => [key, own.reduce((sum, { n }) => sum + n, 0)]))
  return new Map(
    counted.map((one) => [one.answer.id, one.n / (sums.get(keyOf(one)) ?? 1) / Math.max(1, groups.size)]),
  )
}
