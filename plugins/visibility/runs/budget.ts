import { isServiceFault, minuteMs, type OwnerContext, type Row } from 'renown'
import { costLimitOf } from '../engines/ask-engine'
import { type CostLimit, engineId, type VisibilityEngine } from '../engines/engine'
import type { VisibilitySlot } from '../records/VisibilitySlot'
import type { VisibilityTracker } from '../records/VisibilityTracker'
import { visibilitySettings } from '../settings'
import { dearestAnswer, monthlyCost, mostSpent } from './monthly-cost'

type Tracker = Row<typeof VisibilityTracker>
type Slot = Row<typeof VisibilitySlot>

/** Stores the claim of a question with the most that it can cost. Null if it was claimed before. */
export type Claim = (reserved_usd: number | null) => Promise<Slot | null>

/** Whether a question may be asked. `later`: others are being asked, and their cost decides. */
export type Reservation =
  | {
      readonly kind: 'reserved'
      readonly slot: Slot
      settle(searches: number | null): Promise<void>
      /** Ends the reservation in this pass when asking failed. The store keeps it, because the engine may have answered. */
      abandon(): void
    }
  | { readonly kind: 'taken' }
  | { readonly kind: 'over'; readonly why: string; release(): Promise<void> }
  | { readonly kind: 'later'; readonly why: string; readonly waitMs: number }

/** The budget that a tracker has left. */
export interface Budget {
  /** Searches of this workspace today, as far as this pass knows. */
  readonly used: number
  readonly limit: number
  /** Searches that are reserved for one question. */
  readonly perAnswer: number
  /** The cost of the closed days of the month, to be stored. */
  readonly closed: Tracker['spent']
  /** Why an engine cannot be asked within the budget, or null. */
  refusalOf(engine: VisibilityEngine): Promise<string | null>
  /**
   * Claims a question and reserves its searches and the most that it can cost. After the run is stored, `settle` takes the
   * searches that the engine made: null if it was certainly not asked.
   */
  reserve(
    engine: VisibilityEngine,
    claim: Claim,
    release: (slot: Slot) => Promise<unknown>,
  ): Promise<Reservation>
}

/** How many times its limit an answer may cost before one was seen. */
const untriedRate = 10

/** By then, a question of a process that ended has a run, and its cost counts there. */
const othersWaitMs = 15 * minuteMs

/** Opens the budget of a tracker for one pass. */
export async function openBudget(
  ctx: OwnerContext,
  tracker: Tracker,
  day: string,
  signal?: AbortSignal,
): Promise<Budget> {
  const settings = visibilitySettings.of(ctx)
  const perAnswer = settings.VISIBILITY_SEARCHES_PER_ANSWER
  const perDay = settings.VISIBILITY_SEARCHES_PER_DAY
  const { search_calls_per_day: ownPerDay, usd_per_month: usdMax } = tracker.budget ?? {}
  const first = usdMax === undefined ? null : await monthlyCost(ctx, tracker, day)
  const closed = first?.closed ?? tracker.spent
  const limit = Math.min(perDay, ownPerDay ?? perDay)
  const money = moneyOf(ctx, { ...tracker, spent: closed }, day, signal)
  let used = 0
  const allowances = [
    { provider: 'visibility-tracker', account: tracker.id, perDay: ownPerDay ?? perDay },
    { provider: 'visibility', account: tracker.workspace_id, perDay },
  ]
  return {
    get used() {
      return used
    },
    limit,
    perAnswer,
    closed,
    async refusalOf(engine) {
      if (usdMax === undefined) return null
      const { usd, because } = await costLimitOf(ctx, engine, { searchesMax: perAnswer })
      return usd === null ? `The budget cannot be kept. ${because}` : null
    },
    async reserve(engine, claim, release) {
      const costLimit = await costLimitOf(ctx, engine, { searchesMax: perAnswer })
      const claimed = await money.claim(engineId(engine), costLimit, claim)
      if (claimed.kind !== 'claimed') return claimed
      const { slot, settled } = claimed
      // An engine without a limit of its own may search more often. What it did not use is given back.
      const reserved = Math.min(Math.max(perAnswer, engine.searchesLimit ?? 0), Math.max(perAnswer, limit))
      const at = ctx.now()
      const refused = await spendAll(ctx, allowances, reserved, at)
      if (refused !== null) {
        return {
          kind: 'over',
          why: refused,
          async release() {
            await release(slot)
            settled()
          },
        }
      }
      used += perAnswer
      return {
        kind: 'reserved',
        slot,
        abandon: settled,
        async settle(searches) {
          settled()
          const real = searches === null ? 0 : Math.max(searches, perAnswer)
          used += real - perAnswer
          for (const { provider, account } of allowances)
            await ctx.outbound.correct({ provider, account, at, by: real - reserved })
        },
      }
    },
  }
}

type Claimed =
  | { readonly kind: 'claimed'; readonly slot: Slot; settled(): void }
  | Exclude<Reservation, { readonly kind: 'reserved' }>

/**
 * The budget of a month in dollars. Questions that are being asked count with the most that they can cost, so that a budget is
 * exceeded by one question at most. The store has these amounts: other processes see them, and kills do not lose them.
 */
function moneyOf(ctx: OwnerContext, tracker: Tracker, day: string, signal: AbortSignal | undefined) {
  const usdMax = tracker.budget?.usd_per_month
  let asking = 0
  let wake: (() => void)[] = []
  const claimed = async (claim: Claim, usd: number | null): Promise<Claimed> => {
    const slot = await claim(usd)
    if (!slot) return { kind: 'taken' }
    asking++
    let isAsking = true
    const settled = () => {
      if (!isAsking) return
      isAsking = false
      asking--
      for (const one of wake.splice(0)) one()
    }
    return { kind: 'claimed', slot, settled }
  }
  const tryClaim = async (engine: string, usdLimit: number, max: number, claim: Claim): Promise<Claimed> => {
    const month = await monthlyCost(ctx, tracker, day)
    // The price of the next question is known only after its answer. It is expected to cost as much as others.
    const mean = month.answers === 0 ? 0 : month.usd / month.answers
    const hasRoom = (most: number) => most < max && most + mean <= max
    // Where no answer has shown yet that the limit holds, the first ones are asked one after the other.
    const isUntried = month.answers === 0 && month.reserved * untriedRate >= max
    if (hasRoom(mostSpent(month)) && !isUntried) {
      // A service may bill more than its limit. What it once billed, it can bill again.
      return claimed(claim, Math.max(usdLimit, await dearestAnswer(ctx, tracker, engine, day)))
    }
    const why = `The budget of $${max} for this month is used up.`
    if (hasRoom(mostSpent({ ...month, reserved: 0 })))
      return { kind: 'later', why: waiting, waitMs: othersWaitMs }
    return { kind: 'over', why, release: async () => {} }
  }
  return {
    async claim(engine: string, { usd, because = '' }: CostLimit, claim: Claim): Promise<Claimed> {
      if (usdMax === undefined) return claimed(claim, usd)
      if (usd === null) return { kind: 'later', why: because, waitMs: othersWaitMs }
      for (;;) {
        signal?.throwIfAborted()
        const tried = await ctx.withLock(`visibility-budget ${tracker.id}`, () =>
          tryClaim(engine, usd, usdMax, claim),
        )
        if (tried.kind !== 'later' || asking === 0) return tried
        await new Promise<void>((resolve) => {
          wake = [...wake, resolve]
        })
      }
    },
  }
}

const waiting =
  'Questions of which no answer is stored may use up the budget of this month. It is asked again when they have a cost.'

/** Takes searches from each allowance. Returns why that is not possible, and then takes none. */
async function spendAll(
  ctx: OwnerContext,
  allowances: readonly { readonly provider: string; readonly account: string; readonly perDay: number }[],
  cost: number,
  at: Date,
): Promise<string | null> {
  for (const [place, allowance] of allowances.entries()) {
    try {
      await ctx.outbound.spend({ ...allowance, cost })
    } catch (error) {
      if (!isServiceFault(error) || error.kind !== 'quota') throw error
      for (const { provider, account } of allowances.slice(0, place))
        await ctx.outbound.correct({ provider, account, at, by: -cost })
      return 'The searches of this day are used up.'
    }
  }
  return null
}
