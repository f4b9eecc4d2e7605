import type { Row } from '../../contracts/entity'
import { isConflict, Refusal, recoverIf } from '../../contracts/errors'
import type { OwnerContext } from '../../contracts/plugin'
import { dayMs } from '../../contracts/time'
import { where } from '../../contracts/where'
import { moveState } from '../../kit/states'
import { randomText } from '../../process/crypto'
import { auditOf } from '../../tenancy/audit/audit'
import { domainState } from '../../tenancy/domains/states'
import { WhiteLabelDomain } from '../../tenancy/domains/WhiteLabelDomain'
import { stampWorkspaces } from '../../tenancy/domains/workspaces'
import { endAccess } from './ends'
import { looksLike } from './look-alike'
import { readDomain } from './name'
import { type Found, lookFor } from './record'

export type Domain = Row<typeof WhiteLabelDomain>

export interface Domains {
  list(agencyId: string): Promise<readonly Domain[]>
  /** Returns the agency's domain by its id or name. Throws a `not_found` Refusal if it has none. */
  find(agencyId: string, idOrName: string): Promise<Domain>
  /** Adds a domain. It is served once Renown has seen its record. */
  add(agencyId: string, typed: string): Promise<Domain>
  /** Checks the DNS record now. */
  verify(domain: Domain): Promise<Domain>
  /** Ends a domain, with every session and connected app that began there. False if somebody else did so first. */
  remove(domain: Domain): Promise<boolean>
}

const domainsMax = 50
/** How long a record may be missing before its domain is no longer served. */
export const graceMs = 7 * dayMs
/** How long Renown waits for a record. */
export const patienceMs = 14 * dayMs

/** Returns the functions for white-label domains, for commands, jobs and pages. */
export function domainsOf(ctx: OwnerContext): Domains {
  const rows = ctx.rows(WhiteLabelDomain)
  return {
    list: (agencyId) =>
      rows.list({
        where: where.eq('agency_id', agencyId),
        sort: [{ field: 'created_date', direction: 'asc' }],
        limit: 1_000,
      }),
    async find(agencyId, idOrName) {
      const own = where.eq('agency_id', agencyId)
      const named = where.or(where.eq('id', idOrName), where.eq('domain', idOrName.trim().toLowerCase()))
      const [row] = await rows.list({ where: where.and(own, named), limit: 1 })
      if (row) return row
      throw new Refusal('not_found', 'The agency has no such domain.')
    },
    async add(agencyId, typed) {
      const domain = readDomain(typed, ownHosts(ctx))
      const count = await rows.count(where.eq('agency_id', agencyId))
      if (count >= domainsMax) throw new Refusal('conflict', `An agency has at most ${domainsMax} domains.`)
      await refuseTwin(ctx, agencyId, domain)
      const start = { agency_id: agencyId, domain, state: 'pending' as const, token: randomText(32) }
      const refuse = () => {
        throw taken(domain, 'is named already')
      }
      return rows.insert({ workspace_id: agencyId, ...start }).catch(recoverIf(isConflict, refuse))
    },
    verify: async (domain) => applyFound(ctx, domain, await lookFor(domain, ctx.outbound.dns)),
    async remove(domain) {
      if ((await rows.removeWhere(where.eq('id', domain.id))) === 0) return false
      await endAccess(ctx, domain.domain)
      await stampWorkspaces(ctx, domain.agency_id)
      return true
    },
  }
}

/**
 * Changes a domain after a DNS check and returns it. Jobs pass the result of their own check. Records in the audit log that a
 * domain was verified, because a job can verify it too.
 */
export async function applyFound(ctx: OwnerContext, domain: Domain, found: Found): Promise<Domain> {
  const now = ctx.now()
  const seen = { checked_at: now.toISOString(), reason: found.reason }
  if (found.was === 'there')
    return domain.state === 'verified'
      ? keep(ctx, domain, { ...seen, missing_since: undefined })
      : accept(ctx, domain, seen)
  if (found.was === 'unknown') return keep(ctx, domain, { reason: found.reason })
  const missing_since = domain.missing_since ?? now.toISOString()
  const isOver = (since: string, ms: number) => now.getTime() - Date.parse(since) > ms
  if (domain.state === 'verified') {
    return isOver(missing_since, graceMs)
      ? lapse(ctx, domain, seen)
      : keep(ctx, domain, { ...seen, missing_since })
  }
  if (domain.state === 'pending' && isOver(domain.created_date, patienceMs)) {
    return change(ctx, domain, moveState(domainState, 'pending', 'failed', { now, with: seen }))
  }
  return keep(ctx, domain, seen)
}

/** The fields that a check changes. */
type Seen = { readonly checked_at: string; readonly reason: string | undefined }

/**
 * Accepts a domain whose record was found. If another agency has the domain but no longer the record, it
 * loses the domain immediately.
 */
async function accept(ctx: OwnerContext, domain: Domain, seen: Seen): Promise<Domain> {
  const held = where.and(where.eq('domain', domain.domain), where.eq('state', 'verified'))
  const [holder] = await ctx.rows(WhiteLabelDomain).list({ where: held, limit: 1 })
  if (holder?.id === domain.id) return holder
  if (holder) {
    const found = await lookFor(holder, ctx.outbound.dns)
    if (found.was !== 'absent') {
      return keep(ctx, domain, {
        ...seen,
        reason: 'Another agency uses this domain, and its DNS record still exists.',
      })
    }
    await lapse(ctx, holder, { checked_at: ctx.now().toISOString(), reason: found.reason })
  }
  await refuseTwin(ctx, domain.agency_id, domain.domain)
  // Sessions and apps of the domain's previous agency must not work again under the new one.
  await endAccess(ctx, domain.domain, domain.agency_id)
  const moved = moveState(domainState, domain.state, 'verified', {
    now: ctx.now(),
    with: { ...seen, missing_since: undefined },
  })
  const verified = await change(ctx, domain, moved)
  await stampWorkspaces(ctx, domain.agency_id)
  const { agency_id, domain: subject } = domain
  const by = ctx.by ?? { host: ctx.apiUrl }
  await auditOf(ctx).record({ ...by, agency_id, action: 'domain.verify', subject })
  return verified
}

async function lapse(ctx: OwnerContext, domain: Domain, seen: Seen): Promise<Domain> {
  const moved = moveState(domainState, 'verified', 'lapsed', { now: ctx.now(), with: seen })
  const lapsed = await change(ctx, domain, moved)
  await stampWorkspaces(ctx, domain.agency_id)
  const { agency_id, domain: subject } = domain
  await auditOf(ctx).record({ agency_id, action: 'domain.lapse', host: ctx.apiUrl, subject })
  return lapsed
}

const keep = (ctx: OwnerContext, domain: Domain, seen: object) => change(ctx, domain, seen)

/** Changes a domain. Throws if its state changed in the meantime. */
async function change(ctx: OwnerContext, { id, state }: Domain, changes: object): Promise<Domain> {
  const unmoved = where.and(where.eq('id', id), where.eq('state', state))
  const changed = await ctx.rows(WhiteLabelDomain).updateWhere(unmoved, changes)
  if (changed) return changed
  throw new Refusal('conflict', 'Somebody else changed the domain at the same time. Try again.')
}

/** Throws if a name looks like a verified domain of another agency. */
async function refuseTwin(ctx: OwnerContext, agencyId: string, domain: string): Promise<void> {
  const others = where.and(where.eq('state', 'verified'), where.ne('agency_id', agencyId))
  for await (const other of ctx.rows(WhiteLabelDomain).each({ where: others }))
    if (looksLike(domain, other.domain)) throw taken(domain, 'This host already serves such a domain')
}

const taken = (domain: string, why: string) =>
  new Refusal('conflict', `${domain} ${why}.`, {
    errors: [{ pointer: '/domain', code: 'taken', message: why }],
  })

/** The hosts of the installation itself. */
const ownHosts = ({ apiUrl, ingestUrl }: OwnerContext) => [
  new URL(apiUrl).hostname,
  new URL(ingestUrl).hostname,
]
