import type { Evidence, Listing, SourceReview } from './sources/source'

/** What reading a listing gave, from its first page as far as it went. */
export interface Pass {
  /** Each review once, as the last page that held it told it. */
  readonly reviews: ReadonlyMap<string, SourceReview>
  readonly pages: number
  /** Reviews on all pages, those on two pages twice. */
  readonly items: number
  readonly first_total: number | null
  readonly last_total: number | null
  readonly average?: number
  /** The source said that there is no further page. */
  readonly ended: boolean
  /** It offered a page that was read before. */
  readonly looped: boolean
  /** Some of what it shows cannot be told apart. */
  readonly isPart?: boolean
}

/** More pages than any location has; beyond it the listing is taken to have no end. */
const pagesMax = 5_000

/**
 * Reads a listing from its first page to its end, or until `enough` says so of a page. What a page throws ends the reading
 * and is thrown: a listing that was not read to its end proves nothing.
 */
export async function readListing(
  listing: Listing,
  enough: (page: readonly SourceReview[]) => boolean = () => false,
): Promise<Pass> {
  const reviews = new Map<string, SourceReview>()
  const tokens = new Set<string>()
  const totals: (number | null)[] = []
  let items = 0
  let average: number | undefined
  let isPart = false
  let token: string | null = null
  let state: Pick<Pass, 'ended' | 'looped'> | null = null
  while (!state) {
    const page = await listing.page(token)
    totals.push(page.total)
    average = page.average ?? average
    items += page.reviews.length
    isPart ||= page.isPart === true
    for (const review of page.reviews) reviews.set(review.source_id, review)
    token = page.next
    if (token === null) state = { ended: true, looped: false }
    else if (tokens.has(token)) state = { ended: false, looped: true }
    else if (totals.length >= pagesMax || enough(page.reviews)) state = { ended: false, looped: false }
    else tokens.add(token)
  }
  return {
    ...{ reviews, pages: totals.length, items, ...state },
    ...{ first_total: totals[0] ?? null, last_total: totals.at(-1) ?? null },
    ...(average === undefined ? {} : { average }),
    ...(isPart ? { isPart } : {}),
  }
}

/** What keeps a reading from being complete, in the words that people are told. */
export const gapWords = {
  shows_a_part: 'the source showed a part of its reviews only',
  looped: 'a page came back that had been read',
  cut_off: 'it did not reach the end',
  total_missing: 'the source did not say how many there are',
  total_changed: 'the count changed while it was read',
  total_differs: 'the count is not the number of reviews that the pages held',
} as const
export type Gap = keyof typeof gapWords

/** Whether a reading was complete, and what that rests on: kept with every observation. */
export interface Proof {
  readonly evidence: Evidence
  readonly complete: boolean
  /** Why it was not. */
  readonly gap?: Gap
  readonly pages: number
  readonly items: number
  readonly distinct: number
  readonly first_total: number | null
  readonly last_total: number | null
  readonly began_at: string
  readonly ended_at: string
}

/**
 * A reading is complete when it began at the first page, ended where the source said so, met no page twice, and, where the
 * source counts, the count stood still and is the number of distinct reviews that were read.
 */
export function proofOf(
  pass: Pass,
  evidence: Evidence,
  times: { readonly began_at: string; readonly ended_at: string },
): Proof {
  const gap = gapOf(pass, evidence)
  const { pages, items, first_total, last_total } = pass
  return {
    ...{ evidence, complete: gap === undefined, ...(gap === undefined ? {} : { gap }) },
    ...{ pages, items, distinct: pass.reviews.size, first_total, last_total, ...times },
  }
}

function gapOf(pass: Pass, evidence: Evidence): Gap | undefined {
  if (evidence === 'none' || pass.isPart) return 'shows_a_part'
  if (pass.looped) return 'looped'
  if (!pass.ended) return 'cut_off'
  if (evidence === 'paged') return undefined
  if (pass.first_total === null || pass.last_total === null) return 'total_missing'
  if (pass.first_total !== pass.last_total) return 'total_changed'
  return pass.last_total === pass.reviews.size ? undefined : 'total_differs'
}
