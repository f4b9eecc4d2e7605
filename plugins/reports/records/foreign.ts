import { field, foreignEntity, type Row } from 'renown'
import * as v from 'valibot'

const { flag, number, text, texts } = field

/** The fields of a location that reports show. */
export const BusinessLocation = foreignEntity('BusinessLocation', {
  business_name: text('Name of the business'),
  city: v.optional(text('City')),
  country: v.optional(text('Country')),
  website: v.optional(text('Website')),
  average_rating: v.optional(number('Average rating on the platform')),
  is_active: flag('It is worked on'),
  is_prospect: flag('Whether it is a prospect'),
  is_demo: v.optional(flag('It is made up')),
})
/** A location with reports. */
export type ReportedLocationRow = Row<typeof BusinessLocation>

/** The fields of a workspace that reports show. */
export const Workspace = foreignEntity('Workspace', {
  name: text('Name of the workspace'),
  agency_id: text('Its agency'),
  timezone: text('IANA time zone'),
  is_active: flag('It is worked on'),
  is_demo: v.optional(flag('It contains sample data')),
  white_label_domain: v.optional(text('Verified domain of its agency')),
})

/** The fields of an agency that reports show. */
export const Agency = foreignEntity('Agency', { name: text('Name of the agency') })

/** The fields of a person that say whether reports may be mailed to them. */
export const User = foreignEntity('User', {
  agency_id: text('Agency the person belongs to'),
  role: text('owner or member'),
  workspace_ids: v.optional(texts('Workspaces a member may see')),
  email: v.optional(text('Address the person signs in with, in lower case')),
  is_active: flag('Inactive people cannot sign in'),
})
