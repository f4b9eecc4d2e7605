import { allPages, oneLine } from 'renown'
import {
  type AccountContext,
  type AccountListing,
  type ListedAccount,
  type ListedLocation,
  type ProviderContext,
  webAddress,
  withoutEmpty,
} from 'renown/sources'
import * as v from 'valibot'
import { type AskGoogle, askGoogleAs } from './ask'
import { googlePage } from './google-page'
import { googleSettings } from './settings'

/** The maximum page size at Google. Its default is 10. */
const pageSize = 100
/** Google refuses the request without a field mask. */
const fields = 'name,title,storefrontAddress,phoneNumbers,websiteUri,categories,latlng,metadata,openInfo'

const optionalText = v.optional(v.string())

const location = v.object({
  name: v.pipe(v.string(), v.regex(/^(?:accounts\/[\w-]{1,100}\/)?locations\/[\w-]{1,100}$/)),
  title: optionalText,
  websiteUri: optionalText,
  phoneNumbers: v.optional(v.object({ primaryPhone: optionalText })),
  categories: v.optional(v.object({ primaryCategory: v.optional(v.object({ displayName: optionalText })) })),
  storefrontAddress: v.optional(
    v.object({
      regionCode: optionalText,
      postalCode: optionalText,
      administrativeArea: optionalText,
      locality: optionalText,
      addressLines: v.optional(v.array(v.string()), []),
    }),
  ),
  latlng: v.optional(v.object({ latitude: v.optional(v.number()), longitude: v.optional(v.number()) })),
  openInfo: v.optional(v.object({ status: optionalText })),
  metadata: v.optional(
    v.object({
      placeId: optionalText,
      mapsUri: optionalText,
      newReviewUri: optionalText,
      hasVoiceOfMerchant: v.optional(v.boolean()),
    }),
  ),
})
type Told = v.InferOutput<typeof location>

const named = v.object({ name: location.entries.name })

/**
 * Returns an account's own locations. Locations that a person can access through groups are only counted,
 * because each group is an account too.
 */
export async function googleLocations(
  ctx: AccountContext,
  { id, account_id, account_type }: ListedAccount,
): Promise<AccountListing> {
  const ask: AskGoogle = (asked) => askGoogleAs(ctx, id, asked)
  const account = `accounts/${bare(account_id)}`
  const found = await list(ctx, ask, account, location, fields)
  const own = new Map(found.map((one) => [bare(one.name), listed(one, account)]))
  return { locations: [...own.values()], elsewhere: await countElsewhere() }

  /**
   * A person's own account lists only their own locations. `accounts/-` lists all that they can access,
   * without the group.
   */
  async function countElsewhere(): Promise<number> {
    if (account_type !== 'PERSONAL') return 0
    const reached = await list(ctx, ask, 'accounts/-', named, 'name')
    return new Set(reached.map(({ name }) => bare(name))).difference(new Set(own.keys())).size
  }
}

/** Returns the last part of one of Google's names, which identifies the object in any account. */
const bare = (name: string) => name.split('/').at(-1) ?? ''

const list = <S extends v.GenericSchema>(
  ctx: Pick<ProviderContext, 'settings'>,
  ask: AskGoogle,
  account: string,
  row: S,
  readMask: string,
) =>
  allPages<v.InferOutput<S>>('locations', async (token) => {
    const query = new URLSearchParams({ readMask, pageSize: String(pageSize) })
    if (token !== null) query.set('pageToken', token)
    const form = googlePage('locations', row, { token, mayBeEmpty: true })
    const url = `${googleSettings.of(ctx).GOOGLE_LOCATIONS_URL}/${account}/locations?${query}`
    return ask({ url, what: "Google's page of locations", answer: form })
  })

function listed(one: Told, account: string): ListedLocation {
  const { name, storefrontAddress: address, metadata = {}, latlng, openInfo } = one
  const holder = /^(accounts\/[^/]+)\/locations\//.exec(name)?.[1]
  const [line1, ...lines] = address?.addressLines ?? []
  const profile = withoutEmpty({
    business_name: oneLine(one.title, 300) || bare(name),
    google_account_id: account,
    google_location_id: `locations/${bare(name)}`,
    google_place_id: metadata.placeId,
    business_category: oneLine(one.categories?.primaryCategory?.displayName),
    phone: oneLine(one.phoneNumbers?.primaryPhone, 60),
    website: webAddress(one.websiteUri),
    address_line1: oneLine(line1),
    address_line2: oneLine(lines.join(', ')),
    city: oneLine(address?.locality),
    state: oneLine(address?.administrativeArea),
    postal_code: oneLine(address?.postalCode, 40),
    country: oneLine(address?.regionCode, 40),
    latitude: within(latlng?.latitude, 90),
    longitude: within(latlng?.longitude, 180),
    google_maps_url: webAddress(metadata.mapsUri),
    review_link: webAddress(metadata.newReviewUri),
    is_verified: metadata.hasVoiceOfMerchant,
  })
  const { address_line1, city, country } = profile
  return {
    id: `locations/${bare(name)}`,
    profile,
    place: [address_line1, city, country].filter(Boolean).join(', ') || undefined,
    ...(holder === undefined || holder === account
      ? {}
      : { refused: `It belongs to ${holder}, not to this account: connect that one and add it there.` }),
    caution: cautionOf(metadata.hasVoiceOfMerchant, openInfo?.status),
  }
}

const within = (degrees: number | undefined, most: number) =>
  degrees !== undefined && Math.abs(degrees) <= most ? degrees : undefined

function cautionOf(hasVoice: boolean | undefined, status: string | undefined): string | undefined {
  if (hasVoice === false) {
    return 'The account is not verified for this location, so Renown cannot read or answer its reviews.'
  }
  return status === 'CLOSED_PERMANENTLY' ? 'Google lists it as permanently closed.' : undefined
}
