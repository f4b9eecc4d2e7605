import { field, foreignEntity, type Row } from 'renown'
import * as v from 'valibot'

/** The fields of a location that are needed for publishing its posts. */
export const PostedLocation = foreignEntity('BusinessLocation', {
  business_name: field.text('Name of the business'),
  website: v.optional(field.text('Website')),
  google_account_id: v.optional(field.text('Account of the Google profile')),
  google_location_id: v.optional(field.text('Location id of the Google profile')),
  facebook_page_id: v.optional(field.text('Facebook Page')),
  is_active: field.flag('It is worked on'),
  is_prospect: field.flag('Whether it is a prospect'),
  is_demo: v.optional(field.flag('It is made up')),
})
/** A location whose posts are published. */
export type PostedLocationRow = Row<typeof PostedLocation>
