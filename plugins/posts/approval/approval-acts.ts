import { defineAct, field } from 'renown'
import * as v from 'valibot'
import { aboutPost, postAudit } from '../acts/of-post'
import { askApproval, endApproval, linkDays } from './links'

const ask = defineAct({
  ...aboutPost,
  name: 'post approval request',
  summary:
    'Make a link by which a client approves or rejects a post without an account. Earlier links stop working',
  fields: {
    days: v.optional(
      field.integer('How many days the link works', { min: linkDays.min, max: linkDays.max }),
      linkDays.default,
    ),
  },
  secrets: ['address'],
  label: 'Make link',
  done: 'The link is ready.',
  undo: 'post approval end',
  audit: postAudit('post_ask_approval', 'Approval link of a post made'),
  async run(ctx, { row: { id: post_id }, input: { days } }) {
    const { address, expires_at } = await askApproval(ctx, { post_id, days })
    return { answer: { post_id, approval: 'in_review', address, expires_at }, shown: { address } }
  },
})

const end = defineAct({
  ...aboutPost,
  name: 'post approval end',
  summary: 'End the review of a post by a client. Its links stop working',
  label: 'End review',
  done: 'The review has ended. Its links no longer work.',
  audit: postAudit('post_end_approval', 'Approval of a post ended'),
  async run(ctx, { row: { id: post_id } }) {
    await endApproval(ctx, post_id)
    return { answer: { post_id, approval: null } }
  },
})

/** What people do about the review of a post by a client, by the name of its form. */
export const approvalActs = { 'ask-approval': ask, 'end-approval': end }
