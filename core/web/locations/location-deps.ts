import { Refusal } from '../../contracts/errors'
import type { Registry } from '../../registry/registry'
import { BusinessLocation } from '../../tenancy/BusinessLocation'
import type { SignedIn } from '../define-page'
import type { Place, Places } from '../places'
import type { NamesDeps } from '../start/names'
import type { Location } from './standing'

/** What the pages of locations work with. */
export interface LocationDeps extends NamesDeps {
  readonly places: Pick<Places, 'find'>
  /** Of every plugin, to read what one keeps of a location. */
  readonly entities: Registry['entities']
}

export const listPath = '/app/locations'
export const onePath = '/app/locations/one'
export const surePath = '/app/locations/sure'

/** The address of a location's own page. */
export const addressOf = (id: string) => `${onePath}?location=${encodeURIComponent(id)}`

/** A location, and the workspace of the person's that it is in. */
export interface Found {
  readonly location: Location
  readonly place: Place
  /** A demo stays as it was made, and members look at what owners have set up. */
  readonly mayChange: boolean
}

/** A location in one of the workspaces that the person may look at: 404 for any other. */
export async function findLocation(deps: LocationDeps, { person }: SignedIn, id: string): Promise<Found> {
  const location = id === '' ? null : await deps.owner.rows(BusinessLocation).get(id)
  const place = location && (await deps.places.find(person, location.workspace_id))
  if (!location || !place) throw new Refusal('not_found', 'Your workspaces have no such location.')
  return { location, place, mayChange: mayChange(person, place) && location.is_demo !== true }
}

/** Whether somebody may set up what belongs to a workspace. */
export const mayChange = (person: SignedIn['person'], place: Place) =>
  person.role === 'owner' && !place.is_demo

/** Refuses to change what was made up. */
export const refuseDemo = (may: boolean): void => {
  if (!may) throw new Refusal('conflict', 'The demo cannot be changed.')
}
