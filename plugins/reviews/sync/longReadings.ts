import { type OwnerContext, ServiceFault } from 'renown'
import { productState } from 'renown/pages'

/** The code of a fault that delays a sync until others have finished. */
export const waitingForSlotCode = 'in_turn'

/**
 * Maximum simultaneous syncs of one agency in a process, so that small locations and first pages always get a
 * slot.
 */
export const readingsAtOnce = 8
/** Maximum simultaneous long syncs: per agency, so that other agencies do not have to wait, and in total. */
const longAtOnce = { agency: 4, process: 16 } as const
/** Minimum reviews that make a sync long. */
const longReviews = 1_000
/**
 * Pages that one attempt may read without a slot for long syncs, so that a first sync soon shows the newest
 * reviews.
 */
const freePages = { first: 5, later: 20 } as const
const retryMs = 10_000

/** The agency of each location with a long sync. */
const running = productState(() => new Map<string, string>())

/** The location and the agency that need a slot. */
export interface SlotRequest {
  readonly location_id: string
  readonly agency_id: string
}

/** Whether this many reviews make a sync long. */
export const isLong = (reviews: number | undefined): boolean => (reviews ?? 0) > longReviews

/** Takes a slot for a long sync, or returns false if none is free. Release it with `leaveLong`. */
export function enterLong(ctx: OwnerContext, { location_id, agency_id }: SlotRequest): boolean {
  const own = running(ctx)
  if (own.has(location_id)) return true
  const ofAgency = [...own.values()].filter((id) => id === agency_id).length
  if (ofAgency >= longAtOnce.agency || own.size >= longAtOnce.process) return false
  own.set(location_id, agency_id)
  return true
}

export const leaveLong = (ctx: OwnerContext, { location_id }: SlotRequest): void =>
  void running(ctx).delete(location_id)

/**
 * Delays a sync after its free pages if all slots for long syncs are taken. Pages that it has read are
 * stored.
 */
export function requireSlot(
  ctx: OwnerContext,
  turn: SlotRequest,
  { pages, isFirst }: { readonly pages: number; readonly isFirst: boolean },
): void {
  if (pages < freePages[isFirst ? 'first' : 'later'] || enterLong(ctx, turn)) return
  throw new ServiceFault('rate', 'Other locations are being synced first', {
    code: waitingForSlotCode,
    retryAfterMs: retryMs,
  })
}
