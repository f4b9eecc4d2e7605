import { defineEvent, field, type OwnerContext } from 'renown'
import * as v from 'valibot'
import { Post, type PostRow } from './Post'

const data = {
  post_id: field.code('The post'),
  platform: field.code('The platform of the post'),
}
const example = { post_id: 'pst_01JZ8M0000000000000000000A', platform: 'gbp' }

/** A post that is on its platform. */
export const postPublished = defineEvent({
  name: 'post.published',
  summary: 'A post was published on its platform.',
  data: v.strictObject(data),
  example,
})

/** A post that was not published, or may not have been. */
export const postFailed = defineEvent({
  name: 'post.failed',
  summary: 'A post was not published, or nobody can prove that it was. A person decides what to do.',
  data: v.strictObject({ ...data, failure_kind: field.code('Why: `failure_kind` of the post') }),
  example: { ...example, failure_kind: 'rejected' },
})

/** A post that its platform holds back, for example until a moderator has read it. */
export const postHeld = defineEvent({
  name: 'post.held',
  summary: 'A platform holds back a post that Renown sent. Renown looks at it for seven days.',
  data: v.strictObject({
    ...data,
    platform_state: field.code('State of the post in the words of the platform'),
  }),
  example: { ...example, platform: 'wordpress', platform_state: 'pending' },
})

/** The events of posts. */
export const postEvents = [postPublished, postFailed, postHeld]

const aboutPost = ({ id, workspace_id, business_location_id, revision = 1 }: PostRow) => ({
  workspace_id,
  location_id: business_location_id,
  entity: Post.name,
  entity_id: id,
  key: `${id} ${revision}`,
})

/** Publishes that a post is on its platform. Call it before the write of the post. Can be repeated. */
export const publishPublished = (ctx: OwnerContext, post: PostRow): Promise<void> =>
  ctx.publish(postPublished, { ...aboutPost(post), data: { post_id: post.id, platform: post.platform } })

/** Publishes that a platform holds back a post. Call it before the write of the post. Can be repeated. */
export const publishHeld = (ctx: OwnerContext, post: PostRow, platform_state: string): Promise<void> =>
  ctx.publish(postHeld, {
    ...aboutPost(post),
    data: { post_id: post.id, platform: post.platform, platform_state },
  })

/** Returns the event of a post that failed. */
export const failedEvent = (post: PostRow, failure_kind: NonNullable<PostRow['failure_kind']>) => ({
  type: postFailed,
  event: { ...aboutPost(post), data: { post_id: post.id, platform: post.platform, failure_kind } },
})

/** Publishes that a post failed. Call it before the write of the post. Can be repeated. */
export const publishFailed = (
  ctx: OwnerContext,
  post: PostRow,
  failure_kind: NonNullable<PostRow['failure_kind']>,
): Promise<void> => {
  const { type, event } = failedEvent(post, failure_kind)
  return ctx.publish(type, event)
}
