import { isServiceFault, type OwnerContext, ServiceFault } from 'renown'
import {
  addPeriod,
  closedElsewhere,
  dayOf,
  daysBetween,
  endOfDay,
  type Hours,
  type PlatformProfile,
  type ProfiledLocation,
  type ProfileSource,
  timeOf,
} from 'renown/profiles'
import { jsonObject } from 'renown/sources'
import * as v from 'valibot'
import { askGoogleAs } from './ask'
import { connectionOf, noConnectionCode } from './ask-reviews'
import { googleSettings } from './settings'

const text = v.optional(v.string(), '')
const time = v.optional(
  v.object({ hours: v.optional(v.number(), 0), minutes: v.optional(v.number(), 0) }),
  {},
)
const category = v.object({ displayName: text })

const profile = v.object({
  name: v.string(),
  languageCode: text,
  websiteUri: text,
  phoneNumbers: v.optional(v.object({ primaryPhone: text })),
  categories: v.optional(
    v.object({
      primaryCategory: v.optional(category),
      additionalCategories: v.optional(v.array(category), []),
    }),
  ),
  storefrontAddress: v.optional(
    v.object({
      addressLines: v.optional(v.array(v.string()), []),
      locality: text,
      administrativeArea: text,
      postalCode: text,
      regionCode: text,
    }),
  ),
  latlng: v.optional(v.object({ latitude: v.number(), longitude: v.number() })),
  serviceArea: v.optional(
    v.object({
      businessType: text,
      places: v.optional(v.object({ placeInfos: v.optional(v.array(v.object({ placeName: text })), []) })),
    }),
  ),
  profile: v.optional(v.object({ description: text })),
  regularHours: v.optional(
    v.object({
      periods: v.optional(
        v.array(v.object({ openDay: text, openTime: time, closeDay: text, closeTime: time })),
        [],
      ),
    }),
  ),
  serviceItems: v.optional(
    v.array(
      v.object({
        freeFormServiceItem: v.optional(v.object({ label: v.optional(v.object({ displayName: text })) })),
      }),
    ),
    [],
  ),
  metadata: v.optional(
    v.object({ mapsUri: text, newReviewUri: text, hasVoiceOfMerchant: v.optional(v.boolean()) }),
  ),
})
type Profile = v.InferOutput<typeof profile>

const readMask = Object.keys(profile.entries).join(',')

/** The business's own Google profile, read with the account that manages it. */
export const googleProfiles: ProfileSource = {
  name: 'google',
  order: 10,
  async open(ctx, location) {
    if (location.google_account_id === undefined || location.google_location_id === undefined) return null
    const connection = await connectionOf(ctx, location).catch((error) => {
      if (isServiceFault(error) && error.code === noConnectionCode) return null
      throw error
    })
    return connection === null ? null : { read: (signal) => readProfile(ctx, location, connection, signal) }
  },
}

async function readProfile(
  ctx: OwnerContext,
  location: ProfiledLocation,
  connection: string,
  signal: AbortSignal,
): Promise<PlatformProfile> {
  const { google_account_id = '', google_location_id = '' } = location
  const id = google_location_id.split('/').at(-1) ?? ''
  const holder = /^accounts\/([^/]+)\//.exec(google_location_id)?.[1]
  if (holder !== undefined && holder !== google_account_id.replace(/^accounts\//, ''))
    throw new ServiceFault(
      'permission',
      "The location's Google profile belongs to another account than the one of the location",
    )
  const address = `${googleSettings.of(ctx).GOOGLE_LOCATIONS_URL}/locations/${encodeURIComponent(id)}`
  const isOwn = v.check<Profile, string>(({ name }) => name.split('/').at(-1) === id, 'another profile')
  const told = await askGoogleAs(ctx, connection, {
    url: `${address}?${new URLSearchParams({ readMask })}`,
    signal,
    what: "Google's profile",
    answer: v.pipe(profile, isOwn),
  })
  const account = google_account_id.replace(/^accounts\//, '')
  const photos = await photosOf(ctx, connection, `accounts/${account}/locations/${id}`, signal)
  return profileOf(told, { id, address, photos })
}

const mediaItem = v.object({
  locationAssociation: v.optional(v.object({ category: text })),
  googleUrl: text,
})
/**
 * Google omits the list if a profile has no photos, so `{}` is valid. Any other body without a list is not.
 */
const media = v.pipe(jsonObject, v.union([v.object({ mediaItems: v.array(mediaItem) }), v.strictObject({})]))

type Photos = Readonly<Partial<Record<'cover_photo_url' | 'logo_url', string>>>

const photoFields = ['cover_photo_url', 'logo_url'] as const

/**
 * Returns cover and logo, from a separate API. Null if they could not be read, because a profile is useful
 * without them.
 */
async function photosOf(
  ctx: OwnerContext,
  connection: string,
  path: string,
  signal: AbortSignal,
): Promise<Photos | null> {
  try {
    const url = `${googleSettings.of(ctx).GOOGLE_REVIEWS_URL}/${path}/media?pageSize=100`
    const asked = { url, signal, what: "Google's photos", answer: media }
    const told = await askGoogleAs(ctx, connection, asked)
    const items = 'mediaItems' in told ? told.mediaItems : []
    const one = (...categories: readonly string[]) =>
      items.find(({ locationAssociation: at }) => categories.includes(at?.category ?? ''))?.googleUrl
    const cover = one('COVER')
    const logo = one('LOGO', 'PROFILE')
    return { ...(cover ? { cover_photo_url: cover } : {}), ...(logo ? { logo_url: logo } : {}) }
  } catch (error) {
    if (!isServiceFault(error)) throw error
    ctx.log.warn('the photos of a profile could not be read', { error: error.message })
    return null
  }
}

interface At {
  readonly id: string
  readonly address: string
  readonly photos: Photos | null
}

function profileOf(told: Profile, { id, address, photos }: At): PlatformProfile {
  const { categories, serviceArea, metadata, storefrontAddress } = told
  const offered = told.serviceItems.map(({ freeFormServiceItem: free }) => free?.label?.displayName ?? '')
  const also = (categories?.additionalCategories ?? []).map(({ displayName }) => displayName)
  return {
    id,
    url: metadata?.mapsUri || address,
    fields: fieldsOf(told, photos ?? {}),
    ...(photos === null ? { unread: photoFields } : {}),
    about: told.profile?.description ?? '',
    services: [...offered, ...also],
    hours: hoursOf(told),
    area: (serviceArea?.places?.placeInfos ?? []).map(({ placeName }) => placeName).join(', '),
    languages: [told.languageCode],
    hasPlace: (storefrontAddress?.addressLines.length ?? 0) > 0,
    isServiceArea: serviceArea?.businessType === 'CUSTOMER_LOCATION_ONLY',
  }
}

function fieldsOf(told: Profile, photos: Photos): PlatformProfile['fields'] {
  const { storefrontAddress: address, metadata, latlng } = told
  const [line = '', ...lines] = address?.addressLines ?? []
  const texts = {
    business_category: told.categories?.primaryCategory?.displayName ?? '',
    address_line1: line,
    address_line2: lines.join(', '),
    city: address?.locality ?? '',
    state: address?.administrativeArea ?? '',
    postal_code: address?.postalCode ?? '',
    country: address?.regionCode ?? '',
    phone: told.phoneNumbers?.primaryPhone ?? '',
    website: told.websiteUri,
    google_maps_url: metadata?.mapsUri ?? '',
    review_link: metadata?.newReviewUri ?? '',
    ...photos,
  }
  const { hasVoiceOfMerchant } = metadata ?? {}
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, one]) => one !== '')),
    ...(latlng ? { latitude: latlng.latitude, longitude: latlng.longitude } : {}),
    ...(hasVoiceOfMerchant === undefined ? {} : { is_verified: hasVoiceOfMerchant }),
  }
}

function hoursOf({ regularHours }: Profile): Hours {
  const hours: Hours = {}
  for (const { openDay, openTime, closeDay, closeTime } of (regularHours?.periods ?? []).slice(0, 50)) {
    const day = dayOf(openDay)
    const until = dayOf(closeDay)
    if (!day || !until) continue
    const times = [
      timeOf(openTime.hours, openTime.minutes),
      endOfDay(timeOf(closeTime.hours, closeTime.minutes)),
    ] as const
    // A period over several days: each full day in between is open all day.
    const whole = daysBetween(day, until).slice(0, -1)
    if (whole.length > 1) addPeriod(hours, whole, '00:00', '24:00')
    else addPeriod(hours, [day], ...times)
  }
  return closedElsewhere(hours)
}
