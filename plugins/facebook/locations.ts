import { isServiceFault, oneLine } from 'renown'
import {
  type AccountContext,
  type AccountListing,
  type ListedAccount,
  webAddress,
  withoutEmpty,
} from 'renown/sources'
import * as v from 'valibot'
import { askGraph } from './graph'

const place = v.optional(v.string())
const details = {
  name: place,
  category: place,
  website: place,
  phone: place,
  location: v.optional(
    v.object({
      street: place,
      city: place,
      state: place,
      zip: place,
      country: place,
      latitude: v.optional(v.number()),
      longitude: v.optional(v.number()),
    }),
  ),
}

/** Returns the one location of a connected Page. */
export async function facebookLocations(
  ctx: AccountContext,
  { id, account_id }: ListedAccount,
): Promise<AccountListing> {
  const { connections } = ctx.outbound
  const fields = 'id,name,category,website,phone,location'
  const asked = { path: encodeURIComponent(account_id), query: { fields } }
  const form = v.object({ ...details, id: v.literal(account_id) })
  const token = await connections.token(id)
  const page = await askGraph(ctx, token, { ...asked, what: "Facebook's Page", answer: form }).catch(
    async (error) => {
      // Page tokens are not renewed.
      if (isServiceFault(error) && error.kind === 'auth') await connections.fail(id, 'broken', error.message)
      throw error
    },
  )
  const { name, category, website, phone, location = {} } = page
  const profile = withoutEmpty({
    business_name: oneLine(name, 300) || account_id,
    facebook_page_id: account_id,
    business_category: oneLine(category),
    website: webAddress(website),
    phone: oneLine(phone, 60),
    address_line1: oneLine(location.street),
    city: oneLine(location.city),
    state: oneLine(location.state),
    postal_code: oneLine(location.zip, 40),
    country: oneLine(location.country, 100),
    latitude: location.latitude,
    longitude: location.longitude,
  })
  const where = [profile.address_line1, profile.city, profile.country].filter(Boolean).join(', ')
  return { locations: [{ id: account_id, profile, place: where || undefined }], elsewhere: 0 }
}
