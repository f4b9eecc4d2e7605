import { frozenCount as count, type Figure, frozenRate } from 'renown/reports'
import * as v from 'valibot'
import type { summarizeVisibility } from '../operations/getVisibilitySummary'
import { type EmptyWords, emptyWords } from '../pages/empty-words'

type Summary = Awaited<ReturnType<typeof summarizeVisibility>>
/** A mention rate with its change, as the summary returns it. */
type Measured = Pick<Summary['totals'], 'mention_rate_v2' | 'change'>

/** The schema of a mention rate with its change since the previous period. */
export const frozenMeasure = v.object({
  rate: frozenRate,
  /** The size of a simple random sample with the same precision. */
  effective_n: count,
  /** The rates over the cells that both periods have. Null if there are none. */
  common: v.nullable(v.object({ now: frozenRate, before: frozenRate })),
  /** Whether those cells are all cells of both periods. */
  is_same: v.boolean(),
  /** Why the periods cannot be compared. Null if they can. */
  not_comparable_because: v.nullable(v.string()),
  difference_ci95: v.nullable(v.array(v.number())),
  change_significant: v.nullable(v.boolean()),
})
/** A mention rate with its change since the previous period. */
export type FrozenMeasure = v.InferOutput<typeof frozenMeasure>

/** Returns a mention rate with its change, and why the whole rates of both periods cannot be compared. */
export function measureOf({ mention_rate_v2: all, change }: Measured, modelChanged: boolean): FrozenMeasure {
  const { definition, k, n, rate, ci95 } = all
  const isSame = change.difference !== null && change.common === all.cells && change.left === 0
  return {
    rate: { definition, k, n, rate, ci95 },
    effective_n: all.effective_n,
    is_same: isSame,
    common: change.difference === null ? null : { now: change.now, before: change.before },
    not_comparable_because: isSame || rate === null ? null : reasonOf(change, modelChanged),
    difference_ci95: change.ci95,
    change_significant: change.change_significant,
  }
}

function reasonOf({ common, came, left }: Measured['change'], modelChanged: boolean): string {
  if (modelChanged) return 'the model of an assistant changed'
  if (common === 0 && left === 0) return 'nothing was asked in the previous period'
  return common === 0
    ? 'the two periods have no question in common'
    : `the questions changed: ${came} came and ${left} left`
}

/** Returns the figure of a mention rate. `n` is the number of answers that were counted. */
export function measureFigure(
  given: Pick<Figure, 'id' | 'label'>,
  { rate, common, is_same, not_comparable_because: why, change_significant: isClear }: FrozenMeasure,
  empty_because: string | null,
): Figure {
  return {
    ...given,
    value: rate.rate,
    unit: 'share',
    better: 'higher',
    n: rate.n,
    definition: rate.definition,
    evidence,
    ...(rate.rate === null ? { unknown_because: whyEmpty(empty_because) } : {}),
    ...(rate.ci95 ? { interval: { low: rate.ci95[0] ?? 0, high: rate.ci95[1] ?? 1 } } : {}),
    ...(is_same && common ? { previous: common.before.rate } : {}),
    ...(is_same && isClear !== null ? { is_significant: isClear } : {}),
    ...(why === null ? {} : { not_comparable_because: why }),
  }
}

/** Where the figures are shown. */
export const evidence = '/app/visibility'

/** Returns why there are no figures, without a full stop. */
export function whyEmpty(reason: string | null): string {
  const words: EmptyWords | undefined = emptyWords[reason as keyof typeof emptyWords]
  const text = words?.why ?? 'There are no answers to questions that do not name the business.'
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`.replace(/\.$/, '')
}
