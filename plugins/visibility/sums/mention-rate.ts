import { field } from 'renown'
import {
  type Basket,
  type Comparison,
  compare,
  type Estimate,
  estimate,
  intervalBases,
} from 'renown/statistics'
import * as v from 'valibot'
import { seriesOf } from './model-changes'
import { type Answers, basketOf, pickAnswers } from './rounds'

const definition = 'visibility.mention_rate@2' as const
const count = (description: string) => field.integer(description, { min: 0 })
const rate = v.nullable(
  field.number('Mean of the rates of all cells. Null without answers', { min: 0, max: 1 }),
)
const interval = v.nullable(
  v.pipe(v.array(v.number()), v.length(2), v.description('95 % interval, low and high')),
)
const counts = {
  definition: v.pipe(v.literal(definition), v.description('How the rate is counted, with a version')),
  k: count('Answers that name the brand'),
  n: count('Answers'),
  rate,
  ci95: interval,
}

/** The output field of the mention rate over cells. */
export const cellRate = v.pipe(
  v.object({
    ...counts,
    interval_basis: field.oneOf(
      intervalBases,
      'stratified: from the spread inside cells and between days. pooled: there are fewer than three rounds, or too few cells have two answers, so all answers count as one sample',
    ),
    cells: count('Prompts × engines × countries with an answer'),
    effective_n: count('Size of a simple random sample with the same precision'),
    rounds: count('Number of answers in the cell with most answers'),
  }),
  v.description(
    'Of the answers that came and could be judged: the mean of the mention rates of all cells, each with the same weight. A cell is one prompt, engine and country. Prompts that name the brand, and incidents, are left out. The interval holds that answers of one day move together. It does not hold errors of the judge, nor that answers without the brand are missing more often',
  ),
)

const side = v.pipe(v.object(counts), v.description('The rate over the cells that both periods have'))

const change = v.pipe(
  v.object({
    definition: v.pipe(v.literal(definition), v.description('Definition of both rates')),
    now: side,
    before: side,
    difference: v.nullable(
      field.number('now less before. Null if either has no answers', { min: -1, max: 1 }),
    ),
    ci95: v.nullable(
      v.pipe(v.array(v.number()), v.length(2), v.description('95 % interval of the difference')),
    ),
    change_significant: v.nullable(
      field.flag(
        'Whether 0 is outside the interval of the difference. Null if the periods cannot be compared',
      ),
    ),
    common: count('Cells with answers in both periods'),
    came: count('Cells with answers only in this period'),
    left: count('Cells with answers only in the previous period'),
  }),
  v.description('Change of mention_rate_v2 since the previous period, over the cells that both periods have'),
)

/** The output fields of the mention rate over cells and its change. */
export const cellMetrics = { mention_rate_v2: cellRate, change }

/** Returns the answers that can be compared with another period: those whose model is the same in both. */
export const comparableAnswers = (answers: Answers, changed: ReadonlySet<string>): Answers =>
  changed.size === 0 ? answers : pickAnswers(answers, (asked) => !changed.has(seriesOf(asked)))

/**
 * Returns the mention rate over cells, and its change over the cells that can be compared. `changed` has the series
 * with a new model. Whatever shows this rate gets it from here.
 */
export function cellMetricsOf(now: Answers, before: Answers, changed: ReadonlySet<string>) {
  const basket = (answers: Answers): Basket => basketOf(comparableAnswers(answers, changed))
  return {
    mention_rate_v2: cellRateOf(basketOf(now)),
    change: changeFieldOf(compare(basket(now), basket(before))),
  }
}

/** Returns a comparison as the output field. */
export const changeFieldOf = (compared: Comparison) => ({
  definition,
  now: sideOf(compared.now),
  before: sideOf(compared.before),
  difference: compared.difference,
  ci95: compared.ci95 && [...compared.ci95],
  change_significant: compared.change_significant,
  common: compared.common,
  came: compared.came,
  left: compared.left,
})

/** Returns the mention rate over cells. */
export function cellRateOf({ cells: basket, shift }: Basket) {
  const { interval_basis, cells, effective_n, rounds, ...rest } = estimate(basket, shift)
  return { ...sideOf(rest), interval_basis, cells, effective_n, rounds }
}

const sideOf = ({ k, n, rate, ci95 }: Pick<Estimate, 'k' | 'n' | 'rate' | 'ci95'>) => ({
  definition,
  k,
  n,
  rate,
  ci95: ci95 && [...ci95],
})
