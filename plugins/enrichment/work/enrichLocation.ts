import {
  type FaultInfo,
  isLastAttempt,
  isPassing,
  isServiceFault,
  moveState,
  type OwnerContext,
  type QueueDeclaration,
  ServiceFault,
  type Task,
  waitOfAttempt,
  where,
} from 'renown'
import { enrichmentStatus } from 'renown/records'
import * as v from 'valibot'
import { EnrichedLocation, type EnrichedRow } from '../EnrichedLocation'
import type { Listing } from '../listing/listing'
import { listingReader } from '../listing/read-listing'
import { findingsOf, structuredProfile, withUnderstood } from '../profile/profile'
import { understand } from '../profile/understand'
import { isReadable, readSite, type Site } from '../website/read-site'
import { settle } from './settle'
import { endRunning, tracked } from './syncs'

const payload = v.strictObject({ location_id: v.string() })
/**
 * Waits after the first, second and third failed attempt. They are long enough for a restart, but not for an
 * outage of an hour.
 */
const waitsMs = [20_000, 120_000, 600_000]
const attemptsMax = waitsMs.length + 1
const errorMax = 500

/** Creates the job that reads a location's website and profile and builds its business profile. */
export const createEnrichLocation = ({
  pauseMs,
}: {
  /** Pause between two pages of a website, in milliseconds. */
  readonly pauseMs: number
}): QueueDeclaration<typeof payload> => ({
  summary: "Reads a location's website and profile",
  payload,
  attemptsMax,
  atOnce: 2,
  async run(ctx, { location_id }, task) {
    const location = await waiting(ctx, location_id)
    if (!location) return
    const { site, listing, faults } = await readAll(ctx, location, task, pauseMs)
    judge(task, faults, site !== null || listing !== null)
    const findings = findingsOf(site, listing, location)
    const understood = await understand(ctx, location, findings, task.signal).catch((error) => {
      if (!isLastAttempt(error, task, attemptsMax) || task.signal.aborted) throw error
      return null
    })
    const structured = structuredProfile(findings, location)
    const profile = understood ? withUnderstood(structured, understood) : structured
    const method = understood ? `structured+${ctx.outbound.model.generator}` : 'structured'
    const fault =
      faults.length === 0
        ? null
        : faults
            .map(({ message }) => message)
            .join(' ')
            .slice(0, errorMax)
    await task.hold()
    const settled = await settle(ctx, location_id, { findings, profile, method, fault })
    if (!settled) return
    if (site) await ended(ctx, location, 'website', site.pages.length, settled.keys)
    if (listing) await ended(ctx, location, listing.reader, 1, settled.fields)
  },
  async onDeadLetter(ctx, { location_id }, error) {
    const location = await ctx.rows(EnrichedLocation).get(location_id)
    if (!location) return
    await endRunning(ctx, location, error.message)
    if (location.enrichment_status === 'pending') await fail(ctx, location, error)
  },
})

/** Returns the location if it waits to be read. A failed one waits again if somebody retried its job. */
async function waiting(ctx: OwnerContext, id: string): Promise<EnrichedRow | null> {
  const rows = ctx.rows(EnrichedLocation)
  const location = await rows.get(id)
  if (location?.enrichment_status === 'pending') return location
  if (location?.enrichment_status !== 'failed') return null
  const failed = where.and(where.eq('id', id), where.eq('enrichment_status', 'failed'))
  return rows.updateWhere(failed, moveState(enrichmentStatus, 'failed', 'pending', { now: ctx.now() }))
}

interface Readings {
  readonly site: Site | null
  readonly listing: Listing | null
  readonly faults: readonly ServiceFault[]
}

/** Reads all sources. A failed source is reported, not thrown. A missing source is skipped. */
async function readAll(
  ctx: OwnerContext,
  location: EnrichedRow,
  task: Task,
  pauseMs: number,
): Promise<Readings> {
  const { signal } = task
  const faults: ServiceFault[] = []
  const reader = await listingReader(ctx, location)
  const listing = reader && (await tracked(ctx, location, reader.reader, signal, () => reader.read(signal)))
  const website = location.website ?? String((isServiceFault(listing) ? null : listing)?.fields.website ?? '')
  const site = isReadable(website)
    ? await tracked(ctx, location, 'website', signal, () => readSite(ctx, website, { signal, pauseMs }))
    : null
  for (const read of [listing, site]) if (isServiceFault(read)) faults.push(read)
  return {
    site: isServiceFault(site) ? null : site,
    listing: isServiceFault(listing) ? null : listing,
    faults,
  }
}

/**
 * Decides whether to try again. A temporary fault is retried while attempts are left. A limit uses up an
 * attempt, so that a half-read profile does not wait for days. If nothing was read, the fault decides: the
 * job waits for a used-up allowance, and a refusal ends it.
 */
function judge(task: Task, faults: readonly ServiceFault[], isSomething: boolean): void {
  const soon = faults.find((fault) => isPassing(fault) && fault.kind !== 'quota')
  if (soon && !isLastAttempt(soon, task, attemptsMax)) {
    const { message, code, retryAfterMs = 0 } = soon
    const waitMs = Math.max(retryAfterMs, waitOfAttempt(task, waitsMs))
    throw new ServiceFault('transient', message, { code, retryAfterMs: waitMs })
  }
  if (isSomething) return
  const later = faults.find(({ kind }) => kind === 'quota')
  if (later) throw later
  const [only, ...others] = faults
  if (only && others.length === 0 && !isPassing(only)) throw only
  const why = faults.map(({ message }) => message).join(' ')
  throw new ServiceFault(
    'permanent',
    why || 'There is nothing to read: the location has no website and no profile that Renown can read.',
  )
}

const ended = (
  ctx: OwnerContext,
  { id, workspace_id }: EnrichedRow,
  source: string,
  seen: number,
  changed: number,
) =>
  ctx.syncs.ended(
    { workspace_id, location_id: id, kind: 'enrichment', source },
    { status: 'succeeded', items_seen: seen, items_changed: changed, complete: true },
  )

async function fail(ctx: OwnerContext, { id }: EnrichedRow, { message }: FaultInfo): Promise<void> {
  const moved = moveState(enrichmentStatus, 'pending', 'failed', {
    now: ctx.now(),
    with: { enrichment_error: message.slice(0, errorMax) || 'It could not be read.' },
  })
  const waits = where.and(where.eq('id', id), where.eq('enrichment_status', 'pending'))
  await ctx.rows(EnrichedLocation).updateWhere(waits, moved)
}
