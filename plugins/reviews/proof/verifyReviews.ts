import { defineCommand, field, type OwnerContext, type Row } from 'renown'
import * as v from 'valibot'
import { isJudgedEarlier } from '../analysis/judgeAgain'
import { Review } from '../records/Review'
import { ReviewedLocation } from '../records/ReviewedLocation'
import { sourceOf } from '../sources/source-of'
import { allChains, chainsOf, type NotedChain, readLocation } from './chains'
import { replay } from './ledger'
import { isVisible, storedReviews } from './storedReviews'
import { unprovenFigures, unprovenRows } from './unproven-rows'

const shownMax = 50

/** Checks that the observation logs are intact, and that rows and figures match them. */
export const verifyReviews = defineCommand({
  name: 'reviews verify',
  summary:
    'Check the observation log of a location, or of all locations, and that the stored reviews match it',
  input: v.strictObject({
    location_id: v.optional(field.text('Business location; all of them where it is left out')),
    head: v.optional(field.text('An end of the log that you noted earlier. The log must still contain it')),
  }),
  isBad: ({ sound }) => sound !== true,
  async run(ctx, { location_id, head }) {
    const chains: Found[] = []
    const known = new Set<string>()
    const all = location_id === undefined ? allChains(ctx) : await ownChains(ctx, location_id)
    for await (const chain of all) {
      known.add(keyOf(chain))
      const found = await verify(ctx, chain, head)
      if (found !== null) chains.push(found)
    }
    if (location_id === undefined) chains.push(...(await unchained(ctx, known)))
    const isHeld = head === undefined || chains.some(({ holds_head }) => holds_head === true)
    const sound = isHeld && chains.every((one) => one.sound)
    return { sound, ...(head === undefined ? {} : { holds_head: isHeld }), chains }
  },
})

interface Found {
  readonly location_id: string
  readonly source: string
  readonly sound: boolean
  readonly entries: number
  readonly standing: number
  readonly fault?: string
  readonly strays?: readonly string[]
  readonly strays_total?: number
  readonly removed_without_statement?: number
  readonly judged_by_earlier_version?: number
  readonly holds_head?: boolean
  readonly head?: string
}

const keyOf = ({ location_id, source }: { readonly location_id: string; readonly source: string }) =>
  `${location_id} ${source}`

async function ownChains(ctx: OwnerContext, location_id: string): Promise<NotedChain[]> {
  const { location, listing } = await readLocation(ctx, location_id)
  return chainsOf(ctx, location, listing)
}

/** Returns null if nothing was ever synced and there are no reviews. */
async function verify(ctx: OwnerContext, chain: NotedChain, head: string | undefined): Promise<Found | null> {
  let isHeld = false
  const onHash = (hash: string) => {
    isHeld ||= hash === head
  }
  const found = await replay(ctx, chain, { head: chain.noted, onHash })
  const location = await ctx.rows(ReviewedLocation).get(chain.location_id)
  if (found.entries === 0 && found.fault === null && location?.is_demo) return null
  const fault = found.fault ?? unnoted(chain, found.entries)
  const rows = fault ? [] : await storedReviews(ctx, chain)
  const isRead = location !== null && sourceOf(ctx, location)?.source === chain.source
  const strays = fault
    ? []
    : [
        ...unprovenRows(found, rows, chain.workspace_id),
        ...(isRead ? [...new Set(unprovenFigures(location, [found.figures, chain.figures]))] : []),
      ]
  if (found.entries === 0 && fault === null && strays.length === 0) return null
  const earlier = rows.filter((row) => isVisible(row) && isJudgedEarlier(row)).length
  return {
    ...{ location_id: chain.location_id, source: chain.source, entries: found.entries },
    ...{ standing: found.standing.size, sound: fault === null && strays.length === 0 },
    ...(fault ? { fault: `entry ${fault.seq}: ${fault.fault}` } : {}),
    ...(found.unproven.size === 0 ? {} : { removed_without_statement: found.unproven.size }),
    ...(earlier === 0 ? {} : { judged_by_earlier_version: earlier }),
    ...strayed(strays),
    ...(head === undefined ? {} : { holds_head: isHeld }),
    head: found.head,
  }
}

/**
 * Returns what is wrong if the noted end of the log is missing. A full sync also stores the end with the
 * location. Without it, a log that was cut off would look intact.
 */
const unnoted = ({ noted, isRead }: NotedChain, entries: number) =>
  isRead && noted === undefined && entries > 0
    ? { seq: entries, fault: "the note of the log's end is missing" }
    : null

const strayed = (strays: readonly string[]) =>
  strays.length === 0 ? {} : { strays: strays.slice(0, shownMax), strays_total: strays.length }

/**
 * Finds reviews of locations that were never synced. Ignores those of a demo, which are sample data and
 * marked as such.
 */
async function unchained(ctx: OwnerContext, known: ReadonlySet<string>): Promise<Found[]> {
  const groups = await ctx.rows(Review).group({
    by: ['location_id', 'source'],
    measures: [{ as: 'reviews', fn: 'count' }],
  })
  const found: Found[] = []
  for (const { location_id, source, reviews } of groups) {
    const place = { location_id: String(location_id), source: String(source) }
    if (known.has(keyOf(place))) continue
    const location: Row<typeof ReviewedLocation> | null = await ctx
      .rows(ReviewedLocation)
      .get(place.location_id)
    if (location?.is_demo) continue
    const strays = [`${reviews} reviews without a chain`]
    found.push({ ...place, sound: false, entries: 0, standing: 0, strays, strays_total: Number(reviews) })
  }
  return found
}
