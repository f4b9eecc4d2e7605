import { defineEntity, defineStates, field, type Row } from 'renown'
import { attemptFields, defineAttemptStates } from 'renown/sending'
import * as v from 'valibot'
import { channels } from './channels'

const { flag, instant, integer, oneOf, text } = field

/** Why a reply was not sent. */
const failureKinds = ['rejected', 'unknown_outcome', 'missed', 'not_allowed', 'held_by_platform'] as const

const undecidedKinds: readonly (typeof failureKinds)[number][] = ['unknown_outcome', 'held_by_platform']

/**
 * MentionReply.state. A reply whose worker was lost stays `sending` until its platform says whether it arrived. A person moves a
 * failed reply to `sent` when nobody else can prove that it is there.
 */
export const replyState = defineStates({
  entity: 'MentionReply',
  field: 'state',
  initial: ['queued'],
  moves: {
    queued: ['sending', 'cancelled'],
    sending: ['queued', 'sent', 'failed'],
    sent: [],
    failed: ['queued', 'sent'],
    cancelled: ['queued'],
  },
  stamps: { sent: 'sent_at' },
  needs: { failed: ['error_message', 'failure_kind'] },
  clears: { failed: ['error_message', 'failure_kind', 'platform_state'] },
})

/** Internal: the reply of a person to a public post, sent through an account. A location answers each post once. */
export const MentionReply = defineEntity({
  name: 'MentionReply',
  summary: 'The reply of a person to a mention',
  idPrefix: 'mrp',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: [],
  people: { through: [{ field: 'mention_id', entity: 'Mention' }], erase: 'row' },
  fields: {
    location_id: text('Business location that answers'),
    mention_id: text('Mention that the person answered'),
    source: oneOf(channels, 'Channel of the post'),
    source_id: text('Id of the post at its source'),
    text: text('The reply'),
    basis: text('Digest of the post that the person saw'),
    account_id: text("The platform's id of the account"),
    account_name: v.optional(text('What people call the account')),
    says_who: flag('The person says that the text tells who writes it'),
    state: oneOf(['queued', 'sending', 'sent', 'failed', 'cancelled'], 'How far it is'),
    revision: integer('Counts the versions that could be sent', { min: 1 }),
    due_at: v.optional(instant('When its next step is due')),
    requested_by: text('Id of the person, or `command line`'),
    requested_at: instant('When the person sent it'),
    error_message: v.optional(text('Why the last attempt failed')),
    error_count: v.optional(integer('Attempts that failed', { min: 0 })),
    failure_kind: v.optional(
      oneOf(failureKinds, 'Why it failed. With `unknown_outcome` nobody can prove whether it was sent'),
    ),
    external_id: v.optional(text('Id of the reply at the platform')),
    external_url: v.optional(text('Public address of the reply')),
    platform_state: v.optional(
      text('State of the reply in the words of the platform. A sending reply with one is held back there'),
    ),
    duplicate_urls: v.optional(
      v.pipe(
        v.array(text('Address, or the id')),
        v.description('Where the platform shows the same reply again'),
      ),
    ),
    sent_at: v.optional(instant('When it was known to be sent')),
  },
  states: [replyState],
  sortable: ['requested_at', 'created_date', 'due_at'],
  defaultSort: 'requested_at',
  indexes: [
    { on: ['location_id', 'source', 'source_id'], unique: true },
    { on: ['source', 'source_id', 'account_id'] },
    { on: ['mention_id'] },
    { on: ['due_at'] },
    { on: ['state', '-requested_at'] },
  ],
})
/** A stored reply. */
export type ReplyRow = Row<typeof MentionReply>

/** Whether a person has to decide about a reply, because it may be in the thread or may still appear there. */
export const isUndecidedReply = ({
  state,
  failure_kind,
}: Pick<ReplyRow, 'state' | 'failure_kind'>): boolean =>
  state === 'failed' && failure_kind !== undefined && undecidedKinds.includes(failure_kind)

/** The outcomes of an attempt. */
export const replyOutcome = defineAttemptStates('ReplyAttempt')

/** Internal: one attempt to send a reply, written before the call and settled after it. */
export const ReplyAttempt = defineEntity({
  name: 'ReplyAttempt',
  summary: 'An attempt to send a reply to a mention, written before the call',
  idPrefix: 'mra',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: [],
  people: { through: [{ field: 'reply_id', entity: 'MentionReply' }], erase: 'row' },
  fields: {
    reply_id: text('Reply of the attempt'),
    location_id: text('Business location that answers'),
    revision: integer('Version of the reply', { min: 1 }),
    ...attemptFields,
  },
  states: [replyOutcome],
  sortable: ['started_at', 'created_date'],
  defaultSort: '-started_at',
  indexes: [
    { on: ['reply_id'], unique: true, where: { is_open: true } },
    { on: ['reply_id', '-started_at'] },
  ],
})
/** A stored attempt. */
export type ReplyAttemptRow = Row<typeof ReplyAttempt>
