import type { ReadContext } from 'renown'
import type { RunSpan } from './run-span'
import { answersIn, type RunSum, sumRuns } from './sum-runs'

/** How the runs of one engine ended, and what they cost. */
export interface EngineCosts {
  /** All runs. */
  readonly runs: number
  /** Runs with an answer, judged or not, because each is paid for. */
  readonly answered: number
  /** Runs that failed. */
  readonly failed: number
  readonly usd: number
  /** Answers whose exact cost is not known. They count in `usd` with the most that they can have cost, if that is known. */
  readonly unpriced: number
  readonly searches: number
}

const nothing: EngineCosts = { runs: 0, answered: 0, failed: 0, usd: 0, unpriced: 0, searches: 0 }

/** Returns what the runs of a span cost, by engine. */
export const costsByEngine = async (ctx: ReadContext, span: RunSpan): Promise<Map<string, EngineCosts>> =>
  costsAmong(await sumRuns(ctx, span, { of: ['costs'], by: ['engine'] }))

/** Returns what summed runs cost, by engine. */
export function costsAmong(found: readonly RunSum[]): Map<string, EngineCosts> {
  const engines = new Map<string, EngineCosts>()
  for (const { engine, sums } of found) {
    const { runs, errors: failed, usd, unpriced, searches } = sums
    const answered = answersIn(sums)
    engines.set(engine, addCosts({ runs, answered, failed, usd, unpriced, searches }, engines.get(engine)))
  }
  return engines
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
