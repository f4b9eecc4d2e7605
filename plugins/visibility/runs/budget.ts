import { dayStart, isServiceFault, type OwnerContext, type Row, where } from 'renown'
import { VisibilityRun } from '../records/VisibilityRun'
import type { VisibilityTracker } from '../records/VisibilityTracker'
import { visibilitySettings } from '../settings'

type Tracker = Row<typeof VisibilityTracker>

/** The budget that a tracker has left. */
export interface Budget {
  /** Searches of this workspace today, as far as this pass knows. */
  readonly used: number
  readonly limit: number
  /** Reserves the searches of one question. Returns why that is not possible, or null. */
  take(): Promise<string | null>
  /** Ends a reservation of `take` with the cost of the answer, or 0 without an answer. */
  settle(usd: number): void
}

/** Opens the budget of a tracker for one pass. */
export async function openBudget(
  ctx: OwnerContext,
  tracker: Tracker,
  { timezone, day }: { readonly timezone: string; readonly day: string },
): Promise<Budget> {
  const settings = visibilitySettings.of(ctx)
  const perAnswer = settings.VISIBILITY_SEARCHES_PER_ANSWER
  const perDay = settings.VISIBILITY_SEARCHES_PER_DAY
  const { search_calls_per_day: ownPerDay, usd_per_month: usdMax } = tracker.budget ?? {}
  const spent =
    usdMax === undefined
      ? { usd: 0, answers: 0 }
      : await spentSince(ctx, tracker, `${day.slice(0, 7)}-01`, timezone)
  let used = 0
  let pending = 0
  return {
    get used() {
      return used
    },
    limit: Math.min(perDay, ownPerDay ?? perDay),
    async take() {
      // The price is known only after the answer. Until then, each running question counts as the mean price
      // of this month.
      const mean = spent.answers === 0 ? 0 : spent.usd / spent.answers
      if (usdMax !== undefined && spent.usd + (pending + 1) * mean > usdMax)
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

async function spentSince(ctx: OwnerContext, { id }: Tracker, first: string, timezone: string) {
  const [sum] = await ctx.rows(VisibilityRun).group({
    where: where.and(
      where.eq('tracker_id', id),
      where.gte('started_at', dayStart(timezone, first)),
      where.ne('cost', null),
    ),
    by: ['tracker_id'],
    measures: [
      { as: 'usd', fn: 'sum', field: 'cost' },
      { as: 'answers', fn: 'count' },
    ],
  })
  return { usd: Number(sum?.usd ?? 0), answers: Number(sum?.answers ?? 0) }
}
