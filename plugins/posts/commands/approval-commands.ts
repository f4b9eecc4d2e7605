import { defineCommand, field } from 'renown'
import * as v from 'valibot'
import { setNeedsApproval } from '../acts/rules'
import { askApproval, endApproval, linkDays } from '../approval/links'
import { post_id } from './inputs'

const ask = defineCommand({
  name: 'post approval request',
  summary:
    'Make a link by which a client approves or rejects a post without an account. Earlier links stop working',
  input: v.strictObject({
    post_id,
    days: v.optional(
      field.integer('How many days the link works', { min: linkDays.min, max: linkDays.max }),
      linkDays.default,
    ),
  }),
  positional: ['post_id'],
  secrets: ['address'],
  async run(ctx, given) {
    const { address, expires_at } = await askApproval(ctx, given)
    return { post_id: given.post_id, approval: 'in_review', address, expires_at }
  },
})

const end = defineCommand({
  name: 'post approval end',
  summary: 'End the review of a post by a client. Its links stop working',
  input: v.strictObject({ post_id }),
  positional: ['post_id'],
  async run(ctx, given) {
    await endApproval(ctx, given.post_id)
    return { post_id: given.post_id, approval: null }
  },
})

const require = defineCommand({
  name: 'post approval require',
  summary: 'Set whether a workspace publishes only posts that a client approved',
  input: v.strictObject({
    workspace_id: field.text('Workspace'),
    needed: field.oneOf(['on', 'off'], 'Whether posts need an approval'),
  }),
  positional: ['workspace_id', 'needed'],
  async run(ctx, { workspace_id, needed }) {
    await setNeedsApproval(ctx, { workspace_id, needs_approval: needed === 'on' })
    return { workspace_id, needs_approval: needed === 'on' }
  },
})

/** The commands of approvals. */
export const approvalCommands = [ask, end, require]
