import { field, foreignEntity } from 'renown'
import { profileFields } from 'renown/records'
import * as v from 'valibot'

/** The fields of a workspace that visibility reads. */
export const Workspace = foreignEntity('Workspace', {
  timezone: field.text('IANA time zone of its days'),
  locale: field.text('BCP 47 language tag of its texts'),
  is_demo: v.optional(field.flag('Its data is sample data')),
})

/** The fields of a business location that first-time set-up needs. */
export const BusinessLocation = foreignEntity('BusinessLocation', {
  business_name: field.text('Name of the business'),
  business_category: v.optional(field.text('Category of the business')),
  city: v.optional(field.text('City')),
  country: v.optional(field.text('Country')),
  website: v.optional(field.text('Website')),
  ...profileFields,
  is_prospect: field.flag('A prospect: a business that the agency wants to win as a client'),
  is_demo: v.optional(field.flag('It belongs to a demo')),
})
