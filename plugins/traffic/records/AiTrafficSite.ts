import { defineEntity, field, timezone } from 'renown'
import * as v from 'valibot'

const { code, flag, instant, text } = field

/**
 * A website whose traffic is counted. Its time zone never changes. Create another site for another time zone.
 */
export const AiTrafficSite = defineEntity({
  name: 'AiTrafficSite',
  summary: 'A website whose AI crawlers and AI referrals are counted',
  idPrefix: 'sit',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: ['list', 'get'],
  people: 'nobody',
  fields: {
    workspace_id: code('Workspace the site belongs to'),
    location_id: code('Business location the site belongs to'),
    domain: text('Domain without a scheme. Its subdomains count too'),
    timezone: timezone("IANA time zone of the site's days. It cannot be changed"),
    site_key: code("Public key in the beacon's script tag"),
    is_active: flag('Hits of an inactive site are refused'),
    count_search_engines: flag('Whether to count Googlebot and bingbot, which serve both search and AI'),
    respect_dnt: flag('The beacon does not count people who send Do Not Track or Global Privacy Control'),
    last_beacon_at: v.optional(v.nullable(instant('When the beacon last counted a visit'))),
    last_log_at: v.optional(v.nullable(instant('When a forwarded log last contained a hit'))),
    forwarder_token_last4: code('Last four characters of the forwarder token'),
    forwarder_token_hash: text('SHA-256 of the forwarder token'),
    log_mapping: v.optional(
      v.nullable(text('JSON of the fields in which the JSON records of its log have the facts of a request')),
    ),
    handing_over: v.optional(
      v.nullable(text('JSON of the site that takes over its key and token, until that site is stored')),
    ),
    is_read_remotely: v.optional(
      v.nullable(
        flag('Whether an ingest on another machine has read the site. Not known of sites of older versions'),
      ),
    ),
  },
  hidden: ['forwarder_token_hash', 'handing_over', 'log_mapping', 'is_read_remotely'],
  // The day of a hit is set when it is accepted, so another time zone would change the day of hits that wait
  // in the journal.
  immutable: ['timezone'],
  searchable: ['domain'],
  namedIn: { arguments: ['site_id'], names: [], domains: ['domain'] },
  sortable: ['created_date', 'updated_date', 'domain', 'last_beacon_at', 'last_log_at'],
  indexes: [
    { on: ['site_key'], unsafeUniqueAcrossTenants: true },
    { on: ['location_id', 'domain', 'timezone', 'workspace_id'], unique: true },
    { on: ['domain'] },
  ],
})
