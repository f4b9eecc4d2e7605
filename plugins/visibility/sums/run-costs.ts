import type { GroupRow, ReadContext, Where } from 'renown'
import { VisibilityRun } from '../records/VisibilityRun'

/** How the runs of one engine ended, and what they cost. */
export interface EngineCosts {
  /** All runs. */
  readonly runs: number
  readonly answered: number
  /** Runs that failed. */
  readonly failed: number
  readonly usd: number
  /** Runs whose cost is not known. They count as 0 in `usd`. */
  readonly unpriced: number
  readonly searches: number
}

const nothing: EngineCosts = { runs: 0, answered: 0, failed: 0, usd: 0, unpriced: 0, searches: 0 }

/** Returns what the matching runs of any status cost, by engine. One read. */
export async function costsByEngine(ctx: ReadContext, matching: Where): Promise<Map<string, EngineCosts>> {
  const groups = await ctx.rows(VisibilityRun).group({
    where: matching,
    by: ['engine', 'status', 'cost_basis'],
    measures: [
      { as: 'n', fn: 'count' },
      { as: 'usd', fn: 'sum', field: 'cost' },
      { as: 'searches', fn: 'sum', field: 'search_calls' },
    ],
  })
  const engines = new Map<string, EngineCosts>()
  for (const row of groups) {
    const engine = String(row.engine)
    engines.set(engine, addCosts(engines.get(engine) ?? nothing, costsOf(row)))
  }
  return engines
}

function costsOf({ status, cost_basis, n, usd, searches }: GroupRow): EngineCosts {
  const runs = Number(n)
  const isPriced = cost_basis === 'reported' || cost_basis === 'computed'
  return {
    runs,
    answered: status === 'ok' ? runs : 0,
    failed: status === 'error' ? runs : 0,
    usd: Number(usd ?? 0),
    unpriced: isPriced || status !== 'ok' ? 0 : runs,
    searches: Number(searches ?? 0),
  }
}

/** The sum of costs. */
export const addCosts = (a: EngineCosts, b: EngineCosts = nothing): EngineCosts => ({
  runs: a.runs + b.runs,
  answered: a.answered + b.answered,
  failed: a.failed + b.failed,
  usd: a.usd + b.usd,
  unpriced: a.unpriced + b.unpriced,
  searches: a.searches + b.searches,
})

/** The costs of all engines together. */
export const allCosts = (engines: ReadonlyMap<string, EngineCosts>): EngineCosts =>
  [...engines.values()].reduce(addCosts, nothing)
