import { defineCommand, type OwnerContext, Refusal, where } from 'renown'
import * as v from 'valibot'
import { type Chain, digestOf, replay } from './ledger'
import { ReviewedLocation } from './ReviewedLocation'
import { ReviewListing } from './ReviewListing'
import type { ReviewRow } from './reconcile'
import { storedReviews } from './storedReviews'

const sources = ['google', 'facebook'] as const
const shownMax = 50

const location_id = v.pipe(v.string(), v.description('Business location'))

/** Proves that the chain of observations is whole, and that the rows are what it says. */
export const verifyReviews = defineCommand({
  name: 'reviews verify',
  summary: 'Prove the chain of what was read of a location, or of all, and that the reviews follow from it',
  input: v.strictObject({ location_id: v.optional(location_id) }),
  async run(ctx, { location_id }) {
    const chains: Record<string, unknown>[] = []
    for (const chain of await chainsOf(ctx, location_id)) {
      const found = await replay(ctx, chain)
      if (found.entries === 0) continue
      const strays = found.fault ? [] : strayRows(found.standing, await storedReviews(ctx, chain))
      chains.push({
        ...{ location_id: chain.location_id, source: chain.source, entries: found.entries },
        ...{ standing: found.standing.size, sound: found.fault === null && strays.length === 0 },
        ...(found.fault ? { fault: `entry ${found.fault.seq}: ${found.fault.fault}` } : {}),
        ...(strays.length === 0 ? {} : { strays: strays.slice(0, shownMax) }),
        head: found.head,
      })
    }
    return { sound: chains.every(({ sound }) => sound), chains }
  },
})

/** Answers "the source shows 412, we hold 409": which ones, and why. */
export const explainReviews = defineCommand({
  name: 'reviews explain',
  summary: "Explain the difference between a source's count of a location's reviews and ours",
  input: v.strictObject({ location_id }),
  positional: ['location_id'],
  async run(ctx, { location_id }) {
    const answers: Record<string, unknown>[] = []
    for (const chain of await chainsOf(ctx, location_id)) {
      const { last, entries } = await replay(ctx, chain)
      if (entries === 0) continue
      const rows = await storedReviews(ctx, chain)
      const visible = rows.filter(isVisible)
      const [listing] = await ctx
        .rows(ReviewListing)
        .list({ where: where.eq('location_id', location_id), limit: 1 })
      const suspects = Object.keys(listing?.suspects ?? {})
      const imported = visible.filter(
        (row) => chain.source === 'google' && row.gbp_api_synced_at === undefined,
      )
      answers.push({
        source: chain.source,
        source_shows: last?.proof.last_total ?? listing?.total ?? null,
        we_list: visible.length,
        removed_at_source: rows.length - visible.length,
        missing_once: suspects.slice(0, shownMax),
        only_imported: imported.slice(0, shownMax).map(({ id }) => id),
        last_reading: last === null ? null : { ...last.proof, full: last.full },
      })
    }
    return { location_id, sources: answers }
  },
})

async function chainsOf(ctx: OwnerContext, location_id: string | undefined): Promise<Chain[]> {
  if (location_id !== undefined) {
    const location = await ctx.rows(ReviewedLocation).get(location_id)
    if (!location) throw new Refusal('not_found', `There is no location ${location_id}.`)
    return sources.map((source) => ({ workspace_id: location.workspace_id, location_id, source }))
  }
  const listings = await ctx.rows(ReviewListing).list({ limit: 10_000 })
  return listings.flatMap(({ workspace_id, location_id }) =>
    sources.map((source) => ({ workspace_id, location_id, source })),
  )
}

const isVisible = (row: ReviewRow) => typeof row.removed_at_source_at !== 'string'

/** Reviews that stand by the chain and not by the rows, or otherwise. */
function strayRows(standing: ReadonlyMap<string, string>, rows: readonly ReviewRow[]): string[] {
  const visible = new Map(rows.filter(isVisible).map((row) => [row.source_id, row]))
  const lost = [...standing].flatMap(([id, digest]) => {
    const row = visible.get(id)
    if (!row) return [`${id}: no row`]
    return digestOf(row) === digest ? [] : [`${id}: the row says something else`]
  })
  const strange = [...visible.values()].filter(
    (row) =>
      !standing.has(row.source_id) && (row.source === 'facebook' || row.gbp_api_synced_at !== undefined),
  )
  return [...lost, ...strange.map(({ source_id }) => `${source_id}: never seen`)]
}
