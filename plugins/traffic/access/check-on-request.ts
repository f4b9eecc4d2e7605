import { isConflict, messageOf, type OwnerContext, Refusal, type Row, where } from 'renown'
import type { AiTrafficSite } from '../records/AiTrafficSite'
import { SiteAccess } from '../records/SiteAccess'
import { isTrial } from '../sites/site-address'
import { checkNow, everyMs } from './checkSites'

/** How long must be between two checks of one site that people ask for. */
const pauseMs = 60_000
/** How long a person waits. A longer check goes on without them. */
const patienceMs = 12_000

/** Whether the check ended in time, or still goes on. */
export type CheckResult = 'checked' | 'slow'

/**
 * Checks a site because a person asked for it. Throws a Refusal if its last check started less than a minute ago.
 * Checks of the scheduled task count too.
 */
export async function checkOnRequest(
  ctx: OwnerContext,
  site: Row<typeof AiTrafficSite>,
  waitMs: number = patienceMs,
): Promise<CheckResult> {
  if (isTrial(site.domain))
    throw new Refusal('conflict', 'This site is only for trials on one machine, so it has no public files.')
  if (!site.is_active) throw new Refusal('conflict', 'This site is switched off. Switch it on to check it.')
  const id = await claim(ctx, site)
  const check = checkNow(ctx, site, id).catch((error) => {
    ctx.log.warn('a site could not be checked', { site_id: site.id, reason: messageOf(error) })
    throw new Refusal('conflict', 'Renown could not complete the check. Try again in a minute.')
  })
  const { promise, resolve } = Promise.withResolvers<'slow'>()
  const timer = setTimeout(() => resolve('slow'), waitMs)
  try {
    return await Promise.race([check.then(() => 'checked' as const), promise])
  } finally {
    clearTimeout(timer)
    // Nobody waits for a slow check any more, and its fault is logged.
    check.catch(() => {})
  }
}

/** Plans the next check, so that neither the task nor another person starts one now. Returns the id of the row. */
async function claim(ctx: OwnerContext, site: Row<typeof AiTrafficSite>): Promise<string> {
  const now = ctx.now().getTime()
  const next_check_at = new Date(now + everyMs).toISOString()
  const rows = ctx.rows(SiteAccess)
  const [planned] = await rows.list({ where: where.eq('site_id', site.id), limit: 1 })
  if (!planned) {
    const { workspace_id, location_id } = site
    return (await rows.insert({ workspace_id, location_id, site_id: site.id, next_check_at }).catch(tooSoon))
      .id
  }
  // Each check plans the next one when it starts.
  const waits = Date.parse(planned.next_check_at) - everyMs + pauseMs - now
  if (waits > 0)
    throw new Refusal(
      'conflict',
      `The site was checked less than a minute ago. Try again in ${Math.ceil(waits / 1_000)} seconds.`,
    )
  const unchanged = where.and(where.eq('id', planned.id), where.eq('next_check_at', planned.next_check_at))
  if (!(await rows.updateWhere(unchanged, { next_check_at }))) tooSoon()
  return planned.id
}

function tooSoon(error?: unknown): never {
  if (error !== undefined && !isConflict(error)) throw error
  throw new Refusal('conflict', 'The site is being checked now. Reload the page in a few seconds.')
}
