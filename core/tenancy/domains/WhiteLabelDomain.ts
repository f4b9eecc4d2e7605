import * as v from 'valibot'
import { defineEntity, field } from '../../kit'
import { domainState } from './states'

/** Internal: a host name of an agency for the product. It is served while it is verified. */
export const WhiteLabelDomain = defineEntity({
  name: 'WhiteLabelDomain',
  summary: "A host name of an agency's own under which it offers the product",
  idPrefix: 'dom',
  store: 'documents',
  scope: { by: 'agency', field: 'agency_id' },
  reads: [],
  people: 'nobody',
  fields: {
    agency_id: field.text('Agency that added it'),
    domain: field.text('Host name in ASCII and lower case'),
    state: field.oneOf(
      ['pending', 'verified', 'lapsed', 'failed'],
      'State of its DNS record: pending before it was found, verified while it is served',
    ),
    token: field.text("The required value of the host name's DNS record. It is public, not a secret"),
    verified_at: v.optional(field.instant('When it was last verified')),
    checked_at: v.optional(field.instant('When its record was last checked')),
    missing_since: v.optional(field.instant('Since when the record of a verified domain is missing')),
    reason: v.optional(field.text('Problem of the last check')),
  },
  states: [domainState],
  sortable: ['created_date', 'domain'],
  indexes: [
    { on: ['domain'], unsafeUniqueAcrossTenants: true, where: { state: 'verified' } },
    { on: ['agency_id', 'domain'], unique: true },
    { on: ['state'] },
  ],
})
