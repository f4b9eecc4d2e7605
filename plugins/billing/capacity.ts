import { Refusal, type Row, type SystemReads, where } from 'renown'
import { Agency, BusinessLocation, Workspace } from 'renown/records'
import { formatCount } from 'renown/web'

const workspacesMax = 100_000

/** How many locations an agency pays for and how many it uses. */
export interface Capacity {
  readonly agency: Pick<Row<typeof Agency>, 'id' | 'trials'> & Partial<Row<typeof Agency>>
  /** Null if the agency's locations are not counted. */
  readonly paid: number | null
  /** Active clients: neither prospect, demo, exempt nor on trial. */
  readonly used: number
  readonly trialing: number
  readonly exempt: number
}

export const hasRoom = ({ paid, used }: Capacity): boolean => paid === null || used < paid

/** Returns how many locations an agency uses beyond what it pays for. */
export const overBy = ({ paid, used }: Capacity): number => (paid === null ? 0 : Math.max(0, used - paid))

/** Counts the paid and active locations across the agency's workspaces. `without` leaves one location out. */
export async function capacityOf(ctx: SystemReads, agencyId: string, without?: string): Promise<Capacity> {
  const agency: Capacity['agency'] = (await ctx.rows(Agency).get(agencyId)) ?? { id: agencyId }
  const ids = await workspaceIdsOf(ctx, agencyId)
  const others = without === undefined ? [] : [where.ne('id', without)]
  const count = (...more: Parameters<typeof where.and>) =>
    ctx.rows(BusinessLocation).count(
      where.and(
        where.in('workspace_id', ids),
        where.eq('is_active', true),
        where.eq('is_prospect', false),
        // Demo locations do not count.
        where.ne('is_demo', true),
        ...others,
        ...more,
      ),
    )
  const paying = where.ne('billing_exempt', true)
  const [used, trialing, exempt] = await Promise.all([
    count(paying, where.ne('trial_state', 'trialing')),
    count(paying, where.eq('trial_state', 'trialing')),
    count(where.eq('billing_exempt', true)),
  ])
  return { agency, paid: agency.paid_capacity ?? null, used, trialing, exempt }
}

/** The workspaces of an agency. */
export async function workspaceIdsOf(ctx: SystemReads, agencyId: string): Promise<string[]> {
  const own = where.eq('agency_id', agencyId)
  return (await ctx.rows(Workspace).list({ where: own, limit: workspacesMax })).map(({ id }) => id)
}

/** Returns the Refusal for one more location, with the numbers and what to do. */
export function overCapacity({ agency, paid, used }: Capacity, name: string, mayTrial = true): Refusal {
  const ways = [
    `pay for more (\`agency capacity set ${agency.id} --paid ${used + 1}\`)`,
    'deactivate another location (`location deactivate <location_id>`)',
    ...(mayTrial ? ['start its trial (--trial)'] : []),
  ]
  return new Refusal(
    'over_capacity',
    `The agency pays for ${countOf(paid ?? 0)} and uses ${used}, so ${name} cannot be added.`,
    {
      hint: `You can ${ways.join(', or ')}.`,
      extra: { paid_capacity: paid ?? 0, used },
    },
  )
}

/** `1 location`, `10 locations`. */
export const countOf = (count: number): string => formatCount(count, 'location')
