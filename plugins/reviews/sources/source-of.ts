import type { OwnerContext } from 'renown'
import { type ReviewedLocation, type ReviewSource, reviewSource } from '../contract'

/** Returns the source that reads a location's reviews, or null if there is none. */
export function sourceOf(
  ctx: Pick<OwnerContext, 'extensions' | 'settings'>,
  location: ReviewedLocation,
): ReviewSource | null {
  const inOrder = ctx.extensions(reviewSource).toSorted((a, b) => a.order - b.order)
  return inOrder.find((source) => source.reads(ctx, location)) ?? null
}
