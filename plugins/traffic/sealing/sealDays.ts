import { type JobDeclaration, type OwnerContext, type Row, where } from 'renown'
import { type JudgeDay, readJudge } from '../access/judge-days'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { countedFields, type DayFacts } from '../records/dailyRow'
import { dailyTable } from '../records/dailyTable'
import { sealedColumns } from '../records/sealedColumns'
import { markSwept, type PendingDay, pendingDays } from './pendingDays'
import { dayKey, readDays } from './readDays'
import { sealRounds } from './sealRounds'
import { stampSites } from './stampSites'

/** Number of days whose sizes are requested at once. */
const countedDays = 500

/**
 * Seals the days that hits touched: computes their rows again from the summed hits and replaces them.
 * Idempotent except for the revision, so a run can be interrupted or overlap another.
 */
export const sealDays: JobDeclaration = {
  summary:
    'Computes the daily rows of days with new hits, and updates the time of the last hit of their sites',
  everyMs: 1_000,
  includesInactive: true,
  async run(ctx, signal) {
    const { days, isFull, sweptMs } = await pendingDays(ctx.columns)
    let sealed = 0
    for (let at = 0; at < days.length; at += countedDays) {
      if (signal.aborted) return
      for (const round of await sealRounds(ctx.columns, days.slice(at, at + countedDays))) {
        if (signal.aborted) return
        sealed += await sealRound(ctx, round)
      }
    }
    // If a sweep found more days than one run can seal, the next run continues it, unless this run sealed
    // none.
    if (sweptMs !== null && !(isFull && sealed > 0)) await markSwept(ctx.columns, sweptMs)
  },
}

/** Seals days, and returns how many. */
async function sealRound(ctx: OwnerContext, round: readonly PendingDay[]): Promise<number> {
  const ids = [...new Set(round.map(({ site_id }) => site_id))]
  const sites = await ctx.rows(AiTrafficSite).list({ where: where.in('id', ids), limit: ids.length })
  const byId = new Map(sites.map((site) => [site.id, site]))
  // Hits of a deleted site get no row.
  const days = round.filter(({ site_id }) => byId.has(site_id))
  if (days.length === 0) return 0
  const [facts, judge] = await Promise.all([
    readDays(ctx.columns, days),
    readJudge(
      ctx,
      sites.map(({ id }) => id),
    ),
  ])
  const rows = days.flatMap((day) => {
    const site = byId.get(day.site_id)
    const counted = facts.get(dayKey(day))
    if (!site || !counted) return []
    return [sealedRow(day, site, judgedFacts(judge, site, day, counted), ctx.now().toISOString())]
  })
  const columns = Object.keys(dailyTable.columns) as (keyof (typeof rows)[number])[]
  await ctx.columns.insert(
    dailyTable.name,
    columns,
    rows.map((row) => columns.map((column) => row[column])),
  )
  await stampSites(ctx, sites, days)
  return rows.length
}

function judgedFacts(
  judge: JudgeDay,
  site: Row<typeof AiTrafficSite>,
  { date }: PendingDay,
  facts: DayFacts,
): DayFacts {
  const robots = judge(site, date, facts.agentPaths ?? [])
  return robots === null ? facts : { ...facts, robots }
}

/** Returns a row of the table. Its revision grows even if the clock was set back. */
function sealedRow(day: PendingDay, site: Row<typeof AiTrafficSite>, facts: DayFacts, now: string) {
  return {
    ...sealedColumns(countedFields(facts)),
    id: dayKey(day),
    workspace_id: site.workspace_id,
    location_id: site.location_id,
    site_id: site.id,
    date: day.date,
    timezone: site.timezone,
    rev: Math.max(day.asked_ms, day.last_rev + 1),
    sealed_at: new Date(day.asked_ms).toISOString(),
    created_date: day.first_created || now,
    updated_date: now,
  } satisfies Record<keyof typeof dailyTable.columns, unknown>
}
