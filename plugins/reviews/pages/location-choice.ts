import { type Row, where } from 'renown'
import type { PageContext } from 'renown/pages'
import { ReviewedLocation } from '../records/ReviewedLocation'

const locationsMax = 500

/** The clients of a workspace by name, and the one that the address names. */
interface LocationChoice {
  readonly locations: readonly (readonly [id: string, name: string])[]
  /** The first by name if the address names none. Null if there is none. */
  readonly chosen: Row<typeof ReviewedLocation> | null
}

/** Loads the choice of a location for a page about one of them. */
export async function locationChoice(ctx: PageContext, query: URLSearchParams): Promise<LocationChoice> {
  const all = ctx.rows(ReviewedLocation)
  const rows = await all.list({
    where: where.eq('is_prospect', false),
    sort: [{ field: 'id', direction: 'asc' }],
    limit: locationsMax,
    fields: ['business_name'],
  })
  const locations = rows
    .map(({ id, business_name }) => [id, business_name] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b))
  const asked = await all.get((query.get('location') ?? '').slice(0, 100))
  const [first] = locations
  return { locations, chosen: asked ?? (first ? await all.get(first[0]) : null) }
}
