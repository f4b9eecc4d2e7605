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

/** How people name a platform, and whether a source reads the platform's own list beside others that import from it. */
export interface ReviewPlatform {
  readonly label: string
  readonly hasOwnListing: boolean
}

/** Returns what the sources of a platform declare about it. Without a source, its name is its label. */
export function platformOf(ctx: Pick<OwnerContext, 'extensions'>, platform: string): ReviewPlatform {
  const sources = ctx.extensions(reviewSource).filter(({ source }) => source === platform)
  return {
    label: sources[0]?.label ?? `${platform.slice(0, 1).toUpperCase()}${platform.slice(1)}`,
    hasOwnListing: sources.some(({ listing }) => listing === 'own'),
  }
}
