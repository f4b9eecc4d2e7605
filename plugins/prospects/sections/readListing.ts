import { isPassing, isServiceFault, type OwnerContext, ServiceFault } from 'renown'
import { type ProfileSource, type PublicListing, type PublicListings, profileSource } from 'renown/profiles'
import type { Prospect } from '../records/foreign'

/** The source of a public listing. */
export interface ListingSource extends Pick<PublicListings, 'label' | 'via'> {
  readonly name: string
}

/** A public listing, or why there is none. `source` is null if no plugin reads public listings. */
export type ListingLook =
  | { readonly source: ListingSource; readonly listing: PublicListing }
  | { readonly source: ListingSource | null; readonly reason: string }

interface Asking {
  readonly signal: AbortSignal
  /**
   * Set for the last attempt. In earlier ones a temporary fault is thrown, so that the audit is tried again.
   */
  readonly isLast: (error: unknown) => boolean
}

/** Reads a platform's public data about a business, without an account. */
export async function readListing(
  ctx: OwnerContext,
  prospect: Prospect,
  asking: Asking,
): Promise<ListingLook> {
  const sources = ctx
    .extensions(profileSource)
    .toSorted((a, b) => a.order - b.order)
    .flatMap(publicOf)
  const [first] = sources
  if (!first) return { source: null, reason: 'No plugin reads public listings.' }
  const open = sources.find(({ listings }) => listings.refusal(ctx, prospect) === null)
  if (!open) return { source: first.source, reason: first.listings.refusal(ctx, prospect) ?? '' }
  const { source, listings } = open
  try {
    return { source, listing: await listings.read(ctx, prospect, asking.signal) }
  } catch (error) {
    return { source, reason: reasonOf(error, source, asking.isLast) }
  }
}

function publicOf({ name, publicListings: listings }: ProfileSource) {
  if (!listings) return []
  const { label, via } = listings
  return [{ source: { name, label, via }, listings }]
}

/** Returns why a listing was not read. Throws errors that are retried, and errors that are not ServiceFaults. */
function reasonOf(error: unknown, { via }: ListingSource, isLast: Asking['isLast']): string {
  if (!isServiceFault(error)) throw error
  if (error.kind === 'quota') return `The day’s calls to the ${via} are used up.`
  if (!isPassing(error) || isLast(error)) return `${error.message.replace(/\.$/, '')}.`
  // A limit uses up an attempt, because an audit does not wait for days.
  throw new ServiceFault('transient', error.message, { retryAfterMs: error.retryAfterMs })
}
