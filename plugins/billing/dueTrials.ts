import { dayMs, type JobDeclaration, minuteMs, type OwnerContext, where } from 'renown'
import { Agency, BusinessLocation, Workspace } from 'renown/records'
import { type Capacity, capacityOf } from './capacity'
import { followTrial, leaveTrial, type TrialEnd } from './end'
import type { BillingLocation } from './location'
import { notifyEnding } from './trial-notices'

const endingMs = 3 * dayMs
const rowsMax = 100_000

/**
 * Ends expired trials, and notifies people three days before. Compare-and-set changes each trial only once.
 * The follow-up of a change is repeated for a day, in case a process ended in between.
 */
export const dueTrials: JobDeclaration = {
  summary: 'End trials that are over, and notify people of those that end soon',
  everyMs: 5 * minuteMs,
  async run(ctx, signal) {
    const now = ctx.now().getTime()
    const lately = new Date(now - dayMs).toISOString()
    const moved = (['trial_started_at', 'trial_converted_at', 'trial_ended_at'] as const).map((stamp) =>
      where.gte(stamp, lately),
    )
    const wanted = where.or(where.eq('trial_state', 'trialing'), ...moved)
    const faults: unknown[] = []
    const counts: Counts = new Map()
    for (const location of await ctx.rows(BusinessLocation).list({ where: wanted, limit: rowsMax })) {
      if (signal.aborted) return
      if (location.is_demo === true) continue
      // If one trial fails, the others still continue.
      await look(ctx, location, { now, lately, counts }).catch((error) => faults.push(error))
    }
    if (faults.length > 0) throw faults[0]
  },
}

/** Capacity of each agency, counted once for all trials that do not change it. */
type Counts = Map<string, Promise<Capacity>>

interface Round {
  readonly now: number
  readonly lately: string
  readonly counts: Counts
}

async function look(
  ctx: OwnerContext,
  location: BillingLocation,
  { now, lately, counts }: Round,
): Promise<void> {
  const workspace = await ctx.rows(Workspace).get(location.workspace_id)
  if (!workspace) return
  const { agency_id } = workspace
  const counted = () => {
    const known = counts.get(agency_id) ?? capacityOf(ctx, agency_id)
    counts.set(agency_id, known)
    return known
  }
  if (location.trial_state !== 'trialing') return followTrial(ctx, agency_id, location, await counted())
  const endsAt = Date.parse(location.trial_end ?? '')
  if (endsAt <= now) {
    counts.delete(agency_id)
    await leaveTrial(ctx, agency_id, location, await outcomeOf(ctx, agency_id, location))
    return
  }
  if ((location.trial_started_at ?? '') >= lately)
    await followTrial(ctx, agency_id, location, await counted())
  const isLong = endsAt - Date.parse(location.trial_started_at ?? '') > endingMs
  if (isLong && endsAt - now <= endingMs) await notifyEnding(ctx, location, await counted())
}

async function outcomeOf(ctx: OwnerContext, agencyId: string, location: BillingLocation): Promise<TrialEnd> {
  // A paused or free location is not charged, so its trial only ends.
  if (!location.is_active) return 'end'
  if (location.billing_exempt === true) return 'convert'
  return (await ctx.rows(Agency).get(agencyId))?.trials ?? 'convert'
}
