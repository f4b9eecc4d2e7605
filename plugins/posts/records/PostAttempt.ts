import { defineEntity, defineStates, field, type Row } from 'renown'
import * as v from 'valibot'
import { postPlatforms } from './content'

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
  fields: {
    post_id: field.text('Post of the attempt'),
    location_id: field.text('Business location of the post'),
    platform: field.oneOf(postPlatforms, 'Platform of the target'),
    revision: field.integer('Version of the post', { min: 1 }),
    key: field.text('What the target recognizes the attempt by'),
    request_hash: field.text('Digest of what is published, and where'),
    started_at: field.instant('When the attempt was written, before the first call'),
    called_at: field.instant('When the last call began'),
    calls: field.integer('Calls with the same key', { min: 1 }),
    outcome: field.oneOf(['calling', 'published', 'rejected', 'unknown'], 'How far it is'),
    is_open: field.flag('Whether its outcome is still looked for'),
    looks: field.integer('How often the target was asked whether the post is there', { min: 0 }),
    evidence: v.optional(field.text('What proves the outcome')),
    external_id: v.optional(field.text('Id of the post at the target')),
    external_url: v.optional(field.text('Public address of the post')),
    settled_at: v.optional(field.instant('When the outcome was known')),
  },
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

/**
 * The outcomes of an attempt. An unknown attempt is called again only with the same key, at a target that recognizes
 * it. A rejected attempt stays rejected: another attempt is another row.
 */
export const attemptOutcome = defineStates({
  entity: 'PostAttempt',
  field: 'outcome',
  initial: ['calling'],
  moves: {
    calling: ['published', 'rejected', 'unknown'],
    unknown: ['published', 'calling'],
    published: [],
    rejected: [],
  },
  stamps: { published: 'settled_at', rejected: 'settled_at' },
  needs: { published: ['external_id', 'evidence'], rejected: ['evidence'] },
})
