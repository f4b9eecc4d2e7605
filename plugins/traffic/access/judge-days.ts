import { type OwnerContext, type Row, where } from 'renown'
import { parseRobots, type Robots } from 'renown/sources'
import type { AiTrafficSite } from '../records/AiTrafficSite'
import type { AgentPath } from '../records/dailyRow'
import { type Copy, RobotsCopy } from '../records/RobotsCopy'
import { copiesMax } from './checkSite'
import { copiesOn, type JudgedPaths, judgePaths } from './judge-paths'

/** Judges the paths of one day of a site. Returns null if no copy of its robots.txt holds for the day. */
export type JudgeDay = (
  site: Pick<Row<typeof AiTrafficSite>, 'id' | 'timezone'>,
  date: string,
  paths: readonly AgentPath[],
) => JudgedPaths | null

/** Reads the copies of the robots.txt of these sites, and returns how to judge their days. */
export async function readJudge(ctx: OwnerContext, siteIds: readonly string[]): Promise<JudgeDay> {
  const copies = await ctx.rows(RobotsCopy).list({
    where: where.in('site_id', siteIds),
    limit: siteIds.length * (copiesMax + 1),
  })
  const bySite = Map.groupBy<string, Copy>(copies, ({ site_id }) => site_id)
  // The days of a site mostly have the same file.
  const parsed = new Map<string, Robots>()
  const robotsOf = (rules: string) => {
    const known = parsed.get(rules) ?? parseRobots(rules)
    parsed.set(rules, known)
    return known
  }
  return ({ id, timezone }, date, paths) => {
    const held = copiesOn(bySite.get(id) ?? [], date, timezone)
    return held === null ? null : judgePaths(paths, held, robotsOf)
  }
}
