import { nearest, type Period, type ReadContext, Refusal, requireRow, where } from 'renown'
import { isCountry } from '../records/countries'
import { engines as knownEngines } from '../records/engines'
import { VisibilityPrompt } from '../records/VisibilityPrompt'
import { VisibilityRun } from '../records/VisibilityRun'
import { VisibilityTracker } from '../records/VisibilityTracker'
import type { EngineDate, RunSpan } from './run-span'
import type { Scope, Tracker } from './scope'
import { readSealed, type Sealed } from './sealed'

/** The selected trackers, oldest first, with the validated engine and country. */
export interface Tracked {
  readonly scope: Scope
  readonly trackers: readonly Tracker[]
  /** The days whose sums are in columns. Null if all runs are read from documents. */
  readonly sealed: Sealed | null
}

/** Returns the runs of a period that are summed, without some days of engines. */
export const spanOf = (
  { scope, sealed }: Pick<Tracked, 'scope' | 'sealed'>,
  period: Pick<Period, 'date_from' | 'date_to'>,
  without: readonly EngineDate[] = [],
): RunSpan => ({ scope, sealed, period, without })

/**
 * Returns the selected trackers. Throws for a tracker of another workspace, and for an engine or country that
 * no tracker asks, so that a mistyped name does not return zeros.
 */
export async function trackedBy(ctx: ReadContext, scope: Scope): Promise<Tracked> {
  const trackers = await trackersOf(ctx, scope)
  if (scope.engine !== undefined) await refuseUnknownEngine(ctx, scope.engine, trackers)
  if (scope.country !== undefined) await refuseUnknownCountry(ctx, scope.country, trackers)
  return { scope, trackers, sealed: await readSealed(ctx, trackers) }
}

async function trackersOf(ctx: ReadContext, { tracker_id, location_id }: Scope): Promise<Tracker[]> {
  if (tracker_id !== undefined) {
    const tracker = await requireRow(ctx.rows(VisibilityTracker), 'tracker', tracker_id)
    if (location_id === undefined || tracker.location_id === location_id) return [tracker]
    throw new Refusal('not_found', 'There is no such tracker at this location.', {
      errors: [{ pointer: '/tracker_id', code: 'not_found', message: 'is a tracker of another location' }],
    })
  }
  return Array.fromAsync(
    ctx.rows(VisibilityTracker).each({
      where: location_id === undefined ? where.and() : where.eq('location_id', location_id),
      by: ['created_date', 'id'],
    }),
  )
}

/**
 * An engine that trackers no longer ask is still a valid filter for its answers, also if its plugin was
 * removed.
 */
async function refuseUnknownEngine(ctx: ReadContext, engine: string, trackers: readonly Tracker[]) {
  const asked = enginesOf(trackers)
  if (asked.includes(engine) || knownEngines.some((known) => known === engine)) return
  if ((await ctx.rows(VisibilityRun).list({ where: where.eq('engine', engine), limit: 1 })).length > 0) return
  const allowed = asked.length > 0 ? asked : [...knownEngines]
  const meant = nearest(engine, [...new Set([...allowed, ...knownEngines])])
  throw unknown('engine', 'is not an answer engine that a tracker asks', allowed, meant)
}

/** Common country codes that ISO 3166-1 does not assign. */
const otherCodes: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR' }

async function refuseUnknownCountry(ctx: ReadContext, country: string, trackers: readonly Tracker[]) {
  if (isCountry(country)) return
  const allowed = await countriesOf(ctx, trackers)
  throw unknown('country', 'is not an ISO 3166-1 alpha-2 code', allowed, otherCodes[country])
}

function unknown(name: string, message: string, allowed: readonly string[], meant: string | undefined) {
  const fault = { pointer: `/${name}`, code: 'invalid', message }
  return new Refusal('invalid_field', `The field ${name} ${message}.`, {
    errors: [
      {
        ...fault,
        ...(allowed.length > 0 ? { allowed } : {}),
        ...(meant === undefined ? {} : { did_you_mean: meant }),
      },
    ],
  })
}

/** Returns the engines that these trackers ask. */
export const enginesOf = (trackers: readonly Tracker[]): string[] =>
  [...new Set(trackers.flatMap((one) => one.engines))].sort()

/** Returns the countries that these trackers ask from. */
export async function countriesOf(ctx: ReadContext, trackers: readonly Tracker[]): Promise<string[]> {
  const ofPrompts = trackers.filter(({ countries = [] }) => countries.length === 0)
  const prompts = await promptsOf(ctx, ofPrompts)
  const all = [...trackers.flatMap(({ countries = [] }) => countries), ...prompts.map((one) => one.country)]
  return [...new Set(all)].sort()
}

/** Returns all prompts of these trackers. */
export async function promptsOf(ctx: ReadContext, trackers: readonly Tracker[]) {
  if (trackers.length === 0) return []
  const ids = trackers.map(({ id }) => id)
  return Array.fromAsync(ctx.rows(VisibilityPrompt).each({ where: where.in('tracker_id', ids) }))
}
