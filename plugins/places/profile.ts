import type { OwnerContext } from 'renown'
import {
  addPeriod,
  cleanText,
  closedElsewhere,
  daysBetween,
  endOfDay,
  type Hours,
  type PlatformProfile,
  type ProfileSource,
  timeOf,
} from 'renown/profiles'
import * as v from 'valibot'
import { askPlace, hasPlacesKey, placeUrl } from './ask'
import { placesListings } from './public-listing'

const localized = v.object({ text: v.string() })
const point = v.object({
  day: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(6)),
  hour: v.optional(v.number(), 0),
  minute: v.optional(v.number(), 0),
})
const options = v.optional(v.record(v.string(), v.unknown()), {})

/** The yes/no properties of a place. */
const flags = [
  'takeout',
  'delivery',
  'dineIn',
  'reservable',
  'outdoorSeating',
  'liveMusic',
  'allowsDogs',
  'goodForChildren',
  'goodForGroups',
  'restroom',
  'servesVegetarianFood',
]

const place = v.looseObject({
  id: v.pipe(v.string(), v.minLength(1)),
  formattedAddress: v.optional(v.string(), ''),
  addressComponents: v.optional(
    v.array(
      v.object({
        longText: v.optional(v.string(), ''),
        shortText: v.optional(v.string(), ''),
        types: v.array(v.string()),
      }),
    ),
    [],
  ),
  location: v.optional(v.object({ latitude: v.number(), longitude: v.number() })),
  websiteUri: v.optional(v.string()),
  internationalPhoneNumber: v.optional(v.string()),
  primaryTypeDisplayName: v.optional(localized),
  googleMapsUri: v.optional(v.string()),
  editorialSummary: v.optional(localized),
  regularOpeningHours: v.optional(
    v.object({ periods: v.optional(v.array(v.object({ open: point, close: v.optional(point) })), []) }),
  ),
  accessibilityOptions: options,
  paymentOptions: options,
})

const fields = [...Object.keys(place.entries), ...flags]

/** Google's public profile of a place, read with the key of the installation. */
export const placesProfiles: ProfileSource = {
  name: 'places',
  order: 30,
  async open(ctx, { google_place_id: id }) {
    if (id === undefined || !hasPlacesKey(ctx)) return null
    return { read: (signal) => readProfile(ctx, id, signal) }
  },
  publicListings: placesListings,
}

async function readProfile(ctx: OwnerContext, id: string, signal: AbortSignal): Promise<PlatformProfile> {
  const told = await askPlace(ctx, id, { answer: place, fields, signal })
  return {
    id,
    url: told.googleMapsUri ?? placeUrl(ctx, id),
    fields: fieldsOf(told),
    about: told.editorialSummary?.text ?? '',
    attributes: attributesOf(told),
    hours: hoursOf(told),
    hasPlace: componentOf(told, 'route') !== undefined || componentOf(told, 'street_number') !== undefined,
  }
}

type Place = v.InferOutput<typeof place>

const componentOf = ({ addressComponents }: Place, ...types: readonly string[]) =>
  types.flatMap((type) => addressComponents.find((one) => one.types.includes(type)) ?? [])[0]

function fieldsOf(told: Place): PlatformProfile['fields'] {
  const { primaryTypeDisplayName, location, websiteUri, internationalPhoneNumber, googleMapsUri } = told
  return {
    ...(primaryTypeDisplayName ? { business_category: primaryTypeDisplayName.text } : {}),
    ...addressOf(told),
    ...(internationalPhoneNumber === undefined ? {} : { phone: internationalPhoneNumber }),
    ...(websiteUri === undefined ? {} : { website: websiteUri }),
    ...(googleMapsUri === undefined ? {} : { google_maps_url: googleMapsUri }),
    ...(location ? { latitude: location.latitude, longitude: location.longitude } : {}),
  }
}

function addressOf(told: Place): PlatformProfile['fields'] {
  const long = (...types: readonly string[]) => componentOf(told, ...types)?.longText ?? ''
  const number = long('street_number')
  const route = long('route')
  const ways = [`${route} ${number}`, `${route}, ${number}`, `${number} ${route}`]
  const line =
    ways.find((way) => told.formattedAddress.includes(way)) ?? [number, route].filter(Boolean).join(' ')
  const fields = {
    address_line1: line,
    address_line2: long('subpremise'),
    city: long('locality', 'postal_town', 'sublocality'),
    state: long('administrative_area_level_1'),
    postal_code: long('postal_code'),
    country: componentOf(told, 'country')?.shortText ?? '',
  }
  return Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ''))
}

/** Google's weeks begin on Sunday. */
const dayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

function hoursOf({ regularOpeningHours }: Place): Hours {
  const hours: Hours = {}
  for (const { open, close } of (regularOpeningHours?.periods ?? []).slice(0, 50)) {
    const day = dayNames[open.day] ?? 'sunday'
    // A period without an end means that the place is always open.
    if (!close) addPeriod(hours, daysBetween('monday', 'sunday'), '00:00', '24:00')
    else addPeriod(hours, [day], timeOf(open.hour, open.minute), endOfDay(timeOf(close.hour, close.minute)))
  }
  return closedElsewhere(hours)
}

/** Converts a name such as `wheelchairAccessibleEntrance` to words. */
const worded = (name: string) => cleanText(name.replaceAll(/([A-Z])/g, ' $1').toLowerCase(), 80)

function attributesOf(told: Place): string[] {
  const groups = [told.accessibilityOptions, told.paymentOptions]
  const named = groups.flatMap((group) => Object.keys(group).filter((name) => group[name] === true))
  return [...flags.filter((name) => told[name] === true), ...named].slice(0, 40).map(worded)
}
