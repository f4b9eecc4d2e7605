import {
  isLastAttempt,
  isPassing,
  isServiceFault,
  type OwnerContext,
  type QueueDeclaration,
  ServiceFault,
  type Task,
  waitOfAttempt,
} from 'renown'
import * as v from 'valibot'
import { type Audit, isEnded, moveAudit } from '../records/auditStatus'
import { BusinessLocation, type Prospect } from '../records/foreign'
import { ProspectAudit } from '../records/ProspectAudit'
import { type Findings, scoreOf } from '../records/score'
import { findMentions } from '../sections/findMentions'
import { findProfile } from '../sections/findProfile'
import { findReviews } from '../sections/findReviews'
import { findTraffic } from '../sections/findTraffic'
import { findVisibility } from '../sections/findVisibility'
import { readListing } from '../sections/readListing'

const payload = v.strictObject({ audit_id: v.string() })
/**
 * Waits after the first and the second failed attempt, so that a short network problem does not end an audit.
 */
const waitsMs = [20_000, 120_000]
const triesMax = waitsMs.length + 1

/**
 * Audits one prospect. Unknown parts stay unknown. Temporary problems are retried, with three attempts in
 * total.
 */
export const auditProspect: QueueDeclaration<typeof payload> = {
  summary: 'Audits a prospect',
  payload,
  atOnce: 2,
  attemptsMax: triesMax,
  async run(ctx, { audit_id }, task) {
    const audit = await begin(ctx, audit_id)
    if (!audit) return
    try {
      const findings = await look(ctx, audit, task)
      await task.hold()
      if (typeof findings === 'string') await moveAudit(ctx, audit, 'failed', { error: findings })
      else await complete(ctx, audit, findings)
    } catch (error) {
      if (isServiceFault(error) && isPassing(error) && !isLastAttempt(error, task, triesMax)) {
        // If another process has the job now, this one must not change what that one has started.
        await task.hold()
        await moveAudit(ctx, audit, 'queued')
        throw later(error, task)
      }
      throw error
    }
  },
  async onDeadLetter(ctx, { audit_id }, error) {
    const audit = await ctx.rows(ProspectAudit).get(audit_id)
    if (audit && !isEnded(audit))
      await moveAudit(ctx, audit, 'failed', { error: error.message || 'It failed.' })
  },
}

/** Returns a temporary fault with the wait of this attempt. A fault with its own wait, such as a limit, keeps that. */
function later({ kind, message, code, retryAfterMs = 0 }: ServiceFault, task: Task): ServiceFault {
  const waitMs = kind === 'transient' ? waitOfAttempt(task, waitsMs) : 0
  const afterMs = Math.max(waitMs, retryAfterMs)
  return new ServiceFault(kind, message, { code, ...(afterMs > 0 ? { retryAfterMs: afterMs } : {}) })
}

/** Starts the audit. A running audit belonged to a worker that has ended, so it is queued again first. */
async function begin(ctx: OwnerContext, id: string): Promise<Audit | null> {
  const audit = await ctx.rows(ProspectAudit).get(id)
  if (!audit || isEnded(audit)) return null
  const location = await ctx.rows(BusinessLocation).get(audit.location_id)
  if (location?.is_demo) return null
  const queued = audit.status === 'running' ? await moveAudit(ctx, audit, 'queued') : audit
  return queued && moveAudit(ctx, queued, 'running')
}

function complete(ctx: OwnerContext, audit: Audit, findings: Findings): Promise<Audit | null> {
  const score = scoreOf(findings)
  return moveAudit(ctx, audit, 'completed', { findings, ...(score === null ? {} : { score }) })
}

/** Audits part by part. Returns a text if the audit should not continue. */
async function look(ctx: OwnerContext, { location_id }: Audit, task: Task): Promise<Findings | string> {
  const isLast = (error: unknown) => isLastAttempt(error, task, triesMax)
  const first = await pitched(ctx, location_id, task)
  if (typeof first === 'string') return first
  const traffic = await findTraffic(ctx, first, isLast)
  const second = await pitched(ctx, location_id, task)
  if (typeof second === 'string') return second
  const listing = await readListing(ctx, second, { signal: task.signal, isLast })
  const third = await pitched(ctx, location_id, task)
  if (typeof third === 'string') return third
  return {
    profile: findProfile(third, listing, ctx.now()),
    reviews: await findReviews(ctx, third, listing),
    traffic,
    visibility: await findVisibility(ctx, third),
    mentions: await findMentions(ctx, third),
  }
}

/**
 * Returns the location if it is a prospect, otherwise a text that says what happened to it. Throws if the job
 * must stop.
 */
async function pitched(ctx: OwnerContext, id: string, { signal }: Task): Promise<Prospect | string> {
  signal.throwIfAborted()
  const location = await ctx.rows(BusinessLocation).get(id)
  if (!location) return 'The business was removed before it was audited.'
  if (!location.is_prospect)
    return 'The business is no longer a prospect: it was signed before it was audited.'
  return location
}
