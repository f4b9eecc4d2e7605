import type { OwnerContext } from 'renown'
import { rpcStatusFault } from 'renown/sources'
import type { GenericSchema, InferOutput } from 'valibot'
import { placesSettings } from './settings'

interface PlaceRequest<S extends GenericSchema> {
  /** The schema of the answer. */
  readonly answer: S
  /** The fields to request. Google bills a call by its most expensive field. */
  readonly fields: readonly string[]
  readonly signal?: AbortSignal
}

/** The parts of a context that a request to the Places API needs. */
export type PlacesContext = Pick<OwnerContext, 'outbound' | 'settings'>

/** Whether the Places API is configured. */
export const hasPlacesKey = (ctx: Pick<OwnerContext, 'settings'>): boolean =>
  placesSettings.of(ctx).PLACES_API_KEY !== ''

/** The address of a place at the Places API. */
export const placeUrl = (ctx: Pick<OwnerContext, 'settings'>, id: string): string =>
  `${placesSettings.of(ctx).PLACES_URL}/places/${encodeURIComponent(id)}`

/**
 * Reads one place with the key of the installation. Counts against PLACES_CALLS_PER_DAY. Throws a
 * ServiceFault if the day's calls are used up, if Google refuses, or if the answer cannot be read.
 */
export async function askPlace<S extends GenericSchema>(
  ctx: PlacesContext,
  id: string,
  { answer, fields, signal }: PlaceRequest<S>,
): Promise<InferOutput<S>> {
  const { PLACES_API_KEY: key, PLACES_CALLS_PER_DAY: perDay } = placesSettings.of(ctx)
  const allowance = { provider: 'places', account: 'installation', timezone: 'America/Los_Angeles' }
  await ctx.outbound.spend({ ...allowance, perDay })
  return ctx.outbound.ask({
    what: "Google's place",
    answer,
    url: placeUrl(ctx, id),
    secrets: [key],
    faultOf: (told) => rpcStatusFault(told, 'Google', 'PLACES_API_KEY'),
    headers: { 'x-goog-api-key': key, 'x-goog-fieldmask': fields.join(',') },
    ...(signal ? { signal } : {}),
  })
}
