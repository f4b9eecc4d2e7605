import { field } from 'renown'
import * as v from 'valibot'
import type { Cell } from '../measure/cells'
import { compare } from '../measure/compare'
import { type Estimate, estimate, intervalBases } from '../measure/estimate'
import type { TrackedCell } from './cells'
import { seriesOf } from './model-changes'

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
      'stratified: from the spread inside cells. pooled: too few cells have two answers, so all answers count as one sample',
    ),
    cells: count('Prompts × engines × countries with an answer'),
    effective_n: count('Size of a simple random sample with the same precision'),
    rounds: count('Number of answers in the cell with most answers'),
  }),
  v.description(
    'Mean of the mention rates of all cells, each with the same weight. A cell is one prompt, engine and country. Prompts that name the brand, and incidents, are left out',
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

/** Returns the cells that can be compared with another period: those whose model is the same in both. */
export const comparableCells = (
  cells: readonly TrackedCell[],
  changed: ReadonlySet<string>,
): readonly TrackedCell[] => cells.filter((cell) => !changed.has(seriesOf(cell)))

/**
 * Returns the mention rate over cells, and its change over the cells that can be compared. `changed` has the series
 * with a new model. Whatever shows this rate gets it from here.
 */
export function cellMetricsOf(
  cells: readonly TrackedCell[],
  cellsBefore: readonly TrackedCell[],
  changed: ReadonlySet<string>,
) {
  const compared = compare(comparableCells(cells, changed), comparableCells(cellsBefore, changed))
  return {
    mention_rate_v2: cellRateOf(cells),
    change: {
      definition,
      now: sideOf(compared.now),
      before: sideOf(compared.before),
      difference: compared.difference,
      ci95: compared.ci95 && [...compared.ci95],
      change_significant: compared.change_significant,
      common: compared.common,
      came: compared.came,
      left: compared.left,
    },
  }
}

/** Returns the mention rate over cells. */
export function cellRateOf(cells: readonly Cell[]) {
  const { interval_basis, cells: size, effective_n, rounds, ...rest } = estimate(cells)
  return { ...sideOf(rest), interval_basis, cells: size, effective_n, rounds }
}

const sideOf = ({ k, n, rate, ci95 }: Pick<Estimate, 'k' | 'n' | 'rate' | 'ci95'>) => ({
  definition,
  k,
  n,
  rate,
  ci95: ci95 && [...ci95],
})
