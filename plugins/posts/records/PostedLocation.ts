import { field, foreignEntity, type Row } from 'renown'
import { profileFields } from 'renown/records'
import * as v from 'valibot'

/** The fields of a location that are needed for writing and publishing its posts. */
export const PostedLocation = foreignEntity('BusinessLocation', {
  business_name: field.text('Name of the business'),
  business_category: v.optional(field.text('Category of the business')),
  address_line1: v.optional(field.text('First line of the address')),
  address_line2: v.optional(field.text('Second line of the address')),
  city: v.optional(field.text('City')),
  state: v.optional(field.text('State or region')),
  postal_code: v.optional(field.text('Postal code')),
  country: v.optional(field.text('Country')),
  phone: v.optional(field.text('Telephone number')),
  website: v.optional(field.text('Website')),
  ...profileFields,
  google_account_id: v.optional(field.text('Account of the Google profile')),
  google_location_id: v.optional(field.text('Location id of the Google profile')),
  facebook_page_id: v.optional(field.text('Facebook Page')),
  is_active: field.flag('It is worked on'),
  is_prospect: field.flag('Whether it is a prospect'),
  is_demo: v.optional(field.flag('It is made up')),
})
/** A location whose posts are published. */
export type PostedLocationRow = Row<typeof PostedLocation>
