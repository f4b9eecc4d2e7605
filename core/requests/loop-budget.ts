import { Refusal } from '../contracts/errors'
import type { Settings } from '../contracts/settings'
import type { LoopTime } from '../work/scope'

/** The processor time that each sender of requests may use on the event loop. */
export interface LoopBudget {
  /** Names who pays for a request. Throws a Refusal if its budget is used up. Call it before the body is read. */
  enter(time: LoopTime, payer: string): void
  /** Charges a request that was answered. */
  settle(time: LoopTime | undefined, status: number): void
}

/**
 * What a request that is answered may take for nothing, in milliseconds. Ordinary requests take less, and other limits count
 * them, so that their sender never pays here.
 */
const freeMs = 1
/** A refused request costs so much at least. */
const refusedMs = 0.1
/** Above this number of senders, full budgets are forgotten, because a new one is full too. */
const sendersMax = 10_000

/** Creates the budgets. Each fills at a rate up to a maximum, and may be overdrawn, because the cost is known only afterwards. */
export function createLoopBudget(
  settings: Pick<Settings, 'REQUEST_CPU_MS_PER_SECOND' | 'REQUEST_CPU_BURST_MS'>,
  /** A monotonic clock in milliseconds. */
  now: () => number,
): LoopBudget {
  const { REQUEST_CPU_MS_PER_SECOND: perSecond, REQUEST_CPU_BURST_MS: burst } = settings
  const used = new Map<string, { ms: number; at: number }>()

  let sweptAt = Number.NEGATIVE_INFINITY

  function filled(payer: string, at: number) {
    const budget = used.get(payer)
    if (!budget) return undefined
    budget.ms = Math.max(0, budget.ms - ((at - budget.at) / 1_000) * perSecond)
    budget.at = at
    return budget
  }

  function sweep(at: number) {
    sweptAt = at
    for (const known of used.keys()) if (filled(known, at)?.ms === 0) used.delete(known)
  }

  function charge(payer: string, ms: number) {
    const at = now()
    const budget = filled(payer, at)
    if (budget) budget.ms += ms
    else {
      if (used.size >= sendersMax && at >= sweptAt + 1_000) sweep(at)
      used.set(payer, { ms, at })
    }
  }

  return {
    enter(time, payer) {
      if (perSecond === 0 || time.payer !== undefined) return
      time.payer = payer
      const over = (filled(payer, now())?.ms ?? 0) - burst
      if (over >= 0) throw usedUp(Math.max(1, Math.ceil(over / perSecond)))
    },
    settle(time, status) {
      const payer = time?.payer
      if (!time || payer === undefined) return
      // An answer of 500 or more is our fault, so it costs its sender no more than an ordinary request.
      const isRefused = status >= 400 && status < 500
      const ms = isRefused ? Math.max(refusedMs, time.ms) : time.ms - freeMs
      if (ms > 0) charge(payer, ms)
      time.ms = 0
      time.pay = (late) => charge(payer, late)
    },
  }
}

const usedUp = (retryAfterSeconds: number) =>
  new Refusal('quota_exceeded', 'Earlier requests of this sender took too much processor time.', {
    retryAfterSeconds,
    hint: 'Send smaller bodies and narrower filters, and correct what earlier answers refused.',
    extra: { 'violated-policies': ['processor-time'] },
  })
