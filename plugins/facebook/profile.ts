import { isServiceFault, type OwnerContext } from 'renown'
import {
  addPeriod,
  closedElsewhere,
  dayOf,
  endOfDay,
  type Hours,
  type PlatformProfile,
  type ProfiledLocation,
  type ProfileSource,
  timeIn,
} from 'renown/profiles'
import * as v from 'valibot'
import { askFacebook, noConnectionCode, pageConnection } from './graph'

const text = v.optional(v.string(), '')

const page = v.object({
  id: v.string(),
  name: text,
  about: text,
  description: text,
  category: text,
  category_list: v.optional(v.array(v.object({ name: text })), []),
  hours: v.optional(v.record(v.string(), v.string()), {}),
  phone: text,
  website: text,
  link: text,
  single_line_address: text,
  location: v.optional(
    v.object({
      street: text,
      city: text,
      state: text,
      zip: text,
      country: text,
      latitude: v.optional(v.number()),
      longitude: v.optional(v.number()),
    }),
  ),
  cover: v.optional(v.object({ source: text })),
  picture: v.optional(v.object({ data: v.optional(v.object({ url: text })) })),
  verification_status: text,
})
type Page = v.InferOutput<typeof page>

const fields = Object.keys(page.entries)
  .map((name) => (name === 'picture' ? 'picture.type(large)' : name))
  .join(',')

/** A business's Facebook Page, read with the Page's own token. */
export const facebookProfiles: ProfileSource = {
  name: 'facebook',
  order: 20,
  async open(ctx, location) {
    if (location.facebook_page_id === undefined) return null
    const isConnected = await pageConnection(ctx, location).then(
      () => true,
      (error) => {
        if (isServiceFault(error) && error.code === noConnectionCode) return false
        throw error
      },
    )
    return isConnected ? { read: (signal) => readPage(ctx, location, signal) } : null
  },
}

async function readPage(
  ctx: OwnerContext,
  location: ProfiledLocation,
  signal: AbortSignal,
): Promise<PlatformProfile> {
  const { facebook_page_id: id = '' } = location
  const isOwn = v.check<Page, string>((told) => told.id === id, 'another Page')
  const asked = { path: encodeURIComponent(id), query: { fields }, signal }
  const told = await askFacebook(ctx, location, {
    ...asked,
    what: "Facebook's Page",
    answer: v.pipe(page, isOwn),
  })
  const url = told.link || `https://www.facebook.com/${encodeURIComponent(id)}`
  return {
    id,
    url,
    fields: fieldsOf(told),
    about: told.about || told.description,
    services: told.category_list.slice(1).map(({ name }) => name),
    hours: hoursOf(told),
    socials: [url],
    hasPlace: (told.location?.street ?? '') !== '',
  }
}

function fieldsOf(told: Page): PlatformProfile['fields'] {
  const { location, cover, picture, verification_status: verified } = told
  const texts = {
    business_category: told.category || (told.category_list[0]?.name ?? ''),
    address_line1: location?.street || (location ? '' : told.single_line_address),
    city: location?.city ?? '',
    state: location?.state ?? '',
    postal_code: location?.zip ?? '',
    country: location?.country ?? '',
    phone: told.phone,
    website: websiteOf(told),
    cover_photo_url: cover?.source ?? '',
    logo_url: picture?.data?.url ?? '',
  }
  const { latitude, longitude } = location ?? {}
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, one]) => one !== '')),
    ...(latitude === undefined || longitude === undefined ? {} : { latitude, longitude }),
    ...(verified === '' ? {} : { is_verified: verified !== 'not_verified' }),
  }
}

/** Returns the first website. People type several, and omit the scheme. */
function websiteOf({ website }: Page): string {
  const [first = ''] = website.trim().split(/[\s,;]+/)
  if (first === '') return ''
  return /^https?:\/\//i.test(first) ? first : `https://${first}`
}

/** Reads hours such as `mon_1_open` and `mon_1_close`, and more periods by their number. */
function hoursOf({ hours: told }: Page): Hours {
  const hours: Hours = {}
  for (const key of Object.keys(told).slice(0, 60)) {
    const [, short = '', number = ''] = /^([a-z]{3})_(\d)_open$/.exec(key) ?? []
    const day = short === '' ? null : dayOf(short)
    if (day)
      addPeriod(
        hours,
        [day],
        timeIn(told[key] ?? ''),
        endOfDay(timeIn(told[`${short}_${number}_close`] ?? '')),
      )
  }
  return closedElsewhere(hours)
}
