import type { Scope, Tracker } from '../sums/scope'
import type { VisibilityFilters } from './visibility-filters'

/** Whether a tracker is shown with these filters. */
export const fitsFilters = (
  { tracker, location }: VisibilityFilters,
  { id, location_id }: Pick<Tracker, 'id' | 'location_id'>,
): boolean => (tracker === '' || tracker === id) && (location === '' || location === location_id)

/** The scope of the shown trackers. One is named by its id, so that answers of removed trackers do not count for it. */
export function scopeOf(
  { location, engine, country }: VisibilityFilters,
  trackers: readonly Tracker[],
): Scope {
  const [only, ...others] = trackers
  const isOne = only !== undefined && others.length === 0
  return {
    ...(isOne ? { tracker_id: only.id } : location === '' ? {} : { location_id: location }),
    ...(engine === '' ? {} : { engine }),
    ...(country === '' ? {} : { country }),
  }
}
