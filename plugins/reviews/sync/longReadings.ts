import { type OwnerContext, ServiceFault } from 'renown'

/** The code of a fault that delays a sync because others come first. */
export const waitingForSlotCode = 'in_turn'

/** Maximum syncs of one agency at once in a process, so that small locations and first pages always get a slot. */
export const readingsAtOnce = 8
/** Maximum long syncs at once: for one agency, so that others need not wait, and in all. */
const longAtOnce = { agency: 4, process: 16 } as const
/** Reviews from which on a reading is long. */
const longReviews = 1_000
/**
 * Pages that a sync may read in one attempt without a slot for long ones. A first sync shows its newest reviews soon.
 */
const freePages = { first: 5, later: 20 } as const
const retryMs = 10_000

/** The agency of each location with a long reading. */
const running = new WeakMap<OwnerContext, Map<string, string>>()

/** Who wants a slot. */
export interface SlotRequest {
  readonly location_id: string
  readonly agency_id: string
}

/** Whether this many reviews make a sync long. */
export const isLong = (reviews: number | undefined): boolean => (reviews ?? 0) > longReviews

/** Takes one of the few slots for long syncs, or returns false. Release it with `leaveLong`. */
export function enterLong(ctx: OwnerContext, { location_id, agency_id }: SlotRequest): boolean {
  const own = running.get(ctx) ?? new Map<string, string>()
  running.set(ctx, own)
  if (own.has(location_id)) return true
  const ofAgency = [...own.values()].filter((id) => id === agency_id).length
  if (ofAgency >= longAtOnce.agency || own.size >= longAtOnce.process) return false
  own.set(location_id, agency_id)
  return true
}

export const leaveLong = (ctx: OwnerContext, { location_id }: SlotRequest): void =>
  void running.get(ctx)?.delete(location_id)

/** Delays a sync after its free pages when enough long syncs run. What it has read is stored. */
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
