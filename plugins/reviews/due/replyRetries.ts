import {
  dayMs,
  type FaultInfo,
  faultInfo,
  hourMs,
  isServiceFault,
  minuteMs,
  ServiceFault,
  throwIfStoreAway,
  unreadableCode,
} from 'renown'
import * as v from 'valibot'
import { unconfirmedCode } from '../contract'
import { inDoubtCode } from '../evidence/whyUnproven'

/** How long a reply is retried after temporary faults. */
export const passingMs = dayMs
/** Minimum attempts before temporary faults end a reply, for a product that was off for a day. */
const passingTriesMin = 8
/** How long unreadable and incomplete answers are retried. Platforms have left out fields for a day. */
const unreadableMs = 3 * dayMs
const backoffMs = { first: minuteMs, most: hourMs }

/**
 * The delays after refusals for missing permissions, which may be temporary. After the last one, the reply
 * fails.
 */
export const permissionWaitsMs: readonly number[] = [10, 30, 60, 120, 240].map(
  (minutes) => minutes * minuteMs,
)

/** The delay after the last one, and how long it goes on, if the platform did not confirm that a review is gone. */
const unconfirmed = { waitMs: 4 * hourMs, forMs: 3 * dayMs } as const

/** The code of a fault that ends a reply after all its attempts. */
export const gaveUpCode = 'gave_up'

const schema = v.object({
  tries: v.number(),
  refusals: v.number(),
  since: v.string(),
})

/** The failed attempts of one reply so far, saved with the job. */
export type FailedTries = v.InferOutput<typeof schema>

/** Reads the failed attempts that an earlier run saved. */
export const savedTries = (saved: unknown): FailedTries | null => {
  const read = v.safeParse(schema, saved)
  return read.success ? read.output : null
}

/** The fault that a job must throw, and the failed attempts to save before that. */
export interface AfterFault {
  readonly fault: ServiceFault
  readonly failed: FailedTries
}

/**
 * Decides how to continue after a fault of a reply. Temporary faults and expired credentials are retried for
 * 24 hours, never earlier than the platform requested. Missing permissions are retried a few times over
 * hours, and a review that its platform cannot find for three days, because its location may be back. A doubt about the
 * location is no fault of the reply, so it waits until the doubt ends. Any other fault is final.
 */
export function afterFault(
  error: unknown,
  before: FailedTries | null,
  { now, random }: { readonly now: Date; readonly random: () => number },
): AfterFault {
  throwIfStoreAway(error)
  const { tries, refusals, since } = before ?? { tries: 0, refusals: 0, since: now.toISOString() }
  const info = faultInfo(error)
  const isRefusal = info.kind === 'permission'
  const failed = { tries: tries + 1, refusals: refusals + (isRefusal ? 1 : 0), since }
  const askedMs = (isServiceFault(error) ? error.retryAfterMs : 0) ?? 0
  const again = (waitMs: number) => ({ failed, fault: later(info, Math.max(askedMs, waitMs), random) })
  const sinceMs = now.getTime() - Date.parse(since)
  // The wait does not count as a failure, and the time of later failures begins after it.
  if (info.code === inDoubtCode) {
    const begun = tries === 0 ? now.toISOString() : since
    return { failed: { tries, refusals, since: begun }, fault: later(info, askedMs, random) }
  }
  if (isRefusal) {
    const isSought = info.code === unconfirmedCode && sinceMs < unconfirmed.forMs
    const waitMs = permissionWaitsMs[refusals] ?? (isSought ? unconfirmed.waitMs : undefined)
    return waitMs === undefined ? { failed, fault: final(info) } : again(waitMs)
  }
  if (info.kind === 'permanent' || info.kind === 'unsupported') return { failed, fault: final(info) }
  const endsMs = info.code === unreadableCode ? unreadableMs : passingMs
  if (sinceMs >= endsMs && failed.tries >= passingTriesMin) {
    const message = `It did not work for ${endsMs / hourMs} hours. The last answer: ${info.message}`
    return { failed, fault: new ServiceFault('permanent', message, { code: gaveUpCode }) }
  }
  // Waiting because of the platform's rate limit does not count as a failure.
  if (info.code === 'paced') return { failed: { ...failed, tries }, fault: later(info, askedMs, random) }
  return again(Math.min(backoffMs.most, backoffMs.first * 2 ** Math.min(tries, 10)))
}

const final = ({ kind, message, code }: FaultInfo) => new ServiceFault(kind, message, { code })

/** Returns a temporary fault for the queue, with the required wait. */
const later = ({ message, code }: FaultInfo, waitMs: number, random: () => number) =>
  new ServiceFault('transient', message, { code, retryAfterMs: Math.round(waitMs * (1 + random() * 0.1)) })
