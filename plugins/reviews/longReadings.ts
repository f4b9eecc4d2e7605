import { type OwnerContext, ServiceFault } from 'renown'

/** The code of a fault that puts a reading off because others have their turn. */
export const inTurnCode = 'in_turn'

/** Readings of one process at once: looks, small locations and the first pages of large ones always find a place. */
export const readingsAtOnce = 8
/** How many of them may be long. */
const longAtOnce = 4
/** Reviews from which on a reading is long. */
const longReviews = 1_000
/** Pages that a reading may read in one attempt without a place for long ones. A first reading shows its newest reviews soon. */
const freePages = { first: 5, later: 20 } as const
const retryMs = 20_000

const running = new WeakMap<OwnerContext, Set<string>>()

/** Whether so many reviews make a reading long. */
export const isLong = (reviews: number | undefined): boolean => (reviews ?? 0) > longReviews

/** Takes one of the few places for long readings, or returns false. Give it back with `leaveLong`. */
export function enterLong(ctx: OwnerContext, locationId: string): boolean {
  const own = running.get(ctx) ?? new Set<string>()
  running.set(ctx, own)
  if (!own.has(locationId) && own.size >= longAtOnce) return false
  own.add(locationId)
  return true
}

export const leaveLong = (ctx: OwnerContext, locationId: string): void =>
  void running.get(ctx)?.delete(locationId)

/** Puts a reading off after its free pages when there are long readings enough. What it has read is stored. */
export function keepTurns(
  ctx: OwnerContext,
  locationId: string,
  { pages, isFirst }: { readonly pages: number; readonly isFirst: boolean },
): void {
  if (pages < freePages[isFirst ? 'first' : 'later'] || enterLong(ctx, locationId)) return
  throw new ServiceFault('rate', 'Other locations are read first', {
    code: inTurnCode,
    retryAfterMs: retryMs,
  })
}
