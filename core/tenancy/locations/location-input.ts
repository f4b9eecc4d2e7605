import * as v from 'valibot'
import { field, typedName } from '../../kit'
import { contactFields, identityFields } from './location-fields'

const { flag, text } = field

/** The location of a command. */
export const locationId = text('The location')

/** Maximum length of a business name. */
export const businessNameMax = 300

/** The name of a business, as people type it. */
export const businessName = typedName('Name of the business', { max: businessNameMax })

/** A website as people type it, with or without its scheme. Empty if there is none. */
export const website = v.pipe(
  v.string(),
  v.trim(),
  v.transform((typed) => (typed === '' || /^[a-z][a-z0-9+.-]*:/i.test(typed) ? typed : `https://${typed}`)),
  v.check((typed) => typed === '' || isWebsite(typed), 'an address such as https://example.com'),
  v.description('Website of the business'),
)

/** An address for links. Empty if there is none. */
const address = (what: string) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.check((typed) => typed === '' || isWebsite(typed), 'an address such as https://example.com/logo.png'),
    v.description(what),
  )

const idMax = 300

/** An id on a platform. The plugin of the platform says how it is written. Empty if there is none. */
const id = (what: string) =>
  v.optional(
    v.pipe(v.string(), v.trim(), v.maxLength(idMax, `at most ${idMax} characters`), v.description(what)),
  )

/** The ids of a business on platforms. */
export const platformIds = {
  google_place_id: id('Place id of the business profile'),
  google_account_id: id('Account that manages the business profile'),
  google_location_id: id(
    'Location id of the business profile. If set, the location is read through the account',
  ),
  facebook_page_id: id('Page of the business; not with google_location_id'),
  platform_id: id('Id on another platform, behind the name of the platform, such as guild:shop-1'),
}

/** The source of a business, if its ids do not show it. */
export const origin = {
  added_via: identityFields.added_via,
  source: identityFields.source,
}

/** Maximum length of a line of a profile. */
export const profileLineMax = 500

const line = (what: string) =>
  v.optional(v.pipe(text(what), v.maxLength(profileLineMax, `at most ${profileLineMax} characters`)))

/** The description and contact details of a business. */
export const profile = {
  business_category: line('Category of the business'),
  phone: line('Telephone number'),
  address_line1: line('First line of the address'),
  address_line2: line('Second line of the address'),
  city: line('City'),
  state: line('State or region'),
  postal_code: line('Postal code'),
  country: line('Country'),
  google_maps_url: v.optional(address('Address of the business on the map')),
  latitude: contactFields.latitude,
  longitude: contactFields.longitude,
}

/** Its pictures. */
export const pictures = {
  logo_url: v.optional(address('Logo')),
  cover_photo_url: v.optional(address('Cover photo')),
}

/** Whether to start the only trial of a business if no paid location is free. */
export const trialWanted = v.optional(flag('If no paid location is free, start its only trial'), false)

function isWebsite(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname.includes('.') && !url.username
}
