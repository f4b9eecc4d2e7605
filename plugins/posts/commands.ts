import { actCommands, defineCommand, field, requireRow, where } from 'renown'
import * as v from 'valibot'
import { channelActs, requireApproval, shownChannel } from './acts/channel-acts'
import { shownPost } from './acts/of-post'
import { draftPost, postActs } from './acts/post-acts'
import { approvalActs } from './approval/approval-acts'
import { postTarget } from './contract'
import { Post } from './records/Post'
import { PostAttempt } from './records/PostAttempt'
import { PostChannel } from './records/PostChannel'

const postShow = defineCommand({
  name: 'post show',
  summary: 'Show a post and the attempts to publish it',
  input: v.strictObject({ post_id: field.text('Id of the post') }),
  positional: ['post_id'],
  async run(ctx, { post_id: id }) {
    const post = await requireRow(ctx.rows(Post), 'post', id)
    const own = where.and(where.eq('workspace_id', post.workspace_id), where.eq('post_id', id))
    const attempts = await ctx.rows(PostAttempt).list({ where: own, limit: 100 })
    return {
      ...shownPost(post),
      content: post.content,
      attempts: attempts.map(({ started_at, outcome, evidence, calls, looks, external_id }) => ({
        started_at,
        outcome,
        calls,
        looks,
        evidence: evidence ?? null,
        external_id: external_id ?? null,
      })),
    }
  },
})

const postList = defineCommand({
  name: 'post list',
  summary: 'List the posts of a location',
  input: v.strictObject({
    location_id: field.text('Location of the posts'),
    limit: v.optional(field.integer('Maximum number of posts', { min: 1, max: 500 }), 50),
  }),
  positional: ['location_id'],
  async run(ctx, { location_id, limit }) {
    const posts = await ctx.rows(Post).list({ where: where.eq('business_location_id', location_id), limit })
    return { posts: posts.map(shownPost) }
  },
})

const channelList = defineCommand({
  name: 'post channel list',
  summary: 'List the platforms that posts can be published on, and the connections of a location',
  input: v.strictObject({ location_id: field.text('Location whose posts are published') }),
  positional: ['location_id'],
  async run(ctx, { location_id: id }) {
    const rows = await ctx.rows(PostChannel).list({ where: where.eq('location_id', id), limit: 100 })
    const targets = ctx.extensions(postTarget).toSorted((a, b) => a.order - b.order)
    return {
      channels: await Promise.all(rows.map((row) => shownChannel(ctx, row))),
      platforms: targets.map(({ platform: name, label, channel }) => ({
        platform: name,
        label,
        needs: needsOf(channel),
      })),
    }
  },
})

const needsOf = (form: Readonly<Record<string, unknown>> | null | object) =>
  form === null
    ? ['an account under Connections']
    : ['address', 'account', 'secret'].filter((name) => name in form)

/** The commands of posts, their targets and approvals. */
export const postCommands = [
  postList,
  postShow,
  channelList,
  ...actCommands([
    draftPost,
    ...Object.values(postActs),
    ...Object.values(approvalActs),
    ...Object.values(channelActs),
    requireApproval,
  ]),
]
