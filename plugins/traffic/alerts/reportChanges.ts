import {
  dayIn,
  daysBetween,
  hourMs,
  type JobDeclaration,
  type OwnerContext,
  type Row,
  shiftDay,
  where,
} from 'renown'
import { englishText, shownDomain } from 'renown/pages'
import { AiTrafficSite } from '../records/AiTrafficSite'
import { dailyTable } from '../records/dailyTable'
import { type ChangeEpisode, TrafficChange } from '../records/TrafficChange'
import { isSample } from '../sites/sample-site'
import { seriesDays } from '../sums/series-changes'
import { type AgentDay, type SiteChange, siteChanges } from '../sums/site-changes'
import { changeWords } from './change-words'

type Site = Row<typeof AiTrafficSite>

/** Sites that are read at once. */
const chunk = 20
/** A jump within this many days of the last one belongs to its episode. */
const quietDays = 7
/** Episodes are kept for this long. */
const keptDays = 400

/** Notifies people when a crawler stops or jumps, and when a site sends nothing. Once per episode. */
export const reportChanges: JobDeclaration = {
  summary: 'Notifies people when a crawler stops coming or comes far more often, and when a log stops',
  everyMs: 3 * hourMs,
  async run(ctx, signal) {
    const active = where.eq('is_active', true)
    for await (const sites of ctx.rows(AiTrafficSite).pages({ where: active, size: chunk })) {
      if (signal.aborted) return
      const real = sites.filter((site) => !isSample(site))
      if (real.length > 0) await reportSites(ctx, real)
    }
    const old = shiftDay(dayIn('UTC', ctx.now()), -keptDays)
    await ctx.rows(TrafficChange).removeWhere(where.lt('last_day', old))
  },
}

async function reportSites(ctx: OwnerContext, sites: readonly Site[]) {
  const counts = Map.groupBy(await readCounts(ctx, sites), ({ site_id }) => site_id)
  const known = await ctx.rows(TrafficChange).list({
    where: where.in(
      'site_id',
      sites.map(({ id }) => id),
    ),
    limit: sites.length * 100,
  })
  for (const site of sites) {
    const lastDay = shiftDay(dayIn(site.timezone, ctx.now()), -1)
    const found = siteChanges(counts.get(site.id) ?? [], lastDay)
    const own = known.filter(({ site_id }) => site_id === site.id)
    for (const change of found) await reportChange(ctx, site, change, lastDay, own)
    for (const open of own.filter((episode) => isOver(episode, found)))
      await ctx.rows(TrafficChange).update(open.id, { ended_on: lastDay })
  }
}

const isOver = ({ ended_on, kind, agent }: ChangeEpisode, found: readonly SiteChange[]) =>
  !ended_on && kind !== 'jumped' && !found.some((one) => one.kind === kind && one.agent === agent)

async function reportChange(
  ctx: OwnerContext,
  site: Site,
  { agent, kind, began, usual, hits }: SiteChange,
  last_day: string,
  own: readonly ChangeEpisode[],
) {
  const open = own.find(
    (episode) =>
      episode.agent === agent &&
      episode.kind === kind &&
      (kind === 'jumped' ? daysBetween(episode.last_day, last_day) <= quietDays : !episode.ended_on),
  )
  if (open) return void (await ctx.rows(TrafficChange).update(open.id, { last_day, hits }))
  const episode = { agent, kind, began, last_day, usual, hits }
  const { title, text } = changeWords(episode)
  const place = { workspace_id: site.workspace_id, location_id: site.location_id }
  // Notified before it is stored: after a crash in between, the name keeps it from being sent twice.
  await ctx.notify({
    ...place,
    type: `crawler_${kind}`,
    severity: kind === 'jumped' ? 'info' : 'warning',
    entity: 'AiTrafficSite',
    entity_id: site.id,
    title: `${shownDomain(site.domain)}: ${englishText(title)}`,
    body: englishText(text),
    once: `crawler_${kind} ${site.id} ${agent} ${began}`,
  })
  await ctx.rows(TrafficChange).insert({ ...place, site_id: site.id, ...episode })
}

async function readCounts(ctx: OwnerContext, sites: readonly Site[]) {
  const rows = await ctx.columns.query<AgentDay & { readonly site_id: string }>(
    `SELECT site_id, toString(date) AS date, entry.1 AS agent, greatest(entry.2.1 - entry.2.2, 0) AS hits
     FROM (
       SELECT site_id, date,
         arrayJoin(JSONExtractKeysAndValues(by_agent, 'Tuple(hits Float64, spoofed Float64)')) AS entry
       FROM ${dailyTable.name} FINAL
       WHERE workspace_id IN {workspaces:Array(String)} AND site_id IN {sites:Array(String)} AND date >= {from:Date}
     )`,
    {
      workspaces: [...new Set(sites.map(({ workspace_id }) => workspace_id))],
      sites: sites.map(({ id }) => id),
      from: shiftDay(dayIn('UTC', ctx.now()), -seriesDays),
    },
  )
  return rows.map((row) => ({ ...row, hits: Number(row.hits) }))
}
