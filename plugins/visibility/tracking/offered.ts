import type { Row } from 'renown'
import { effectiveProfile } from 'renown/records'
import type { BusinessLocation } from '../records/foreign'
import type { Profile } from './suggest-prompts'

/** Returns what a location offers and where, by its listing and its profile with people's edits. */
export const offered = (
  location: Row<typeof BusinessLocation>,
): Pick<Profile, 'category' | 'city' | 'services'> => {
  const { services, service_area } = effectiveProfile(location)
  return {
    category: known(location.business_category),
    city: known(location.city) ?? placeIn(service_area),
    services,
  }
}

const known = (text: string | undefined): string | undefined => text?.trim() || undefined

const areaLengthMax = 40

/** Returns the first place of an area such as “Leeds, Bradford and 20 miles around”. Undefined where it is a sentence. */
function placeIn(area: string | undefined): string | undefined {
  const first = known(area?.split(/[,;(]/, 1)[0])
  return first !== undefined && first.length <= areaLengthMax ? first : undefined
}
