import { dayMs } from 'renown'
import { isManyAtOnce, isProven } from 'renown/sources'
import * as v from 'valibot'

const instant = v.string()

/** A stored reply that the platform does not return. */
const missingReply = v.object({
  /** When it was first missing. */
  since: instant,
  /** When the first complete sync began that missed it. */
  whole: v.optional(instant),
  /** When the first complete sync began that missed it and showed other known replies. */
  beside: v.optional(instant),
})
export type MissingReply = v.InferOutput<typeof missingReply>

const evidence = v.object({
  /** Stored replies that the platform does not return, by source id. */
  missing: v.record(v.string(), missingReply),
  /** When the last complete sync began that proved that a missing reply means "no reply yet". */
  proven_at: v.optional(instant),
  /** When the platform last returned known reviews without their text. */
  texts_lost_at: v.optional(instant),
})

/** What Renown knows about the replies that a platform returns for one location. Stored with the sync state. */
export type ReplyEvidence = v.InferOutput<typeof evidence>

/** Reads the stored evidence. Without any, nothing is proven yet. */
export function storedEvidence(kept: unknown): ReplyEvidence {
  const read = v.safeParse(evidence, kept)
  return read.success ? read.output : { missing: {} }
}

const tally = v.object({
  /** The sync that it belongs to. */
  sync: v.string(),
  /** Number of known replies that it returned. */
  shown: v.number(),
  /** Source ids of known replies that it did not return. */
  missing: v.array(v.string()),
  /** Source ids of replies that were missing before, and that it returned. */
  back: v.array(v.string()),
  /** Number of known replies about which the platform said nothing. */
  unclear: v.number(),
})

/** The known replies that one sync returned or missed so far. */
export type ReplyTally = v.InferOutput<typeof tally>

/** Reads the stored tally of a sync. A sync that starts again begins a new one. */
export function storedTally(kept: unknown, sync: string): ReplyTally {
  const read = v.safeParse(tally, kept)
  return read.success && read.output.sync === sync ? read.output : emptyTally(sync)
}

/** Returns the tally of a sync that has read nothing yet. */
export const emptyTally = (sync: string): ReplyTally => ({
  sync,
  shown: 0,
  missing: [],
  back: [],
  unclear: 0,
})

/** How long nothing is sent automatically after the last contradiction. */
export const quietMs = dayMs

/**
 * A reply was withdrawn if two complete syncs, an hour apart, do not return it while they return other known replies of
 * the location. If many replies are missing at once, or if no other reply is there, it may be an outage. Then it must be missing
 * for a week.
 */
const withdrawnRule = { readings: 2 } as const
const withdrawnSlowlyRule = { readings: 2, apartMs: 7 * dayMs } as const

/** Missing replies and all known replies of a location, an account or a platform. */
export interface Share {
  readonly touched: number
  readonly held: number
}

/** Whether a missing reply was certainly withdrawn. `shares`: those of the location, the account and the platform. */
export function isWithdrawn(
  { whole, beside }: MissingReply,
  { at, shares }: { readonly at: string; readonly shares: readonly Share[] },
): boolean {
  const [own = { touched: 1, held: 1 }] = shares
  if (!shares.some(isManyAtOnce) && isProven(withdrawnRule, { at, firstAt: beside, ...own })) return true
  return isProven(withdrawnSlowlyRule, { at, firstAt: whole, ...own })
}

/** What a sync found about replies when it ended. */
export interface EndedReading {
  readonly began_at: string
  /** Whether it read everything. */
  readonly isWhole: boolean
  readonly tally: ReplyTally
}

/** Returns the replies that are missing after a sync. `isKnown` says whether a review still has a stored reply. */
export function missingAfter(
  before: ReplyEvidence['missing'],
  { began_at, isWhole, tally }: EndedReading,
  isKnown: (sourceId: string) => boolean,
): ReplyEvidence['missing'] {
  const isBack = new Set(tally.back)
  const isMissed = new Set(tally.missing)
  const ids = [...new Set([...Object.keys(before), ...tally.missing])]
  const left = ids.filter((id) => isKnown(id) && (!isBack.has(id) || isMissed.has(id)))
  return Object.fromEntries(
    left.map((id) => {
      const known = before[id] ?? { since: began_at }
      if (!isWhole || !isMissed.has(id)) return [id, known]
      const whole = known.whole ?? began_at
      // A sync without any known reply breaks the chain: it may be an outage.
      const beside = tally.shown > 0 ? (known.beside ?? began_at) : undefined
      return [id, { since: known.since, whole, ...(beside === undefined ? {} : { beside }) }]
    }),
  )
}
