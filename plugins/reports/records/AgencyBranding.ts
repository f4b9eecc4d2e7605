import { defineEntity, field } from 'renown'
import * as v from 'valibot'

const { flag, integer, oneOf, text } = field

/** Internal: how reports of an agency look. One row, with the agency's id. */
export const AgencyBranding = defineEntity({
  name: 'AgencyBranding',
  summary: 'Logo, colors and sender of the reports of an agency',
  idPrefix: 'brd',
  store: 'documents',
  scope: { by: 'agency', field: 'id' },
  reads: [],
  people: 'nobody',
  fields: {
    sender_name: v.optional(text('Name of the sender. Default: the name of the agency')),
    color: v.optional(text('Color on white, #rrggbb')),
    color_dark: v.optional(text('Color on dark pages, #rrggbb')),
    shows_renown: flag('Reports say that they were made with Renown'),
    logo: v.optional(text('SHA-256 of the logo, in hexadecimal')),
  },
  sortable: [],
})

/**
 * Internal: a logo. It never changes: a report names its logo by the hash, so that old reports keep the logo that they
 * were made with.
 */
export const BrandLogo = defineEntity({
  name: 'BrandLogo',
  summary: 'A logo of an agency, by the hash of its bytes',
  idPrefix: 'blg',
  store: 'documents',
  scope: { by: 'agency', field: 'agency_id' },
  reads: [],
  people: 'nobody',
  fields: {
    agency_id: text('Agency that it belongs to'),
    hash: text('SHA-256 of its bytes, in hexadecimal'),
    type: oneOf(['image/png', 'image/jpeg'], 'Media type'),
    width: integer('Pixels', { min: 1 }),
    height: integer('Pixels', { min: 1 }),
    bytes: text('Its bytes in base64'),
  },
  sortable: ['created_date'],
  indexes: [{ on: ['agency_id', 'hash'], unique: true }],
})
