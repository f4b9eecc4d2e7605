import { defineCommand, field, type OwnerContext, requireRow, timezone, where } from 'renown'
import { Workspace } from 'renown/records'
import * as v from 'valibot'
import { confirmPublished, publishAgain, retryPost } from '../acts/decide'
import { createPost, editPost } from '../acts/edit'
import { proposedPublish, proposedSchedule } from '../acts/proposedPost'
import { cancelPost, publishNow, schedulePost, unschedulePost } from '../acts/schedule'
import { postPlatforms } from '../records/content'
import { Post, type PostRow } from '../records/Post'
import { PostAttempt } from '../records/PostAttempt'
import { allow_duplicate, contentInput, contentOf, post_id } from './inputs'

const one = v.strictObject({ post_id })
const positional = ['post_id'] as const

const postCreate = defineCommand({
  name: 'post create',
  summary: 'Draft a post of a location for a platform',
  input: v.strictObject({
    location_id: field.text('Location that the post is for'),
    platform: field.oneOf(postPlatforms, 'Platform that the post is for'),
    ...contentInput,
    text: v.pipe(
      v.string(),
      v.trim(),
      v.minLength(1, 'the text of the post'),
      v.description('Text of the post'),
    ),
  }),
  async run(ctx, { location_id, platform, type = 'update', ...given }) {
    const content = { language: 'en', media: [], ...contentOf(given, type) }
    const post = { location_id, platform, post_type: type, content: { summary: '', ...content } }
    return shown(await createPost(ctx, post))
  },
})

const postEdit = defineCommand({
  name: 'post update',
  summary: 'Change a post that is not published. A failed post becomes a draft',
  input: v.strictObject({ post_id, ...contentInput }),
  positional,
  async run(ctx, { post_id: id, type, ...given }) {
    const { post_type } = await requireRow(ctx.rows(Post), 'post', id)
    const content = contentOf(given, type ?? post_type)
    return shown(await editPost(ctx, { post_id: id, post_type: type, content }))
  },
})

const postSchedule = defineCommand({
  name: 'post schedule',
  summary: 'Schedule a post for a local time, or change its time',
  input: v.strictObject({
    post_id,
    at: field.text('Local time, such as 2026-12-01T09:00'),
    timezone: v.optional(
      timezone('IANA time zone of the local time. The one of the draft or of the workspace if left out'),
    ),
    occurrence: v.optional(field.oneOf(['earlier', 'later'], 'Which one, if the local time occurs twice')),
    allow_duplicate,
  }),
  positional,
  proposal: proposedSchedule,
  async run(ctx, { at, timezone: zone, ...given }) {
    const used = zone ?? (await zoneOf(ctx, given.post_id))
    const { post, notice } = await schedulePost(ctx, { ...given, wall_time: at, timezone: used })
    return { ...shown(post), ...(notice === undefined ? {} : { notice }) }
  },
})

async function zoneOf(ctx: OwnerContext, id: string): Promise<string> {
  const { workspace_id, timezone: chosen } = await requireRow(ctx.rows(Post), 'post', id)
  return chosen ?? (await requireRow(ctx.rows(Workspace), 'workspace', workspace_id)).timezone
}

const postPublish = defineCommand({
  name: 'post publish',
  summary: 'Publish a post now',
  input: v.strictObject({ post_id, allow_duplicate }),
  positional,
  proposal: proposedPublish,
  run: async (ctx, given) => shown(await publishNow(ctx, given)),
})

const postUnschedule = defineCommand({
  name: 'post unschedule',
  summary: 'Return a scheduled post to the drafts',
  input: one,
  positional,
  run: async (ctx, given) => shown(await unschedulePost(ctx, given.post_id)),
})

const postCancel = defineCommand({
  name: 'post cancel',
  summary: 'Cancel a draft or a scheduled post',
  input: one,
  positional,
  run: async (ctx, given) => shown(await cancelPost(ctx, given.post_id)),
})

const postRetry = defineCommand({
  name: 'post retry',
  summary: 'Publish a failed post now',
  input: one,
  positional,
  run: async (ctx, given) => shown(await retryPost(ctx, given.post_id)),
})

const postConfirm = defineCommand({
  name: 'post confirm',
  summary: 'Say that a post whose outcome is unknown, or that was held back, is on the platform',
  input: v.strictObject({ post_id, url: field.text('Address of the published post') }),
  positional: ['post_id', 'url'],
  run: async (ctx, given) => shown(await confirmPublished(ctx, given)),
})

const postAgain = defineCommand({
  name: 'post republish',
  summary:
    'Publish a post again whose outcome is unknown, or that was held back, after you looked at the platform',
  input: one,
  positional,
  run: async (ctx, given) => shown(await publishAgain(ctx, given.post_id)),
})

const postShow = defineCommand({
  name: 'post show',
  summary: 'Show a post and the attempts to publish it',
  input: one,
  positional,
  async run(ctx, { post_id: id }) {
    const post = await requireRow(ctx.rows(Post), 'post', id)
    const own = where.and(where.eq('workspace_id', post.workspace_id), where.eq('post_id', id))
    const attempts = await ctx.rows(PostAttempt).list({ where: own, limit: 100 })
    return {
      ...shown(post),
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
    return { posts: posts.map(shown) }
  },
})

const shown = (post: PostRow) => ({
  post_id: post.id,
  platform: post.platform,
  post_type: post.post_type,
  status: post.status,
  scheduled_at: post.scheduled_at ?? null,
  wall_time: post.wall_time ?? null,
  timezone: post.timezone ?? null,
  published_at: post.published_at ?? null,
  external_url: post.external_url ?? null,
  failure_kind: post.failure_kind ?? null,
  error_message: post.error_message ?? null,
  platform_state: post.platform_state ?? null,
  duplicate_urls: post.duplicate_urls ?? [],
})

/** The commands of posts. */
export const postCommands = [
  postCreate,
  postEdit,
  postList,
  postShow,
  postSchedule,
  postUnschedule,
  postCancel,
  postPublish,
  postRetry,
  postConfirm,
  postAgain,
]
