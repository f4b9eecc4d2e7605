import * as v from 'valibot'
import type { Extension } from '../../contracts/extension'
import { defineExtensionPoint } from '../../contracts/extension'
import type { OwnerContext, SystemReads } from '../../kit'
import type { Candidate, LocationRow } from './find-location'

/** A location that is about to be active. */
export interface Activation {
  readonly agencyId: string
  readonly location: Candidate
  /** Whether to start the trial of the business if no paid location is free. */
  readonly wantsTrial: boolean
}

/** How many locations an agency uses, and how many it pays for. */
export interface LocationUsage {
  /** Null if the agency's locations are not counted. */
  readonly paid: number | null
  readonly used: number
  readonly trialing: number
  readonly exempt: number
}

/** Decides which locations may be active. Without an implementation, all may. */
export interface LocationCapacity extends Extension {
  /**
   * Returns the changes of activation in addition to `is_active`. Throws a Refusal if it is not allowed. Runs
   * under the agency's lock.
   */
  admit(ctx: OwnerContext, activation: Activation): Promise<Partial<LocationRow>>
  /**
   * Throws a Refusal if a location that was free of charge cannot count again. Runs under the agency's lock.
   */
  admitCounted(ctx: OwnerContext, agencyId: string, location: LocationRow): Promise<void>
  /** Called after a location was added or activated, outside the lock. `before` is null for an added one. */
  activated(
    ctx: OwnerContext,
    agencyId: string,
    before: LocationRow | null,
    after: LocationRow,
  ): Promise<void>
  usage(ctx: SystemReads, agencyId: string): Promise<LocationUsage>
  /** Starts the trial of a location. Throws a Refusal if it cannot have one. */
  startTrial(ctx: OwnerContext, locationId: string): Promise<object>
  /** Ends the trial of a location permanently. Throws a Refusal if it is not on trial. */
  cancelTrial(ctx: OwnerContext, locationId: string): Promise<object>
}

/** The extension point for limits of active locations of an agency. */
export const locationCapacity = defineExtensionPoint<LocationCapacity>({
  id: 'locations.capacity',
  summary: 'Decides which locations may be active',
  shape: {
    admit: v.function(),
    admitCounted: v.function(),
    activated: v.function(),
    usage: v.function(),
    startTrial: v.function(),
    cancelTrial: v.function(),
  },
})

/** Returns the changes that activate a location. Throws if it is not allowed. */
export async function activation(ctx: OwnerContext, given: Activation) {
  const changes: Partial<LocationRow>[] = []
  for (const one of ctx.extensions(locationCapacity)) changes.push(await one.admit(ctx, given))
  return Object.assign({ is_active: true, is_prospect: false }, ...changes) as Pick<
    LocationRow,
    'is_active' | 'is_prospect'
  > &
    Partial<LocationRow>
}

/** Notifies plugins that a location was added or activated. */
export async function followActivation(
  ctx: OwnerContext,
  agencyId: string,
  before: LocationRow | null,
  after: LocationRow,
): Promise<void> {
  for (const one of ctx.extensions(locationCapacity)) await one.activated(ctx, agencyId, before, after)
}
