import { dayShiftOf, estimate, type IntervalBasis, shareOf } from 'renown/statistics'
import { isCounted, type Rule, type StoredAnswer, scoreOf } from './rule'

/** What a rule makes of stored answers. */
export interface RuledValue {
  readonly k: number
  readonly n: number
  /** A share from 0 to 1, or an average place from 1. Null where nothing is counted. */
  readonly value: number | null
  readonly ci95: readonly [low: number, high: number] | null
  readonly interval_basis: IntervalBasis
}

/** Returns the value of a rule. Pure: the same answers always give the same value. */
export function evaluate(rule: Rule, answers: readonly StoredAnswer[]): RuledValue {
  const counted = answers.filter((answer) => isCounted(rule, answer))
  if (rule.weight === 'prompt' && rule.counts !== 'places') return byPrompt(rule, counted)
  if (rule.weight === 'answer') return pooled(rule, counted)
  return byGroup(
    rule,
    Map.groupBy(counted, (answer) => (rule.weight === 'cell' ? answer.cell : answer.prompt)),
  )
}

/** Every answer has the same weight. */
function pooled(rule: Rule, answers: readonly StoredAnswer[]): RuledValue {
  const { k, n } = sumOf(rule, answers)
  // Mentions that one answer repeats are not independent, so there is no interval for them.
  const ci95 = rule.counts === 'places' || isRepeated(rule) ? null : shareInterval(rule, answers)
  return { k, n, value: n === 0 ? null : round(k / n), ci95, interval_basis: ci95 ? 'pooled' : 'none' }
}

/** Returns the interval of a share, whose unit is the day. */
function shareInterval(rule: Rule, answers: readonly StoredAnswer[]): readonly [number, number] | null {
  const { ci95 } = shareOf(
    [...roundsOf(answers)].map(([, own]) => ({
      series: own[0]?.series ?? '',
      day: own[0]?.day ?? '',
      answers: own.length,
      ...sumOf(rule, own),
    })),
  )
  return ci95 && [ci95[0] ?? 0, ci95[1] ?? 1]
}

/** Groups answers by assistant and day. */
const roundsOf = (answers: readonly StoredAnswer[]) =>
  Map.groupBy(answers, ({ series, day }) => `${series} ${day}`)

const isRepeated = (rule: Rule) => rule.repeats === 'each_time' && rule.share_of === 'namings'

/** Every group of answers has the same weight. */
function byGroup(rule: Rule, groups: ReadonlyMap<string, readonly StoredAnswer[]>): RuledValue {
  const all = [...groups.values()].flat()
  const cells = [...groups]
    .map(([key, own]) => ({ key, series: own[0]?.series ?? '', ...sumOf(rule, own) }))
    .filter(({ n }) => n > 0)
  const k = cells.reduce((sum, cell) => sum + cell.k, 0)
  const n = cells.reduce((sum, cell) => sum + cell.n, 0)
  if (rule.counts !== 'places' && rule.share_of === 'answers') {
    const rounds = [...roundsOf(all).values()].map((own) => ({
      series: own[0]?.series ?? '',
      day: own[0]?.day ?? '',
      ...sumOf(rule, own),
    }))
    const { rate, ci95, interval_basis } = estimate(cells, dayShiftOf(cells, rounds))
    return { k, n, value: rate, ci95, interval_basis }
  }
  const mean = cells.reduce((sum, cell) => sum + cell.k / cell.n, 0) / cells.length
  return { k, n, value: cells.length === 0 ? null : round(mean), ci95: null, interval_basis: 'none' }
}

/** A prompt counts as soon as one of its answers does. More rounds can only raise this value, so it has no interval. */
function byPrompt(rule: Rule, answers: readonly StoredAnswer[]): RuledValue {
  let k = 0
  let n = 0
  for (const own of Map.groupBy(answers, ({ prompt }) => prompt).values()) {
    const isHit = own.some((answer) => scoreOf(rule, answer).k > 0)
    if (isHit) k++
    if (rule.share_of === 'answers') n++
    else n += (isHit ? 1 : 0) + new Set(own.flatMap(({ rivals }) => rivals)).size
  }
  return { k, n, value: n === 0 ? null : round(k / n), ci95: null, interval_basis: 'none' }
}

function sumOf(rule: Rule, answers: readonly StoredAnswer[]) {
  let k = 0
  let n = 0
  for (const answer of answers) {
    const score = scoreOf(rule, answer)
    k += score.k
    n += score.n
  }
  return { k, n }
}

const round = (value: number) => Math.round(value * 1e6) / 1e6
