import type { OwnerContext } from 'renown'
import { productState } from 'renown/pages'
import type { MentionSource } from '../sources/source'
import { newBudget, type ReadingBudget } from './intervals'
import { budgetKey } from './targets'

const state = productState(() => new Map<string, ReadingBudget>())

/** Uses one reading of the budget of a source, or of the host of a feed. Returns 0, or how long to wait for it in milliseconds. */
export function budgetWait(ctx: OwnerContext, source: MentionSource, target: string): number {
  const perHour = source.perHour?.(ctx)
  if (perHour === undefined) return 0
  const budgets = state(ctx)
  const key = budgetKey(source, target)
  const budget = budgets.get(key) ?? newBudget()
  budgets.set(key, budget)
  return budget.use(perHour, ctx.now().getTime())
}
