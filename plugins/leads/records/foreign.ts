import { field, foreignEntity } from 'renown'
import { profileFields } from 'renown/records'
import * as v from 'valibot'

/** The fields of a business location that mentions need. */
export const BusinessLocation = foreignEntity('BusinessLocation', {
  business_name: field.text('Name of the business'),
  business_category: v.optional(field.text('Category of the business')),
  city: v.optional(field.text('City')),
  country: v.optional(field.text('Country')),
  website: v.optional(field.text('Website')),
  phone: v.optional(field.text('Telephone number')),
  youtube_channel_id: v.optional(field.text('YouTube channel that answers')),
  reddit_account_id: v.optional(field.text('Reddit account that answers')),
  ...profileFields,
  manual_notes: v.optional(field.text('Notes of people for the analysis of mentions')),
  is_active: field.flag('The location is worked on'),
  is_online_only: v.optional(field.flag('A business without a physical location')),
  is_prospect: field.flag('A prospect: a business that the agency wants to win as a client'),
  is_demo: v.optional(field.flag('It belongs to a demo')),
})
