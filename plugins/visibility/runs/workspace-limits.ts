import { dayIn, instantsOf, shiftDay, where } from 'renown'
import type { LimitSource, UsedLimit } from 'renown/pages'
import { VisibilityTracker } from '../records/VisibilityTracker'
import { visibilitySettings } from '../settings'
import { monthlyCost, mostSpent } from './monthly-cost'

const trackersMax = 50

/** Searches of AI assistants, and the budgets of trackers. */
export const visibilityLimits: LimitSource = {
  name: 'visibility',
  order: 10,
  async read(ctx, { workspace, today: window, spentToday }) {
    const trackers = await ctx.rows(VisibilityTracker).list({
      where: where.and(where.eq('workspace_id', workspace.id), where.eq('is_active', true)),
      limit: trackersMax,
    })
    if (trackers.length === 0) return []
    const perDay = visibilitySettings.of(ctx).VISIBILITY_SEARCHES_PER_DAY
    const unit = 'searches of AI assistants'
    const atLimit = 'No further question is asked until the limit starts again. Renown then continues.'
    const all: UsedLimit = {
      name: 'ai_searches_per_day',
      per: 'workspace',
      unit,
      atLimit,
      window,
      limit: perDay,
      used: await spentToday('visibility', workspace.id),
    }
    const own = await Promise.all(
      trackers.map(async (tracker): Promise<UsedLimit[]> => {
        const { id, name: subject, budget = {} } = tracker
        const { search_calls_per_day: searches, usd_per_month: usd } = budget
        const day = dayIn(workspace.timezone, ctx.now())
        const month = monthOf(day, workspace.timezone)
        const line = { subject, per: 'tracker' as const, atLimit }
        return [
          ...(searches === undefined
            ? []
            : [
                {
                  ...line,
                  name: 'tracker_searches_per_day',
                  unit,
                  limit: searches,
                  window,
                  used: await spentToday('visibility-tracker', id),
                },
              ]),
          ...(usd === undefined
            ? []
            : [
                {
                  ...line,
                  name: 'tracker_budget_per_month',
                  unit: 'US dollars',
                  limit: usd,
                  window: month,
                  used: mostSpent(await monthlyCost(ctx, tracker, day)),
                },
              ]),
        ]
      }),
    )
    return [all, ...own.flat()]
  },
}

function monthOf(day: string, timezone: string): NonNullable<UsedLimit['window']> {
  const date_from = `${day.slice(0, 7)}-01`
  const date_to = shiftDay(`${shiftDay(date_from, 32).slice(0, 7)}-01`, -1)
  const { from, before } = instantsOf({ date_from, date_to }, timezone)
  return { from, until: before }
}
