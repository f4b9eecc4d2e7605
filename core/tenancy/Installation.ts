import * as v from 'valibot'
import type { OwnerContext } from '../contracts/plugin'
import { where } from '../contracts/where'
import { defineEntity, field } from '../kit'

const ids = {
  agency_id: v.optional(field.text('Its agency')),
  home_workspace_id: v.optional(field.text('Its home workspace')),
  location_id: v.optional(field.text('Its first location')),
  site_id: v.optional(field.text('Its first site')),
  site_key: v.optional(field.text("The site's public key, for the beacon")),
}

/** Internal: one row with what the first start created. Its `completed_at` marks the first start as done. */
export const Installation = defineEntity({
  name: 'Installation',
  summary: 'What the first start created',
  idPrefix: 'ins',
  store: 'documents',
  scope: { by: 'agency', field: 'id' },
  reads: [],
  people: 'nobody',
  fields: { ...ids, completed_at: v.optional(field.instant('When the first run was complete')) },
  sortable: ['created_date'],
})

/** Records that another site replaced the site of the first start and took its key. */
export const noteReplaced = (owner: OwnerContext, site_id: string, by: string) =>
  owner.rows(Installation).updateWhere(where.eq('site_id', site_id), { site_id: by })
