import { dayIn, type OwnerContext, type Row, shiftDay, where } from 'renown'
import { parseRobots } from 'renown/sources'
import { touchedTable } from 'renown/traffic'
import type { AiTrafficSite } from '../records/AiTrafficSite'
import { dailyTable } from '../records/dailyTable'
import { RobotsCopy } from '../records/RobotsCopy'
import { type Access, SiteAccess } from '../records/SiteAccess'
import { isTrial } from '../sites/site-address'
import { readLlms } from './llms'
import { readCoverage, readFetches } from './read-coverage'
import { readFile } from './read-file'
import { rulesOf, sitemapsOf } from './robots-rules'
import { readSitemaps } from './sitemap'

type Site = Row<typeof AiTrafficSite>

/** The name of Renown in robots.txt. */
const ownName = 'Renown'
/** Pages are compared over this many days. */
export const comparedDays = 28
/** Copies of one site. Older ones are deleted, so that days before them are no longer judged. */
export const copiesMax = 40
const robotsFetchMax = 2 * 1024 * 1024

/** Fetches a site's robots.txt, llms.txt and sitemap, and stores what they allow and what was never fetched. */
export async function checkSite(ctx: OwnerContext, site: Site): Promise<Partial<Access>> {
  if (isTrial(site.domain))
    return { robots: { state: 'unreadable', fault: 'This site is only for trials on one machine.' } }
  const { safeFetch } = ctx.outbound
  const found = await readRobots(ctx, site.domain)
  const at = ctx.now().toISOString()
  const before = await ctx.rows(SiteAccess).list({ where: where.eq('site_id', site.id), limit: 1 })
  if ('fault' in found) {
    const read_at = before[0]?.robots?.read_at ?? null
    return { robots: { state: 'unreadable', fault: found.fault, read_at } }
  }
  await keepCopy(ctx, site, found, at)
  await sealAgain(ctx, site)
  const own = parseRobots(found.rules)
  const mayFetch = (path: string) => own.verdict(ownName, path).allowed
  const period = periodOf(ctx, site)
  const llms = mayFetch('/llms.txt')
    ? await readLlms(safeFetch, `${found.origin}/llms.txt`)
    : ({ state: 'unreadable', fault: 'The robots.txt does not let Renown read it.' } as const)
  const fetches = await readFetches(ctx.columns, period, '/llms.txt')
  const hosts = hostsOf(site.domain)
  const named = sitemapsOf(found.rules, 5)
  const { paths, ...sitemap } = await readSitemaps(
    { safeFetch, hosts, mayFetch },
    named.length > 0 ? named : [`${found.origin}/sitemap.xml`],
  )
  const coverage = paths.length > 0 ? await readCoverage(ctx.columns, period, paths) : null
  return {
    robots: {
      state: found.isAbsent ? 'absent' : 'read',
      is_cut: found.isCut,
      read_at: at,
      host: new URL(found.origin).hostname,
    },
    llms: { ...llms, fetches },
    sitemap: { ...sitemap, coverage },
  }
}

interface FoundRobots {
  readonly rules: string
  readonly isAbsent: boolean
  readonly isCut: boolean
  /** The origin that answered. */
  readonly origin: string
}

async function readRobots(
  { outbound: { safeFetch } }: OwnerContext,
  domain: string,
): Promise<FoundRobots | { readonly fault: string }> {
  const wanted = { maxBytes: robotsFetchMax, accept: 'text/plain, */*' }
  const faults: string[] = []
  for (const scheme of ['https', 'http']) {
    const origin = `${scheme}://${domain}`
    const file = await readFile(safeFetch, `${origin}/robots.txt`, wanted)
    if (file.state === 'absent') return { rules: '', isAbsent: true, isCut: false, origin }
    if (file.state === 'read') {
      const read = rulesOf(file.answer.body)
      const last = new URL(file.answer.url)
      return 'fault' in read
        ? read
        : { ...read, isAbsent: false, origin: hostsOf(domain).has(last.hostname) ? last.origin : origin }
    }
    faults.push(file.fault)
  }
  return { fault: faults[0] ?? '' }
}

const hostsOf = (domain: string): ReadonlySet<string> => new Set([domain, `www.${domain}`])

/** Extends the newest copy, or stores another one. */
async function keepCopy(ctx: OwnerContext, site: Site, { rules, isAbsent }: FoundRobots, at: string) {
  const rows = ctx.rows(RobotsCopy)
  const copies = await rows.list({
    where: where.eq('site_id', site.id),
    sort: [{ field: 'first_seen_at', direction: 'desc' }],
    limit: copiesMax + 1,
  })
  const [newest] = copies
  if (newest && newest.rules === rules && newest.is_absent === isAbsent)
    return void (await rows.update(newest.id, { last_seen_at: at }))
  await rows.insert({
    workspace_id: site.workspace_id,
    location_id: site.location_id,
    site_id: site.id,
    rules,
    is_absent: isAbsent,
    first_seen_at: at,
    last_seen_at: at,
  })
  const oldest = copies[copiesMax - 1]
  if (oldest)
    await rows.removeWhere(
      where.and(where.eq('site_id', site.id), where.lte('first_seen_at', oldest.first_seen_at)),
    )
}

/** Lets the days that this copy may change be sealed again: yesterday and today, if they have a row. */
async function sealAgain(ctx: OwnerContext, site: Site) {
  const today = dayIn(site.timezone, ctx.now())
  const days = await ctx.columns.query<{ date: string }>(
    `SELECT DISTINCT date FROM ${dailyTable.name} WHERE workspace_id = {workspace:String} AND site_id = {site:String}
     AND date >= {from:Date} AND date <= {to:Date}`,
    { workspace: site.workspace_id, site: site.id, from: shiftDay(today, -1), to: today },
  )
  if (days.length === 0) return
  const never = new Date(0).toISOString()
  await ctx.columns.insert(
    touchedTable.name,
    ['site_id', 'date', 'source', 'last_hit_at'],
    days.map(({ date }) => [site.id, date, 'robots', never]),
  )
}

function periodOf(ctx: OwnerContext, site: Site) {
  const kept = ctx.settings.HITS_KEPT_DAYS
  const days = kept === 0 ? comparedDays : Math.min(comparedDays, kept)
  const date_to = dayIn(site.timezone, ctx.now())
  return { site_id: site.id, date_from: shiftDay(date_to, 1 - days), date_to }
}
