import { defineEntity, field } from 'renown'
import * as v from 'valibot'

const { flag, integer, oneOf, text } = field

/** What the terms of a source allow, as Renown stores it. */
export const storedPolicy = v.object({
  retention_days: v.nullable(integer('Days after which a mention is deleted. Null: no limit', { min: 1 })),
  recheck_days: v.nullable(integer('Days after which a mention is read again, or deleted', { min: 1 })),
  delete_with_source: flag('A mention is deleted with its post'),
  may_store_author: flag('The name of the author may be stored'),
  may_link_identity: flag('Posts of one author may be joined'),
  may_extract_contact: flag('Contact details may be read from the text'),
  may_reply: oneOf(['person', 'never'], 'Whether people may reply through an account'),
  attribution: v.nullable(text('What must stand beside the post')),
  terms_url: text("The page with the source's terms"),
})

/**
 * Internal: the terms of each source when its plugin was last loaded. They still apply to its mentions when the plugin is gone. It
 * belongs to no workspace.
 */
export const SourceTerms = defineEntity({
  name: 'SourceTerms',
  summary: 'The terms of a source of mentions, as they were last known',
  idPrefix: 'stm',
  store: 'documents',
  scope: { by: 'agency', field: 'id' },
  reads: [],
  people: 'nobody',
  fields: {
    source: text('Name of the source'),
    label: text('The name for people'),
    policy: v.pipe(storedPolicy, v.description('What the terms allow')),
  },
  sortable: ['created_date'],
  indexes: [{ on: ['source', 'workspace_id'], unique: true }],
})
