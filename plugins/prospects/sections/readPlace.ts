import { googleFault, isPassing, isServiceFault, type OwnerContext, ServiceFault } from 'renown'
import * as v from 'valibot'
import type { Prospect } from '../records/foreign'

const named = v.optional(v.object({ text: v.optional(v.string(), '') }))
const line = v.optional(v.string())
const list = v.optional(v.array(v.looseObject({})))

/** A place as far as an audit looks at it. A field in another form is not a missing field, so that no field has a fallback. */
const place = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  rating: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(5))),
  userRatingCount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  ...{ formattedAddress: line, websiteUri: line, internationalPhoneNumber: line, businessStatus: line },
  ...{ primaryTypeDisplayName: named, editorialSummary: named, photos: list },
  regularOpeningHours: v.optional(v.object({ periods: list })),
})
export type Place = v.InferOutput<typeof place>

const fields = Object.keys(place.entries).join(',')

/** A place, or why there is none to look at. */
export type PlaceLook = { readonly place: Place } | { readonly reason: string }

interface Asking {
  readonly signal: AbortSignal
  /** What passes by itself is thrown, so that somebody comes again, until this is true. */
  readonly isLast: boolean
}

/** Asks Google's Places API about a business; what it shows anybody, without an account. */
export async function readPlace(
  ctx: OwnerContext,
  { google_place_id: id }: Prospect,
  { signal, isLast }: Asking,
): Promise<PlaceLook> {
  const { PLACES_URL, PLACES_API_KEY: key, PLACES_CALLS_PER_DAY: perDay } = ctx.settings
  if (!id) return { reason: 'No Google place is known for it (google_place_id).' }
  if (key === '') return { reason: 'The Places API is not asked: PLACES_API_KEY is not set.' }
  try {
    const allowance = { provider: 'places', account: 'installation', perDay, timezone: 'America/Los_Angeles' }
    await ctx.outbound.spend(allowance)
    const told = await ctx.outbound.ask({
      ...{ what: 'The answer of the Places API', answer: place },
      faultOf: (answer) => googleFault(answer, 'PLACES_API_KEY'),
      url: `${PLACES_URL}/places/${encodeURIComponent(id)}`,
      headers: { 'x-goog-api-key': key, 'x-goog-fieldmask': fields },
      ...{ secrets: [key], signal },
    })
    return { place: told }
  } catch (error) {
    if (!isServiceFault(error)) throw error
    if (error.kind === 'quota') return { reason: 'The day’s calls to the Places API are used up.' }
    if (!isPassing(error) || isLast) return { reason: `${error.message.replace(/\.$/, '')}.` }
    // A limit costs a try here: an audit does not wait for days.
    throw new ServiceFault('transient', error.message, { retryAfterMs: error.retryAfterMs })
  }
}
