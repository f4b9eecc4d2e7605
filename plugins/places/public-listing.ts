import type { PublicListings } from 'renown/profiles'
import * as v from 'valibot'
import { askPlace, hasPlacesKey } from './ask'

const named = v.optional(v.object({ text: v.optional(v.string(), '') }))
const line = v.optional(v.string())
const list = v.optional(v.array(v.looseObject({})))

/** A public place. No field has a default, because a field in an unknown form is not a missing field. */
const place = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  rating: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(5))),
  userRatingCount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  formattedAddress: line,
  websiteUri: line,
  internationalPhoneNumber: line,
  businessStatus: line,
  primaryTypeDisplayName: named,
  editorialSummary: named,
  photos: list,
  regularOpeningHours: v.optional(v.object({ periods: list })),
})

const fields = Object.keys(place.entries)

/** Google's public listing of a place. */
export const placesListings: PublicListings = {
  label: 'Google',
  via: 'Places API',
  refusal(ctx, { google_place_id: id }) {
    if (!id) return 'No Google place is known for it (google_place_id).'
    return hasPlacesKey(ctx) ? null : 'The Places API is not asked: PLACES_API_KEY is not set.'
  },
  async read(ctx, { google_place_id: id = '' }, signal) {
    const told = await askPlace(ctx, id, { answer: place, fields, signal })
    const { rating = null, userRatingCount: ratings = 0, businessStatus } = told
    return {
      rating,
      ratings,
      ...(businessStatus === undefined ? {} : { business_status: businessStatus }),
      filled: {
        website: isText(told.websiteUri),
        phone: isText(told.internationalPhoneNumber),
        address: isText(told.formattedAddress),
        category: isText(told.primaryTypeDisplayName?.text),
        opening_hours: (told.regularOpeningHours?.periods ?? []).length > 0,
        description: isText(told.editorialSummary?.text),
        photos: (told.photos ?? []).length > 0,
      },
    }
  },
}

const isText = (text: string | undefined): boolean => text !== undefined && text !== ''
