import { defineEntity, field, type Row } from 'renown'
import { attemptFields, defineAttemptStates } from 'renown/sending'
import { postPlatforms } from './content'

/** The outcomes of an attempt. */
export const attemptOutcome = defineAttemptStates('PostAttempt')

/**
 * Internal: one attempt to publish a post. It is written before the call to the target and settled after it, so that a
 * lost process or answer leaves a trace. A post has at most one open attempt.
 */
export const PostAttempt = defineEntity({
  name: 'PostAttempt',
  summary: 'An attempt to publish a post, written before the call',
  idPrefix: 'pat',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: [],
  people: 'nobody',
  fields: {
    post_id: field.text('Post of the attempt'),
    location_id: field.text('Business location of the post'),
    platform: field.oneOf(postPlatforms, 'Platform of the target'),
    revision: field.integer('Version of the post', { min: 1 }),
    request_hash: field.text('Digest of what is published, and where'),
    ...attemptFields,
  },
  states: [attemptOutcome],
  sortable: ['started_at', 'created_date'],
  defaultSort: '-started_at',
  indexes: [
    { on: ['post_id'], unique: true, where: { is_open: true } },
    { on: ['post_id', '-started_at'] },
    { on: ['location_id', '-started_at'] },
  ],
})
/** A stored attempt. */
export type AttemptRow = Row<typeof PostAttempt>
