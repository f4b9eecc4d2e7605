import { isServiceFault, type OwnerContext, type Row } from 'renown'
import type { VisibilityTracker } from '../records/VisibilityTracker'
import { visibilitySettings } from '../settings'
import { monthlyCost } from './monthly-cost'

type Tracker = Row<typeof VisibilityTracker>

/** The budget that a tracker has left. */
export interface Budget {
  /** Searches of this workspace today, as far as this pass knows. */
  readonly used: number
  readonly limit: number
  /** Searches that are reserved for one question. */
  readonly perAnswer: number
  /** The cost of the closed days of the month, to be stored. */
  readonly closed: Tracker['spent']
  /** Reserves the searches of one question. Returns why that is not possible, or null. */
  take(): Promise<string | null>
  /** Ends a reservation of `take` with the cost of the answer, or 0 without an answer. */
  settle(usd: number): void
}

/** Opens the budget of a tracker for one pass. */
export async function openBudget(ctx: OwnerContext, tracker: Tracker, day: string): Promise<Budget> {
  const settings = visibilitySettings.of(ctx)
  const perAnswer = settings.VISIBILITY_SEARCHES_PER_ANSWER
  const perDay = settings.VISIBILITY_SEARCHES_PER_DAY
  const { search_calls_per_day: ownPerDay, usd_per_month: usdMax } = tracker.budget ?? {}
  const month = usdMax === undefined ? null : await monthlyCost(ctx, tracker, day)
  const spent = { usd: month?.usd ?? 0, answers: month?.answers ?? 0 }
  // A lost question may have cost as much as any other.
  const lost = month?.lost ?? 0
  let used = 0
  let pending = 0
  return {
    get used() {
      return used
    },
    limit: Math.min(perDay, ownPerDay ?? perDay),
    perAnswer,
    closed: month?.closed ?? tracker.spent,
    async take() {
      // The price is known only after the answer. Until then, each running question counts as the mean price
      // of this month.
      const mean = spent.answers === 0 ? 0 : spent.usd / spent.answers
      if (usdMax !== undefined && spent.usd + (lost + pending + 1) * mean > usdMax)
        return `The budget of $${usdMax} for this month is used up.`
      pending++
      const own = { provider: 'visibility-tracker', account: tracker.id, perDay: ownPerDay ?? perDay }
      const all = { provider: 'visibility', account: tracker.workspace_id, perDay }
      const refused =
        (await spend(ctx, { ...own, cost: perAnswer })) ?? (await spend(ctx, { ...all, cost: perAnswer }))
      if (refused === null) used += perAnswer
      else pending--
      return refused
    },
    settle(usd) {
      pending--
      if (usd === 0) return
      spent.usd += usd
      spent.answers++
    },
  }
}

async function spend(ctx: OwnerContext, allowance: Parameters<OwnerContext['outbound']['spend']>[0]) {
  try {
    await ctx.outbound.spend(allowance)
    return null
  } catch (error) {
    if (isServiceFault(error) && error.kind === 'quota') return 'The searches of this day are used up.'
    throw error
  }
}
