import { defineEntity, field } from 'renown'

/**
 * Internal: when the next step of a scheduled or publishing post is due. It belongs to no workspace, so that one query
 * finds all due ones. A post without it is never published.
 */
export const PostPlan = defineEntity({
  name: 'PostPlan',
  summary: 'When the next step of a post is due',
  idPrefix: 'ppl',
  store: 'documents',
  scope: { by: 'agency', field: 'id' },
  reads: [],
  people: 'nobody',
  fields: {
    post_id: field.text('Post'),
    due_at: field.instant('When its next step is due'),
  },
  sortable: ['due_at', 'created_date'],
  defaultSort: 'due_at',
  indexes: [{ on: ['post_id', 'workspace_id'], unique: true }],
})
